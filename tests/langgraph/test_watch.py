from __future__ import annotations

from typing import Any

import pytest

from rendercall import RenderStream, RenderTool
from rendercall.langgraph.watch import MODES, WITH_STEPS
from rendercall.models import Call, Reply
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import ASK, BAD, GOOD, NAME, MakeGraph, render, search

SCRIPTS: dict[str, list[Any]] = {
    "right": [render()],
    "search, wrong, right": [Reply(calls=[search()]), render(BAD), render()],
    "mixed": [Reply("Both.", calls=[Call(NAME, GOOD), search()]), render()],
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_tools_events_beside_change_nothing(
    script: list[Any], scripted: MakeGraph, plan_tool: RenderTool[LearningPlan]
) -> None:
    """With `custom`, where our own frames are as well, each step of a call is read once, as without."""
    read: list[Any] = []
    for modes in (MODES, WITH_STEPS):
        stream: RenderStream[LearningPlan] = RenderStream(plan_tool)
        parts = list(scripted(*script).graph.stream(ASK, stream_mode=modes, subgraphs=True))
        deltas = [update.deltas for part in parts if (update := stream.feed(part))]
        shown = stream.finish()
        read.append((deltas, shown.status, shown.value, [one.code for one in shown.warnings]))
        kinds = {data["type"] for _, mode, data in parts if mode == "custom"}
    assert "render_frame" in kinds
    assert ("tool_event" in kinds) == (len(script) > 1)
    assert read[0] == read[1]

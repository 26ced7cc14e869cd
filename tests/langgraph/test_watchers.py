from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from rendercall import RenderTool, last_render
from rendercall.models import Call, Reply
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import ASK, BAD, CUT, GOOD, NAME, MakeGraph, render, search
from tests.langgraph.watchers import WATCHERS, Watch

SCRIPTS: dict[str, tuple[list[Any], str]] = {
    "right": ([Reply("Here it is.", calls=[Call(NAME, GOOD)])], "ok"),
    "search, wrong, right": ([Reply(calls=[search()]), render(BAD), render()], "ok"),
    "cut at the limit": ([render(CUT, finish_reason="length")], "truncated"),
    "cut, said to be finished": ([render(CUT)], "truncated"),
    "mixed": ([Reply("Both.", calls=[Call(NAME, GOOD), search()]), render()], "ok"),
    "refused": ([Reply(refusal="I will not.")], "refused"),
    "empty": ([Reply()], "failed"),
    "duplicate keys": ([render('{"topic":"a",' + '"topic":"b"}')], "invalid"),
    "text": ([Reply("No plan today.")], "absent"),
}


def bare(messages: list[BaseMessage]) -> list[dict[str, Any]]:
    """Messages less the ids that LangChain makes anew in each run."""
    dumped = [one.model_dump(exclude={"id"}) for one in messages]
    for one in dumped:
        one.pop("tool_call_id", None)
    return dumped


@pytest.mark.parametrize(("script", "status"), SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize("watch", WATCHERS.values(), ids=WATCHERS)
async def test_the_state_is_the_same_however_a_run_is_watched(
    watch: Watch,
    script: list[Any],
    status: str,
    scripted: MakeGraph,
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """Same outcome and same messages, ids aside; a cut plan is never a value."""
    expected = scripted(*script).graph.invoke(ASK)["messages"]
    messages = await watch(scripted(*script).graph, ASK)
    assert bare(messages) == bare(expected)
    assert last_render(messages, plan_tool).status == status


@pytest.mark.parametrize("watch", WATCHERS.values(), ids=WATCHERS)
async def test_every_message_has_an_id_of_its_own(watch: Watch, scripted: MakeGraph) -> None:
    """Messages without an id would be merged or doubled by whoever watches."""
    messages = await watch(scripted(render(BAD), render()).graph, ASK)
    ids = [one.id for one in messages]
    assert all(ids)
    assert len(set(ids)) == len(ids)


async def test_the_model_streams_where_nobody_watches(scripted: MakeGraph) -> None:
    """The raw text is always seen, so a cut is always known."""
    state = scripted(render()).graph.invoke(ASK)
    assert state["messages"][-1].response_metadata["rendercall"]["raw_seen"] is True


@pytest.mark.parametrize("mode", ["messages"])
async def test_fragments_reach_a_watcher_and_the_message_comes_once(
    mode: str, scripted: MakeGraph
) -> None:
    """The node keeps the message's id, so that it is not sent again whole."""
    graph = scripted(render()).graph
    seen = [chunk for chunk, _ in graph.stream(ASK, stream_mode=mode)]  # type: ignore[arg-type]
    assert len(seen) > 20
    assert {type(one).__name__ for one in seen} == {"AIMessageChunk"}
    assert len({one.id for one in seen}) == 1

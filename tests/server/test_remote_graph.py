from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from copy import deepcopy
from typing import Any

import pytest
from langgraph.pregel.remote import RemoteGraph
from langgraph_sdk import get_client, get_sync_client

from benchmarks.false_values import false_values
from rendercall import RenderStream, RenderTool, last_render
from rendercall.langgraph import awatch, watch
from schemas.learning_plan import LearningPlan
from tests.case_runner import shown_value
from tests.server.conftest import Served
from tests.server.watching import ask

pytestmark = pytest.mark.server

MODELS = ["offline", pytest.param("local", marks=pytest.mark.model)]


class Recorded(RemoteGraph):
    """A deployed graph that keeps what it streamed."""

    def __init__(self, **client: Any) -> None:
        super().__init__("learning_plan", **client)
        self.parts: list[Any] = []

    def stream(self, *args: Any, **kwargs: Any) -> Iterator[Any]:  # type: ignore[override]
        for part in super().stream(*args, **kwargs):
            self.parts.append(deepcopy(part))
            yield part

    async def astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:  # type: ignore[override]
        async for part in super().astream(*args, **kwargs):
            self.parts.append(deepcopy(part))
            yield part


def check(graph: Recorded, shown: list[Any], state: Any, tool: RenderTool[LearningPlan]) -> None:
    """Nothing false was shown, and the stream ends on what the thread holds."""
    end = last_render(state, tool)
    assert end.status == "ok", end
    final = end.require().model_dump(mode="json")
    assert len(shown) > 20
    assert false_values(shown, final, frozenset({"level"})) == 0
    stream = RenderStream(tool)
    for part in graph.parts:
        stream.feed(part)
    read = stream.finish()
    for name in ("status", "value", "errors", "call_id", "message_id", "args_text"):
        assert getattr(read, name) == getattr(end, name)


@pytest.mark.parametrize("model", MODELS)
def test_a_deployed_graph_is_watched(
    served: Served, plan_tool: RenderTool[LearningPlan], model: str
) -> None:
    """`watch` takes a `RemoteGraph` as it takes any graph, with a real model too."""
    with get_sync_client(url=served.api) as api:
        thread_id = api.threads.create()["thread_id"]
        graph = Recorded(sync_client=api)
        updates = watch(
            graph,
            ask("SQL window functions"),
            plan_tool,
            config={"configurable": {"thread_id": thread_id}},
            context={"model": model},
        )
        shown = [shown_value(update) for update in updates]
        check(graph, shown, api.threads.get_state(thread_id), plan_tool)


async def test_a_deployed_graph_is_watched_asynchronously(
    served: Served, plan_tool: RenderTool[LearningPlan]
) -> None:
    """`awatch` likewise."""
    async with get_client(url=served.api) as api:
        thread_id = (await api.threads.create())["thread_id"]
        graph = Recorded(client=api)
        config: Any = {"configurable": {"thread_id": thread_id}}
        updates = awatch(graph, ask("decorators"), plan_tool, config=config)
        shown = [shown_value(update) async for update in updates]
        check(graph, shown, await api.threads.get_state(thread_id), plan_tool)

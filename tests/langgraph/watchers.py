"""Every way in which a run can be watched in process, each giving the final messages."""

from __future__ import annotations

import warnings
from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.messages import BaseMessage
from langgraph.graph.state import CompiledStateGraph

Graph = CompiledStateGraph[Any, Any, Any, Any]
Watch = Callable[[Graph, dict[str, Any]], Awaitable[list[BaseMessage]]]


async def invoke(graph: Graph, ask: dict[str, Any]) -> list[BaseMessage]:
    return graph.invoke(ask)["messages"]


async def ainvoke(graph: Graph, ask: dict[str, Any]) -> list[BaseMessage]:
    return (await graph.ainvoke(ask))["messages"]


def by_stream(*modes: str) -> Watch:
    """Stream with these modes, and `values` to see the end."""

    async def watch(graph: Graph, ask: dict[str, Any]) -> list[BaseMessage]:
        *_, last = (
            data
            for mode, data in graph.stream(ask, stream_mode=[*modes, "values"])  # type: ignore[list-item]
            if mode == "values"
        )
        return last["messages"]

    return watch


def by_astream(*modes: str) -> Watch:
    """The same, asynchronously."""

    async def watch(graph: Graph, ask: dict[str, Any]) -> list[BaseMessage]:
        last: dict[str, Any] = {}
        async for mode, data in graph.astream(ask, stream_mode=[*modes, "values"]):  # type: ignore[list-item]
            last = data if mode == "values" else last
        return last["messages"]

    return watch


async def v3(graph: Graph, ask: dict[str, Any]) -> list[BaseMessage]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # v3 is beta, and says so
        run = graph.stream_events(ask, version="v3")
        for _ in run:
            pass
        return run.output["messages"]


async def av3(graph: Graph, ask: dict[str, Any]) -> list[BaseMessage]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = await graph.astream_events(ask, version="v3")
        async for _ in run:
            pass
        return (await run.output())["messages"]


async def v2_events(graph: Graph, ask: dict[str, Any]) -> list[BaseMessage]:
    last: dict[str, Any] = {}
    async for event in graph.astream_events(ask, version="v2"):
        if event["event"] == "on_chain_end" and not event["parent_ids"]:
            last = event["data"]["output"]
    return last["messages"]


WATCHERS: dict[str, Watch] = {
    "invoke": invoke,
    "ainvoke": ainvoke,
    "values": by_stream(),
    "updates": by_stream("updates"),
    "messages": by_stream("messages"),
    "custom": by_stream("custom"),
    "debug": by_stream("debug"),
    "all": by_stream("messages", "updates", "custom"),
    "async values": by_astream(),
    "async messages": by_astream("messages"),
    "async custom": by_astream("custom"),
    "v3 events": v3,
    "async v3 events": av3,
    "v2 events": v2_events,
}

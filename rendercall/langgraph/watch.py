"""A run of any graph, watched: its render call while it arrives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Sequence
from typing import Any, TypeVar, overload

from langchain_core.runnables import RunnableConfig
from langgraph.pregel.protocol import PregelProtocol

from rendercall.consumer.stream import RenderStream
from rendercall.consumer.stream_event import Namespace
from rendercall.consumer.update import Update
from rendercall.contract import RenderTool

__all__ = ["awatch", "watch"]

T = TypeVar("T")

MODES: Any = ["messages", "values"]

WITH_STEPS: Any = [*MODES, "custom"]
"""For a watcher that shows the tools' events too; of our frames there it needs none."""


@overload
def watch(
    graph: PregelProtocol[Any, Any, Any, Any],
    graph_input: Any,
    tool: RenderTool[T],
    *,
    config: RunnableConfig | None = ...,
    context: Any = ...,
    namespace: Namespace = ...,
) -> Generator[Update[T], None, None]: ...
@overload
def watch(
    graph: PregelProtocol[Any, Any, Any, Any],
    graph_input: Any,
    tool: Sequence[RenderTool[Any]],
    *,
    config: RunnableConfig | None = ...,
    context: Any = ...,
    namespace: Namespace = ...,
) -> Generator[Update[Any], None, None]: ...
def watch(
    graph: PregelProtocol[Any, Any, Any, Any],
    graph_input: Any,
    tool: RenderTool[T] | Sequence[RenderTool[Any]],
    *,
    config: RunnableConfig | None = None,
    context: Any = None,
    namespace: Namespace = (),
) -> Generator[Update[Any], None, None]:
    """Run a graph and yield each step of its render call.

    Args:
        graph: any compiled graph, or a `RemoteGraph` of a deployed one; its model must be called so
            that it streams.
        graph_input: as for `graph.stream`.
        tool: the render tool, or all that may be called.
        config: as for `graph.stream`.
        context: as for `graph.stream`.
        namespace: of the subgraph whose calls count, its nodes' names: `("plan",)`; `()` is
            the graph itself.

    Yields:
        Live updates: read and drop them. Read the end with `last_render` of the state.
    """
    stream: RenderStream[Any] = RenderStream(tool, namespace=namespace)
    parts = graph.stream(graph_input, config, context=context, stream_mode=MODES, subgraphs=True)
    for part in parts:
        update = stream.feed(part)
        if update is not None:
            yield update


@overload
def awatch(
    graph: PregelProtocol[Any, Any, Any, Any],
    graph_input: Any,
    tool: RenderTool[T],
    *,
    config: RunnableConfig | None = ...,
    context: Any = ...,
    namespace: Namespace = ...,
) -> AsyncGenerator[Update[T], None]: ...
@overload
def awatch(
    graph: PregelProtocol[Any, Any, Any, Any],
    graph_input: Any,
    tool: Sequence[RenderTool[Any]],
    *,
    config: RunnableConfig | None = ...,
    context: Any = ...,
    namespace: Namespace = ...,
) -> AsyncGenerator[Update[Any], None]: ...
async def awatch(
    graph: PregelProtocol[Any, Any, Any, Any],
    graph_input: Any,
    tool: RenderTool[T] | Sequence[RenderTool[Any]],
    *,
    config: RunnableConfig | None = None,
    context: Any = None,
    namespace: Namespace = (),
) -> AsyncGenerator[Update[Any], None]:
    """As `watch`, asynchronously."""
    stream: RenderStream[Any] = RenderStream(tool, namespace=namespace)
    parts = graph.astream(graph_input, config, context=context, stream_mode=MODES, subgraphs=True)
    async for part in parts:
        update = stream.feed(part)
        if update is not None:
            yield update

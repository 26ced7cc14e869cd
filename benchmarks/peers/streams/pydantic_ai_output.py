"""pydantic-ai: an agent's `stream_output`, its output type a TypedDict without required keys."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from benchmarks.documents import Shape
from benchmarks.peers.streams.way import Way

__all__ = ["WAYS"]


async def _stream(pieces: Sequence[str], shape: Shape, shown: list[str] | None) -> None:
    async def model(_: Any, info: AgentInfo) -> AsyncIterator[Any]:
        yield {0: DeltaToolCall(info.output_tools[0].name, "", tool_call_id="call-1")}
        for piece in pieces:
            yield {0: DeltaToolCall(json_args=piece)}

    agent = Agent(FunctionModel(stream_function=model), output_type=shape.partial_type)
    async with agent.run_stream("Make it.") as result:
        async for value in result.stream_output(debounce_by=None):
            if shown is not None:
                shown.append(json.dumps(value))


def read(pieces: Sequence[str], shape: Shape) -> None:
    """Read everything."""
    asyncio.run(_stream(pieces, shape, None))


def values(pieces: Sequence[str], shape: Shape) -> Iterator[Any]:
    """What it yields."""
    shown: list[str] = []
    asyncio.run(_stream(pieces, shape, shown))
    yield from map(json.loads, shown)


WAYS = [Way("pydantic-ai (TypedDict): stream_output", values, read)]

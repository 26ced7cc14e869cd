"""langchain-core: chunks are added up, and the sum's `tool_calls` is the value so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.messages import AIMessageChunk
from langchain_core.messages.tool import tool_call_chunk

from benchmarks.documents import Shape
from benchmarks.peers.streams.way import Way

__all__ = ["WAYS", "chunks_of"]


def chunks_of(pieces: list[str]) -> list[AIMessageChunk]:
    """The chunks of one call, as a chat model streams them."""
    return [_chunk("", name="render_it"), *map(_chunk, pieces)]


def _chunk(args: str, name: str | None = None) -> AIMessageChunk:
    call_id = "call-1" if name else None
    part = tool_call_chunk(name=name, args=args, id=call_id, index=0)
    return AIMessageChunk(content="", tool_call_chunks=[part], id="message-1")


def values(chunks: Sequence[AIMessageChunk], shape: Shape) -> Iterator[Any]:
    """The args of the first call, after each chunk."""
    del shape
    message = chunks[0]
    for chunk in chunks[1:]:
        message += chunk
        yield message.tool_calls[0]["args"] if message.tool_calls else None


def step(before: str, piece: str, shape: Shape) -> Callable[[], Any]:
    """One chunk more."""
    del shape
    message, chunk = _chunk(before, "render_it"), _chunk(piece)
    return lambda: (message + chunk).tool_calls


WAYS = [Way("langchain-core: + and .tool_calls", values, step=step, prepare=chunks_of)]

"""rendercall: a `RenderStream`, fed with raw text or with langchain-core's chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from langchain_core.messages import AIMessageChunk
from pydantic import BaseModel

from benchmarks.documents import Shape
from benchmarks.peers.streams.langchain import chunks_of
from benchmarks.peers.streams.way import Way
from rendercall import Bounds, RenderStream, RenderTool
from rendercall.consumer.partial import PartialDict, PartialList, PartialModel

__all__ = ["WAYS"]

BOUNDS = Bounds(max_bytes=10**9, max_string=10**9, max_items=10**9, max_nodes=10**9)


@cache
def tool_of(shape: Shape) -> RenderTool[Any]:
    """The render tool of a shape; its chunks carry this name too."""
    return RenderTool(shape.model, name="render_it", description="Show it.", bounds=BOUNDS)


def read_text(pieces: Sequence[str], shape: Shape) -> None:
    """Typed partial and deltas after each fragment, then the verdict."""
    stream = RenderStream(tool_of(shape))
    feed = stream.feed_text
    for piece in pieces:
        update = feed(piece)
        if update is not None:
            update.partial  # noqa: B018 - reading is what is measured
            update.deltas  # noqa: B018 - same
    stream.finish().require()


def read_deltas(pieces: Sequence[str], shape: Shape) -> None:
    """Deltas alone."""
    stream = RenderStream(tool_of(shape))
    feed = stream.feed_text
    for piece in pieces:
        update = feed(piece)
        if update is not None:
            update.deltas  # noqa: B018 - reading is what is measured
    stream.finish().require()


def read_fields(pieces: Sequence[str], shape: Shape) -> None:
    """Every field of the typed partial's root, read and dropped after each fragment."""
    stream = RenderStream(tool_of(shape))
    feed = stream.feed_text
    names = list(shape.model.model_fields)
    for piece in pieces:
        update = feed(piece)
        if update is not None:
            partial = update.partial
            for name in names:
                getattr(partial, name, None)
    stream.finish().require()


def read_chunks(chunks: Sequence[AIMessageChunk], shape: Shape) -> None:
    """Typed partial and deltas after each `AIMessageChunk`, then the verdict."""
    stream = RenderStream(tool_of(shape))
    feed = stream.feed
    for chunk in chunks:
        update = feed(chunk)
        if update is not None:
            update.partial  # noqa: B018 - reading is what is measured
            update.deltas  # noqa: B018 - same
    stream.finish().require()


def values(pieces: Sequence[str], shape: Shape) -> Iterator[Any]:
    """What the typed partial shows, as plain data."""
    stream = RenderStream(tool_of(shape))
    for piece in pieces:
        update = stream.feed_text(piece)
        if update is not None:
            yield _plain(update.partial)
    yield stream.finish().require().model_dump()


def _plain(value: Any) -> Any:
    if isinstance(value, PartialModel):
        return {name: _plain(getattr(value, name)) for name in dir(value)}
    if isinstance(value, PartialDict):
        return {name: _plain(value[name]) for name in value}
    if isinstance(value, PartialList | list):
        return [_plain(item) for item in value]
    return value.model_dump() if isinstance(value, BaseModel) else value


WAYS = [
    Way("rendercall: feed_text, partial and deltas", values, read_text, largest=10**7),
    Way("rendercall: feed_text, deltas", values, read_deltas, largest=10**7),
    Way("rendercall: feed_text, every root field", values, read_fields, largest=10**7),
    # Ten megabytes of AIMessageChunks would be five gigabytes of memory.
    Way("rendercall: feed(AIMessageChunk)", values, read_chunks, prepare=chunks_of, largest=10**6),
]

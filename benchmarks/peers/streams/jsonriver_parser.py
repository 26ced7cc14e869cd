"""jsonriver: a push parser that yields the value so far."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from jsonriver import parse

from benchmarks.documents import Shape
from benchmarks.peers.streams.way import Way

__all__ = ["WAYS"]


async def _stream(pieces: Sequence[str], shown: list[str] | None) -> None:
    async def source() -> AsyncIterator[str]:
        for piece in pieces:
            yield piece

    async for value in parse(source()):
        if shown is not None:
            shown.append(json.dumps(value))


def read(pieces: Sequence[str], shape: Shape) -> None:
    """Read everything."""
    del shape
    asyncio.run(_stream(pieces, None))


def values(pieces: Sequence[str], shape: Shape) -> Iterator[Any]:
    """What it yields."""
    del shape
    shown: list[str] = []
    asyncio.run(_stream(pieces, shown))
    yield from map(json.loads, shown)


WAYS = [Way("jsonriver", values, read)]

"""instructor: `Partial[Model]`, fed with the fragments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from instructor import Partial

from benchmarks.documents import Shape
from benchmarks.peers.streams.way import Way

__all__ = ["WAYS"]


@cache
def partial_of(shape: Shape) -> Any:
    """The partial class of a shape."""
    return Partial[shape.model]  # type: ignore[name-defined] - made at run time


def read(pieces: Sequence[str], shape: Shape) -> None:
    """Read everything."""
    for _ in partial_of(shape).model_from_chunks(iter(pieces)):
        pass


def values(pieces: Sequence[str], shape: Shape) -> Iterator[Any]:
    """What the partial model shows, as plain data."""
    for value in partial_of(shape).model_from_chunks(iter(pieces)):
        yield value.model_dump()


def step(before: str, piece: str, shape: Shape) -> Callable[[], Any]:
    """One fragment more."""
    stream = partial_of(shape).model_from_chunks(iter([before, piece]))
    next(stream)
    return lambda: next(stream)


WAYS = [Way("instructor: Partial[Model]", values, read, step)]

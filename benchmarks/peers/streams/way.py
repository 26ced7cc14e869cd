"""What every adapter gives."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.documents import Shape

__all__ = ["Way", "of_prefixes"]


@dataclass(frozen=True)
class Way:
    """One way to read a stream.

    Attributes:
        name: what it is called in the tables.
        values: yields what it shows after a fragment; the last one is whole.
        read: reads all of it, as a program would; None drains `values`.
        step: what is done for one fragment (second argument) after the text before it
            (first): a function to be timed. Only where that work depends on the text alone,
            so that a few steps tell what all of them cost.
        prepare: makes the stream's events of the fragments; it is not timed.
        largest: characters of the largest document.
    """

    name: str
    values: Callable[[Sequence[Any], Shape], Iterator[Any]]
    read: Callable[[Sequence[Any], Shape], Any] | None = None
    step: Callable[[str, str, Shape], Callable[[], Any]] | None = None
    prepare: Callable[[list[str]], Sequence[Any]] = list
    largest: int = 100_000

    @property
    def is_large(self) -> bool:
        """Whether it reads documents beyond 100 KB; then nothing of it is extrapolated."""
        return self.largest > 100_000  # noqa: PLR2004 - the largest document of most ways

    def drain(self, events: Sequence[Any], shape: Shape) -> None:
        """Read everything."""
        if self.read is not None:
            self.read(events, shape)
        else:
            deque(self.values(events, shape), maxlen=0)


def of_prefixes(
    name: str, read: Callable[[str, Shape], Any], *, refuses: type[Exception] | tuple[()] = ()
) -> Way:
    """A way that reads the whole text again after each fragment.

    Args:
        name: of the way.
        read: gives the value of a text that is not complete.
        refuses: what it raises at texts that it cannot read yet.
    """

    def tried(text: str, shape: Shape) -> Any:
        try:
            return read(text, shape)
        except refuses:
            return None

    def values(pieces: Sequence[str], shape: Shape) -> Iterator[Any]:
        text = ""
        for piece in pieces:
            text += piece
            yield tried(text, shape)

    def step(before: str, piece: str, shape: Shape) -> Callable[[], Any]:
        return lambda: tried(before + piece, shape)

    return Way(name, values, step=step)

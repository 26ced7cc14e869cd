"""A long text that arrives in small pieces: cheap to add to, cheap to cut from."""

from __future__ import annotations

from bisect import bisect_right

__all__ = ["RawText", "fitting"]


class RawText:
    """Pieces of text, joined block by block, so that their number stays small.

    Each piece is joined once, so it is linear in all, and n characters take about n bytes
    instead of an object for every piece.

    Attributes:
        tail: the newest pieces: append to it.
        base: characters before `tail`.
    """

    __slots__ = ("_blocks", "_starts", "base", "tail")

    def __init__(self) -> None:
        self.tail: list[str] = []
        self.base = 0
        self._blocks: list[str] = []
        self._starts: list[int] = []

    def pack(self) -> int:
        """Make a block of the tail, and say how many bytes of UTF-8 it takes."""
        block = "".join(self.tail)
        self.tail.clear()
        self._blocks.append(block)
        self._starts.append(self.base)
        self.base += len(block)
        return len(block.encode("utf-8", "surrogatepass"))

    def cut(self, stop: int, start: int, piece: int, offset: int) -> str:
        """Cut out a part.

        Args:
            stop: the character after its last, in the whole text.
            start: its first character.
            piece: index of the piece of `tail` in which it started, when it started.
            offset: where in that piece.
        """
        if start >= self.base:
            return "".join(self.tail[piece:])[offset : offset + stop - start]
        block = bisect_right(self._starts, start) - 1
        offset = start - self._starts[block]
        return "".join((*self._blocks[block:], *self.tail))[offset : offset + stop - start]

    def __str__(self) -> str:
        return "".join((*self._blocks, *self.tail))


def fitting(chunk: str, over: int) -> str:
    """The beginning of a fragment that leaves off its last `over` bytes, and no half character."""
    encoded = chunk.encode("utf-8", "surrogatepass")
    end = len(encoded) - over
    while encoded[end] in _CONTINUING:
        end -= 1
    return encoded[:end].decode("utf-8", "surrogatepass")


_CONTINUING = range(0x80, 0xC0)
"""The bytes of UTF-8 that begin no character."""

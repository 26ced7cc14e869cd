"""What the pieces of a call may yet turn out to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from rendercall.consumer.deltas import Delta
from rendercall.consumer.reader import Reader
from rendercall.contract.args import SPACE

if TYPE_CHECKING:
    from rendercall.consumer.readings import Readings

__all__ = ["Again", "Rivals"]

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Rivals(Generic[T]):
    """Two readings of the same pieces, neither of which is shown.

    Attributes:
        pieces: that were not taken yet.
        ordinary: reads them as the next pieces of what was there.
        other: reads the last one as all of the text so far, or all of them as that text anew.
        is_cumulative: which of the two.
    """

    pieces: list[str]
    ordinary: Reader[T]
    other: Reader[T]
    is_cumulative: bool


@dataclass(slots=True, eq=False)
class Again(Generic[T]):
    """What follows a whole object and may be the same again, an empty one, or another.

    Attributes:
        whole: the object's text.
        readings: of what follows.
        deltas: what they changed.
        pieces: what follows.
        matched: how much of `whole` came again; -1 where it is something else.
    """

    whole: str
    readings: Readings[T]
    deltas: list[Delta] = field(default_factory=list[Delta])
    pieces: list[str] = field(default_factory=list[str])
    matched: int = 0

    def feed(self, piece: str) -> None:
        """Read the next piece of it."""
        self.pieces.append(piece)
        self.deltas += self.readings.feed(piece)
        if self.matched < 0:
            return
        end = self.matched + len(piece)
        if end > len(self.whole):
            piece = piece.rstrip(SPACE)
            end = self.matched + len(piece)
        self.matched = end if self.whole.startswith(piece, self.matched) else -1

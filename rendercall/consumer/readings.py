"""The readings of one call's pieces: which text did the provider mean?

Most providers send pieces of one text. Some send the whole text so far each time, an empty
object or `null` before the real one, or the whole text again at the end; some put two objects
into one call. No single mark tells them apart (an ordinary piece may repeat what was there),
so the readings are kept side by side and the one that stays valid JSON counts.
"""

from __future__ import annotations

import json
import re
from typing import Generic, TypeVar

from rendercall.consumer.deltas import Delta
from rendercall.consumer.plan import Plan
from rendercall.consumer.reader import Reader
from rendercall.consumer.undecided import Again, Rivals
from rendercall.contract import Bounds, Notice
from rendercall.contract.args import SPACE, read_args

__all__ = ["Readings"]

T = TypeVar("T")


class Readings(Generic[T]):
    """Reads the pieces of one call, and heals what a transport did to them.

    Args:
        plan: of the tool's schema.
        bounds: of the tool.

    Attributes:
        reader: the reading that counts.
        notices: what was healed.
        earlier: whole objects that stood before the present one in the same call.
    """

    __slots__ = (
        "_again", "_bounds", "_cumulative", "_pieces", "_plan", "_rivals", "_tries",
        "earlier", "notices", "reader",
    )  # fmt: skip

    def __init__(self, plan: Plan[T], bounds: Bounds) -> None:
        self._plan = plan
        self._bounds = bounds
        self.reader = Reader(plan, bounds)
        self.earlier: list[str] = []
        self.notices: list[Notice] = []
        self._pieces = 0  # of the reading that counts, less white space before it
        self._cumulative = False  # each piece holds all before it
        self._rivals: Rivals[T] | None = None  # while two readings are possible
        self._again: Again[T] | None = None  # what follows the object, while it may be dropped
        self._tries = 16  # at objects in one piece: a text of many would cost its square

    def feed(self, piece: str) -> list[Delta]:
        """Read the next piece.

        Returns:
            What changed. Where another reading took over, its first delta opens the root
            anew. Empty while two readings are possible.
        """
        if self._rivals is not None:
            return self._feed_rivals(piece, self._rivals)
        if self._cumulative:
            piece = piece.removeprefix(self.reader.text)
        elif self._may_be_cumulative(piece):
            ordinary = self._read(self.reader.text + piece)
            self._rivals = Rivals([piece], ordinary, self._read(piece), is_cumulative=True)
            return self._choose(self._rivals)
        return self._take(piece)

    def resume(self, deltas: list[Delta]) -> list[Delta]:
        """Heal what ended the reading in its last piece, if it can be healed.

        Args:
            deltas: what the piece changed up to there.

        Returns:
            What the piece changed.
        """
        fault = self.reader.fault
        if fault is None or not self._tries:
            return deltas
        text = str(self.reader.progress.raw)
        if fault.code == "not_object":
            if found := _PLACEHOLDER.match(text):
                return self._begin(text[found.end() :], *_EMPTY_PREFIX)
            self._tries = 0 if len(text) > _LONGEST_PLACEHOLDER else self._tries
            return deltas
        at = fault.position
        goes_on = not fault.path and text.startswith(("{", *_NOTHING), at)
        whole = self._read(text[:at]) if goes_on else None
        if whole is None or whole.state != "complete":
            self._tries = 0
            return deltas
        self._tries -= 1
        self.reader = whole
        return deltas + self._after_complete(text[at:])

    def may_restart(self) -> None:
        """Be told that the next pieces may be the text from its beginning again."""
        if self._tries and self._rivals is None and self.reader.state == "open":
            self._tries -= 1
            self._rivals = Rivals(
                [], self._read(self.reader.text), self._read(""), is_cumulative=False
            )

    @property
    def settled(self) -> bool:
        """Whether the pieces are ordinary ones, as long as the object is not whole."""
        return (
            self._pieces > 1
            and not self._cumulative
            and self._rivals is None
            and self.reader.state == "open"
        )

    def finish(self) -> None:
        """Decide what is undecided: nothing more will come."""
        rivals = self._rivals
        if rivals and rivals.other.state == "complete" != rivals.ordinary.state:
            self._adopt(rivals)
        elif rivals:
            self._decline(rivals)
        if self._again:
            self._again = None
            self._notice(*_RESENT)
        while self.earlier and self.reader.state == "complete" and self._is_said_again():
            self.earlier.pop()
            self.notices = [one for one in self.notices if one.code != _SPLIT[0] or self.earlier]
            self._notice(*_RESENT)

    def _append(self, piece: str) -> list[Delta]:
        self._pieces += self._pieces > 0 or not piece.isspace()
        return self.resume(self.reader.feed(piece))

    def _read(self, text: str) -> Reader[T]:
        reader = Reader(self._plan, self._bounds)
        reader.feed(text)
        return reader

    def _begin(self, text: str, code: str, message: str) -> list[Delta]:
        """Start over with a new reading."""
        self._notice(code, message)
        self.reader = Reader(self._plan, self._bounds)
        self._pieces = 0
        return self._append(text)

    def _notice(self, code: str, message: str) -> None:
        if code not in {notice.code for notice in self.notices}:
            self.notices.append(Notice(code, message))

    def _may_be_cumulative(self, piece: str) -> bool:
        """Whether it begins like the piece before it; such a stream shows it with its second."""
        if self._pieces != 1 or self.reader.state != "open":
            return False
        return piece.lstrip(SPACE).startswith(self.reader.text.lstrip(SPACE))

    def _feed_rivals(self, piece: str, rivals: Rivals[T]) -> list[Delta]:
        """An ordinary stream rarely repeats its beginning twice; a cumulative one always does."""
        if rivals.is_cumulative and not piece.startswith(rivals.other.text):
            return self._decline(rivals) + self.feed(piece)
        rivals.pieces.append(piece)
        rivals.ordinary.feed(piece)
        if rivals.is_cumulative:
            rivals.other = self._read(piece)
        else:
            rivals.other.feed(piece)
        return self._choose(rivals)

    def _choose(self, rivals: Rivals[T]) -> list[Delta]:
        """Take the reading that is still possible; say nothing while both are."""
        ordinary, other = rivals.ordinary, rivals.other
        if other.state == "failed":
            return self._decline(rivals)
        if ordinary.state == "failed" or (ordinary.errors and not other.errors):
            return self._adopt(rivals)
        return []

    def _adopt(self, rivals: Rivals[T]) -> list[Delta]:
        self._rivals = None
        self._cumulative = rivals.is_cumulative
        return self._begin(rivals.other.text, *(_CUMULATIVE if self._cumulative else _ANEW))

    def _decline(self, rivals: Rivals[T]) -> list[Delta]:
        self._rivals = None
        return [delta for piece in rivals.pieces for delta in self._take(piece)]

    def _take(self, piece: str) -> list[Delta]:
        is_over = self.reader.state == "complete"
        return self._after_complete(piece) if is_over else self._append(piece)

    def _after_complete(self, piece: str) -> list[Delta]:
        """Tell white space, the same object again, another object and stray text apart."""
        again = self._again
        if again is None:
            text = piece.lstrip(SPACE)
            if found := _PLACEHOLDER.match(text):
                text = text[found.end() :]
            if text.rstrip(SPACE) in _NOTHING:
                self._notice(*_EMPTY_SUFFIX)
                return []
            if not text.startswith("{"):
                self._tries = 0 if text else self._tries
                return self._append(piece)
            if not self.reader.progress.root[0]:
                return self._begin(text, *_EMPTY_PREFIX)
            piece = text
            whole = self.reader.text.strip(SPACE)
            readings = Readings(self._plan, self._bounds)
            readings._tries = self._tries
            again = self._again = Again(whole, readings)
        again.feed(piece)
        return self._decide(again)

    def _decide(self, again: Again[T]) -> list[Delta]:
        """Whether the object comes again, an empty one, another, or what is none."""
        if again.matched == len(again.whole):
            self._again = None
            self._notice(*_RESENT)
        if again.matched >= 0:
            return []
        reader = again.readings.reader
        if reader.state == "failed":
            self._again, self._tries = None, 0
            return self._append("".join(again.pieces))
        if not reader.progress.root or not reader.progress.root[0]:
            if reader.state == "complete":
                self._again = None
                self._notice(*_EMPTY_SUFFIX)
            return []
        self._notice(*_SPLIT)
        self._take_over(again.readings)
        return again.deltas

    def _take_over(self, later: Readings[T]) -> None:
        """Count the later object, and keep this one aside."""
        self.earlier += [self.reader.text.strip(SPACE), *later.earlier]
        for notice in later.notices:
            self._notice(notice.code, notice.message)
        self.reader, self._again = later.reader, later._again
        self._pieces, self._cumulative = later._pieces, later._cumulative
        self._rivals, self._tries = later._rivals, later._tries

    def _is_said_again(self) -> bool:
        """Whether the last object is the one before it, in other words."""
        before = read_args(self.earlier[-1], self._bounds).value
        return json.dumps(before, sort_keys=True) == json.dumps(
            self.reader.finish().value, sort_keys=True
        )


_NOTHING = ("null", '""')
_PLACEHOLDER = re.compile(r'\s*(?:(?:null|"")\s*)+(?=\{)')
_LONGEST_PLACEHOLDER = 64
_EMPTY_PREFIX = ("empty_prefix_dropped", "an empty value stood before the args")
_EMPTY_SUFFIX = ("empty_suffix_dropped", "an empty value stood after the args")
_CUMULATIVE = ("cumulative_args", "each piece held all pieces before it")
_ANEW = ("restarted_args", "the args were sent anew before they were whole")
_RESENT = ("resent_args", "the args were sent again after they were whole")
_SPLIT = ("split_concatenated", "one call held several objects")

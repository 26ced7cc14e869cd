"""The readings of one call's pieces: which text did the provider mean?

Most providers send pieces of one text. Some send the whole text so far each time, an empty
object or `null` before the real one, or the whole text again at the end; some put two objects
into one call. No single mark tells them apart (an ordinary piece may repeat what was there),
so the readings are kept side by side and the one that stays valid JSON counts.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from rendercall.consumer.deltas import Delta
from rendercall.consumer.plan import Plan
from rendercall.consumer.reader import Reader
from rendercall.contract import Bounds, Notice

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
        "_bounds", "_cumulative", "_held", "_pieces", "_plan", "_rival", "_size", "_waiting",
        "earlier", "notices", "reader",
    )  # fmt: skip

    def __init__(self, plan: Plan[T], bounds: Bounds) -> None:
        self._plan = plan
        self._bounds = bounds
        self.reader = Reader(plan, bounds)
        self.earlier: list[str] = []
        self.notices: list[Notice] = []
        self._size = 0  # characters of the reading that counts, until it is settled
        self._pieces = 0
        self._cumulative = False  # each piece holds all before it
        self._rival: Reader[T] | None = None  # reads the pieces as cumulative, so far
        self._held: list[Delta] = []  # of the ordinary reading, while it has a rival
        self._waiting = ""  # text after a whole object: the same again, or another one

    def feed(self, piece: str) -> list[Delta]:
        """Read the next piece.

        Returns:
            What changed. Where another reading took over, its first delta opens the root
            anew. Empty while two readings are possible.
        """
        if self._cumulative:
            return self._feed_cumulative(piece)
        if self._rival is not None:
            return self._feed_both(piece, self._rival)
        state = self.reader.state
        if state == "complete":
            return self._after_complete(piece)
        if state == "failed" and self.reader.text.strip() == "null" and piece.lstrip()[:1] == "{":
            return self._begin(piece, "empty_prefix_dropped", "null stood before the args")
        if self._size and len(piece) >= self._size and piece.startswith(self.reader.text):
            self._rival = self._read(piece)
            self._held = self._append(piece)
            return self._choose(self._rival)
        return self._append(piece)

    @property
    def settled(self) -> bool:
        """Whether the pieces are ordinary ones, as long as the object is not whole.

        A stream that sends all its text each time shows it with its second piece.
        """
        return (
            self._pieces > 1
            and not self._cumulative
            and self._rival is None
            and self.reader.state == "open"
        )

    def finish(self) -> None:
        """Decide what is undecided: nothing more will come."""
        rival = self._rival
        if rival and rival.state == "complete" and self.reader.state != "complete":
            self._adopt(rival)
        self._rival = None
        if self._waiting:
            self._notice("resent_args", "the args were sent again after they were whole")

    def _append(self, piece: str) -> list[Delta]:
        self._size += len(piece)
        self._pieces += 1
        return self.reader.feed(piece)

    def _read(self, text: str) -> Reader[T]:
        reader = Reader(self._plan, self._bounds)
        reader.feed(text)
        return reader

    def _begin(self, text: str, code: str, message: str) -> list[Delta]:
        """Start over with a new reading."""
        self._notice(code, message)
        self.reader = Reader(self._plan, self._bounds)
        self._size = self._pieces = 0
        self._waiting = ""
        return self._append(text)

    def _notice(self, code: str, message: str) -> None:
        if code not in {notice.code for notice in self.notices}:
            self.notices.append(Notice(code, message))

    def _feed_both(self, piece: str, rival: Reader[T]) -> list[Delta]:
        """An ordinary stream rarely repeats its beginning twice; a cumulative one always does."""
        if not piece.startswith(rival.text):
            self._rival = None
            is_over = self.reader.state == "complete"
            return self._held + (self._after_complete(piece) if is_over else self._append(piece))
        self._held += self._append(piece)
        self._rival = self._read(piece)
        return self._choose(self._rival)

    def _choose(self, rival: Reader[T]) -> list[Delta]:
        """Take the reading that is still possible; say nothing while both are."""
        if rival.state == "failed":
            self._rival = None
            return self._held
        if self.reader.state == "failed" or (self.reader.errors and not rival.errors):
            return self._adopt(rival)
        return []

    def _adopt(self, rival: Reader[T]) -> list[Delta]:
        self._rival = None
        self._cumulative = True
        return self._begin(rival.text, "cumulative_args", "each piece held all pieces before it")

    def _feed_cumulative(self, piece: str) -> list[Delta]:
        return self._append(piece.removeprefix(self.reader.text))

    def _after_complete(self, piece: str) -> list[Delta]:
        """Tell white space, the same object again, another object and stray text apart."""
        self._waiting += piece
        text = self._waiting.lstrip(_SPACE)
        whole = self.reader.text.strip(_SPACE)
        if not text or not text.startswith("{"):
            piece, self._waiting = self._waiting, ""
            return self._append(piece)
        if text.rstrip(_SPACE) == whole:
            self._waiting = ""
            self._notice("resent_args", "the args were sent again after they were whole")
            return []
        if whole.startswith(text):
            return []
        if self._read(text).state == "failed":
            piece, self._waiting = self._waiting, ""
            return self._append(piece)
        if whole == "{}":
            return self._begin(
                text, "empty_prefix_dropped", "an empty object stood before the args"
            )
        self.earlier.append(whole)
        return self._begin(text, "split_concatenated", "one call held several objects")


_SPACE = " \t\n\r"

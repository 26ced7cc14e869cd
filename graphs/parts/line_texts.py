"""The lines of a log in memory, packed: a check in an event loop must not wait for a database."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

__all__ = ["LineTexts"]


class LineTexts:
    """Time, service and message of every line; about as large as the messages themselves.

    Args:
        rows: those of each line, in order.
    """

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        packed = bytearray()
        self._ends = array("Q", [0])
        for time, service, message in rows:
            packed += f"{time}\n{' '.join(service.splitlines())}\n{message}".encode()
            self._ends.append(len(packed))
        self._packed = bytes(packed)

    def get(self, line: int) -> tuple[str, str, str] | None:
        """Time, service and message of a line, counted from 1; None where there is none."""
        if not 0 < line < len(self._ends):
            return None
        text = self._packed[self._ends[line - 1] : self._ends[line]].decode()
        time, service, message = text.split("\n", 2)
        return time, service, message

"""Follows a reading, and leaves out the nulls that say that a key is not there.

See `rendercall.contract.sent_nulls`: nothing of them is shown, and nothing is wrong with them.
"""

from __future__ import annotations

import json
from typing import Any

from rendercall.consumer.listener import ABSENT, Listener
from rendercall.contract.args import Path
from rendercall.contract.schema_places import Place
from rendercall.contract.sent_nulls import SentNulls

__all__ = ["WithoutNulls"]


class WithoutNulls:
    """The `Listener` between a JSON reader and the one that must not see these nulls.

    Args:
        listener: the other one.
        nulls: which they are.

    Attributes:
        found: how many were left out.
    """

    __slots__ = ("_listener", "_nulls", "_open", "found", "starts", "string")

    def __init__(self, listener: Listener, nulls: SentNulls) -> None:
        self._listener = listener
        self._nulls = nulls
        self._open: list[tuple[Place, Any, int]] = []  # place, plain value, `found` at its start
        self.found = 0
        self.starts = listener.starts
        self.string = listener.string

    def atom(self, key: str | int, value: Any, literal: str) -> Any:
        """A number or literal is complete; returns `ABSENT` for a null that is left out."""
        if value is None and self._open:
            place, members, _ = self._open[-1]
            if type(members) is dict and self._nulls.is_absent(place, key, members):
                self.found += 1
                return ABSENT
        return self._listener.atom(key, value, literal)

    def opens(self, key: str | int, path: Path, value: dict[str, Any] | list[Any]) -> bool:
        """A container opens. Is its text wanted when it closes?"""
        inside = self._nulls.inside(self._open[-1][0], key) if self._open else self._nulls.root
        self._open.append((inside, value, self.found))
        return self._listener.opens(key, path, value)

    def closes(self, value: dict[str, Any] | list[Any], text: str) -> None:
        """A container is complete; where a null was left out in it, its text is written anew."""
        found = self._open.pop()[2]
        if text and self.found > found:
            text = json.dumps(value, ensure_ascii=False)
        self._listener.closes(value, text)

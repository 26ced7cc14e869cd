"""Follows a reading, and leaves out the nulls that say that a key is not there.

See `rendercall.contract.sent_nulls`: nothing of them is shown, and nothing is wrong with them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from rendercall.consumer.listener import ABSENT, Listener
from rendercall.contract.args import Path
from rendercall.contract.schema_places import Place
from rendercall.contract.sent_nulls import SentNulls

__all__ = ["WithoutNulls"]


@dataclass(slots=True, eq=False)
class _Open:
    """An open object or array.

    Attributes:
        place: of its schema.
        value: its plain JSON so far.
        found: how many nulls had been left out when it opened.
        kept: keys of nulls that may still turn out to say that the key is not there.
    """

    place: Place
    value: Any
    found: int
    kept: list[str] = field(default_factory=list[str])


class WithoutNulls:
    """The `Listener` between a JSON reader and the one that must not see these nulls.

    What a null says can depend on which choice of a union the object is, and the key that
    tells may come after it. Until then the null is there; no error is made of it.

    Args:
        listener: the other one.
        nulls: which they are.

    Attributes:
        found: how many were left out.
    """

    __slots__ = ("_listener", "_nulls", "_open", "found", "starts")

    def __init__(self, listener: Listener, nulls: SentNulls) -> None:
        self._listener = listener
        self._nulls = nulls
        self._open: list[_Open] = []
        self.found = 0
        self.starts = listener.starts

    def string(self, key: str | int, value: str) -> None:
        """A string is complete."""
        self._settle(self._open[-1])
        self._listener.string(key, value)

    def atom(self, key: str | int, value: Any, literal: str) -> Any:
        """A number or literal is complete; returns `ABSENT` for a null that is left out."""
        inner = self._open[-1]
        self._settle(inner)
        if value is None and isinstance(key, str):
            if self._nulls.is_absent(inner.place, key, inner.value):
                self.found += 1
                return ABSENT
            if self._nulls.may_be_absent(inner.place, key):
                inner.kept.append(key)
        return self._listener.atom(key, value, literal)

    def opens(self, key: str | int, path: Path, value: dict[str, Any] | list[Any]) -> bool:
        """A container opens. Is its text wanted when it closes?"""
        inside = self._nulls.inside(self._open[-1].place, key) if self._open else self._nulls.root
        self._open.append(_Open(inside, value, self.found))
        return self._listener.opens(key, path, value)

    def closes(self, value: dict[str, Any] | list[Any], text: str) -> None:
        """A container is complete; where a null was left out in it, its text is written anew."""
        closed = self._open.pop()
        self._settle(closed)
        if text and self.found > closed.found:
            text = json.dumps(value, ensure_ascii=False)
        self._listener.closes(value, text)

    def _settle(self, inner: _Open) -> None:
        """Leave out the nulls of which it is now known that they say that."""
        for key in inner.kept[:]:
            if self._nulls.is_absent(inner.place, key, inner.value):
                inner.kept.remove(key)
                del inner.value[key]
                self.found += 1

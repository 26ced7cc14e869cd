"""A typed value that is made when somebody looks at it."""

from __future__ import annotations

import json
from typing import Any

from rendercall.consumer.check import Check

__all__ = ["Deferred", "shown"]


class Deferred:
    """A value that has closed and fits, as its parts have told; most are never looked at alone.

    Args:
        raw: its plain JSON; of an array, its typed items.
        check: makes the value of its JSON; None of an array.
    """

    __slots__ = ("_check", "_value")

    def __init__(self, raw: Any, check: Check | None) -> None:
        self._value = raw
        self._check = check

    def made(self) -> Any:
        """The value; made once."""
        if self._check is not None:
            self._value = self._check.json(json.dumps(self._value, ensure_ascii=False))
            self._check = None
        elif type(self._value) is list:
            self._value = [shown(one) for one in self._value]
        return self._value


def shown(value: Any) -> Any:
    """What stands in a container, as people may have it."""
    return value.made() if type(value) is Deferred else value

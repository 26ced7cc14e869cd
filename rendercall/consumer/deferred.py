"""A typed value that is made when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Deferred", "shown"]


class Deferred:
    """A value that has closed and fits, as its parts have told; most are never looked at alone.

    Args:
        known: what it is made of.
        make: makes it; called once.
    """

    __slots__ = ("_make", "_value")

    def __init__(self, known: Any, make: Callable[[Any], Any]) -> None:
        self._value = known
        self._make: Callable[[Any], Any] | None = make

    def made(self) -> Any:
        """The value; from the second look on it is the very same."""
        if self._make is not None:
            self._value = self._make(self._value)
            self._make = None
        return self._value


def shown(value: Any) -> Any:
    """What stands in a container, as people may have it."""
    return value.made() if type(value) is Deferred else value

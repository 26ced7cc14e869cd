"""A tool's own check: what a schema cannot know, such as whether a cited record exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Generic, TypeAlias, TypeVar

from rendercall.contract.args import Args
from rendercall.contract.verdict import Checker, Verdict
from rendercall.errors import Issue

__all__ = ["Check", "ValueCheck"]

T = TypeVar("T")

Check: TypeAlias = Callable[[T], Iterable[Issue]]
"""A valid value to what is still wrong with it: issues of kind `check`, none where all is right.

It is called wherever an answer is judged, also in an event loop: it must be quick, must give
the same for the same value, and must not raise.
"""


class ValueCheck(Generic[T]):
    """A check by schema and text, and after it the tool's own.

    Args:
        inner: the check by schema and text.
        check: the tool's own.
    """

    def __init__(self, inner: Checker[T], check: Check[T]) -> None:
        self._inner = inner
        self._check = check

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the args."""
        return self._inner.schema

    def check(self, args: Args) -> Verdict[T]:
        """Judge `complete` args; any issue of the tool's own check makes them invalid."""
        verdict = self._inner.check(args)
        if verdict.state != "complete" or verdict.value is None:
            return verdict
        issues = tuple(self._check(verdict.value))
        return replace(verdict, state="invalid", value=None, issues=issues) if issues else verdict

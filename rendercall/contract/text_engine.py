"""The rules at work, in linear time: RE2 where it is installed, `re` behind plain searches else.

Both run the same table. RE2 (extra `guards`) looks for all rules in one pass; without it, a
rule runs only on a text that holds its hints, and its repeats are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, TypeAlias

from rendercall.contract.text_rule import Rule
from rendercall.contract.text_rules import RULES

__all__ = ["Engine", "ReEngine", "Span", "engine"]

Span: TypeAlias = tuple[int, int]
"""Where a rule holds: from and to, in characters."""

MAX_SPANS = 16
"""How often one rule is told of one text."""


class Engine(Protocol):
    """Finds which rules hold in a text, and where."""

    def matching(self, text: str, among: Sequence[Rule] = RULES) -> Sequence[Rule]:
        """The rules of `among` that hold somewhere in a text."""
        ...

    def spans(self, rule: Rule, text: str) -> Iterator[Span]:
        """The first places where a rule holds."""
        ...


class ReEngine:
    """Python's own regular expressions."""

    def __init__(self) -> None:
        flags = re.IGNORECASE | re.ASCII
        self._compiled = {rule: re.compile(bounded(rule.pattern), flags) for rule in RULES}

    def matching(self, text: str, among: Sequence[Rule] = RULES) -> Sequence[Rule]:
        """The rules of `among` that hold somewhere in a text."""
        lower = text.lower()
        return [
            rule
            for rule in among
            if all(any(hint in lower for hint in group) for group in rule.hints)
            and self._compiled[rule].search(text)
        ]

    def spans(self, rule: Rule, text: str) -> Iterator[Span]:
        """The first places where a rule holds."""
        return _first_spans(self._compiled[rule].finditer(text))


class Re2Engine:
    """RE2: every rule in one pass, whatever the text.

    Args:
        re2: the module of google-re2.
    """

    def __init__(self, re2: Any) -> None:
        options = re2.Options()
        options.log_errors = False
        options.case_sensitive = False
        options.max_mem = 64 << 20  # of its tables: too little, and it finds nothing
        self._set = re2.Set.SearchSet(options)
        for rule in RULES:
            self._set.Add(rule.pattern)
        self._set.Compile()
        self._compiled = {rule: re2.compile(rule.pattern, options) for rule in RULES}

    def matching(self, text: str, among: Sequence[Rule] = RULES) -> Sequence[Rule]:
        """The rules of `among` that hold somewhere in a text."""
        found: Sequence[int] = self._set.Match(text.encode("utf-8", "replace")) or ()
        return [RULES[index] for index in sorted(found) if RULES[index] in among]

    def spans(self, rule: Rule, text: str) -> Iterator[Span]:
        """The first places where a rule holds."""
        return _first_spans(self._compiled[rule].finditer(text))


def _first_spans(found: Iterator[Any]) -> Iterator[Span]:
    for _, match in zip(range(MAX_SPANS), found, strict=False):
        yield match.start(), match.end()


_TOKEN = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\{2,\}|[*+]|.", re.DOTALL)
_ENDS = {"*": "{0,64}", "+": "{1,64}", "{2,}": "{2,64}", r"\s": r"[\t\n\f\r ]"}


def bounded(pattern: str) -> str:
    """A pattern for an engine that tracks back: every repeat has an end, whitespace is RE2's."""
    return _TOKEN.sub(_bounded, pattern)


def _bounded(token: re.Match[str]) -> str:
    if token[0].startswith("["):
        return token[0].replace(r"\s", r"\t\n\f\r ")
    return _ENDS.get(token[0], token[0])


@cache
def engine() -> Engine:
    """The engine of this process."""
    make: Callable[[], Engine] = ReEngine
    try:
        re2 = import_module("re2")
    except ImportError:
        return make()
    return Re2Engine(re2)

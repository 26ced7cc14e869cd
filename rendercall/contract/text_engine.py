"""The rules at work, in linear time: RE2 where it is installed, `re` behind plain searches else.

Both run the same table, over many texts at once. RE2 (extra `guards`) looks for a group of rules
in one pass; without it, a rule runs only where its hints are, and its repeats are bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import accumulate, islice
from typing import Any, AnyStr, Protocol, TypeAlias

from rendercall.contract.text_rule import Rule
from rendercall.contract.text_rules import GROUPS, RULES

__all__ = ["Engine", "Hit", "ReEngine", "Span", "engine"]

Span: TypeAlias = tuple[int, int]
"""Where a rule holds: from and to, in characters."""

Hit: TypeAlias = tuple[Rule, int, Sequence[Span]]
"""A rule, which of the texts it holds in, and the first places there."""

MAX_SPANS = 16
"""How often one rule is told of one text."""

_GAP = 2
"""Line breaks before each text, when texts are searched as one."""


class Engine(Protocol):
    """Finds which rules hold in texts, and where."""

    def search(self, texts: Sequence[str], among: Sequence[Rule] = RULES) -> Iterator[Hit]:
        """Where the rules of `among` hold: rule by rule, text by text."""
        ...


class ReEngine:
    """Python's own regular expressions."""

    def __init__(self) -> None:
        flags = re.IGNORECASE | re.ASCII
        self._compiled = {rule: re.compile(bounded(rule.pattern), flags) for rule in RULES}

    def search(self, texts: Sequence[str], among: Sequence[Rule] = RULES) -> Iterator[Hit]:
        """Where the rules of `among` hold: rule by rule, text by text."""
        whole = _together(texts, "\n\n")
        lower = whole.lower()
        for rule in among:
            if all(any(hint in lower for hint in group) for group in rule.hints):
                for index, spans in _places(self._compiled[rule], whole, texts):
                    yield rule, index, spans


class Re2Engine:
    """RE2: a group of rules in one pass, whatever the text.

    That pass counts no repeats, and there are several groups: the tables that RE2 makes as it
    reads stay small, so that no text is slow. A rule that may hold is then looked for as it is
    written.

    Args:
        re2: the module of google-re2.
    """

    def __init__(self, re2: Any) -> None:
        options = re2.Options()
        options.log_errors = False
        options.case_sensitive = False
        options.max_mem = 16 << 20  # of its tables: too little, and it finds nothing
        self._groups = [(group, re2.Set.SearchSet(options)) for group in GROUPS]
        for group, together in self._groups:
            for rule in group:
                together.Add(uncounted(rule.pattern))
            together.Compile()
        self._compiled = {rule: re2.compile(rule.pattern, options) for rule in RULES}

    def search(self, texts: Sequence[str], among: Sequence[Rule] = RULES) -> Iterator[Hit]:
        """Where the rules of `among` hold: rule by rule, text by text."""
        encoded = [text.encode("utf-8", "replace") for text in texts]
        whole = _together(encoded, b"\n\n")
        for group, together in self._groups:
            for number in sorted(together.Match(whole) or ()):
                if (rule := group[number]) in among:
                    for index, spans in _places(self._compiled[rule], whole, encoded):
                        text = encoded[index]
                        yield rule, index, spans if text.isascii() else _in_characters(text, spans)


def _together(texts: Sequence[AnyStr], gap: AnyStr) -> AnyStr:
    """Texts as one, a gap before each.

    A rule that holds in a text holds there in the whole as well: what it says of the beginning
    or the end of a text, it says of a line break too.
    """
    return gap + gap.join(texts)


def _places(
    pattern: Any, whole: AnyStr, texts: Sequence[AnyStr]
) -> Iterator[tuple[int, list[Span]]]:
    """In which of the texts of a whole a pattern holds, and where.

    A match may reach from one text into others: then each of them is looked at alone. After
    that, and when enough was found in one, the search goes on behind it.
    """
    ends = list(accumulate(_GAP + len(text) for text in texts))
    found = defaultdict[int, list[Span]](list)
    matches = pattern.finditer(whole)
    while match := next(matches, None):
        first, last = match.span()
        index, furthest = bisect_right(ends, first), bisect_left(ends, last)
        start = ends[index] - len(texts[index])
        if start <= first and index == furthest:
            found[index].append((first - start, last - start))
            if len(found[index]) < MAX_SPANS:
                continue
        else:
            for one in range(index, furthest + 1):
                begin = max(0, first - ends[one] + len(texts[one]))
                alone = islice(pattern.finditer(texts[one], begin), MAX_SPANS - len(found[one]))
                found[one] += [same.span() for same in alone]
        matches = pattern.finditer(whole, ends[furthest])
    return ((index, spans) for index, spans in found.items() if spans)


def _in_characters(text: bytes, spans: Sequence[Span]) -> list[Span]:
    """Spans of bytes as spans of characters, in one pass."""
    found: list[Span] = []
    position = count = 0
    for start, end in spans:
        first = count + len(text[position:start].decode())
        position, count = end, first + len(text[start:end].decode())
        found.append((first, count))
    return found


_TOKEN = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\{2,\}|[*+]|.", re.DOTALL)
_ENDS = {"*": "{0,64}", "+": "{1,64}", "{2,}": "{2,64}", r"\s": r"[\t\n\f\r ]"}


def bounded(pattern: str) -> str:
    """A pattern for an engine that tracks back: every repeat has an end, whitespace is RE2's."""
    return _TOKEN.sub(_bounded, pattern)


def _bounded(token: re.Match[str]) -> str:
    if token[0].startswith("["):
        return token[0].replace(r"\s", r"\t\n\f\r ")
    return _ENDS.get(token[0], token[0])


def uncounted(pattern: str) -> str:
    """A pattern whose repeats have no end: it holds wherever the pattern itself does."""
    return _COUNTED.sub(lambda least: _NO_ENDS.get(least[1], f"{{{least[1]},}}"), pattern)


_COUNTED = re.compile(r"\{(\d+),\d+\}")
_NO_ENDS = {"0": "*", "1": "+"}


@cache
def engine() -> Engine:
    """The engine of this process."""
    make: Callable[[], Engine] = ReEngine
    try:
        re2 = import_module("re2")
    except ImportError:
        return make()
    return Re2Engine(re2)

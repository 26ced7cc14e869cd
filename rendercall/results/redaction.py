"""Secrets, taken out of both channels before a result leaves its tool. Linear in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from rendercall.results.personal_data import personal_spans
from rendercall.results.secret_places import is_secret_bag, is_secret_name, is_word, place_spans
from rendercall.results.secret_shapes import shape_spans

__all__ = ["REDACTOR", "Redactor"]

MAX_DEPTH = 200
"""Nesting of a value that is taken; readers of JSON recurse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redactor:
    """Takes secrets out, and says of what kind each was: `[REDACTED:github]`.

    Tokens are known by their shape, other secrets by the name, header or URL they stand in.
    There is no guess by randomness: hashes, ids and cursors stay.

    Attributes:
        personal: whether e-mail addresses, phone, card, account and identity numbers go too.
        keep: names of keys whose value is never taken for a secret by its key.
    """

    personal: bool = False
    keep: frozenset[str] = frozenset()

    def text(self, text: str) -> str:
        """The text without secrets."""
        spans = sorted(self._spans(text)) if len(text) >= _SHORTEST else []
        if not spans:
            return text
        parts: list[str] = []
        at = 0
        for start, end, kind in spans:
            if start >= at:
                parts += [text[at:start], f"[REDACTED:{kind}]"]
            at = max(at, end)
        return "".join([*parts, text[at:]])

    def value(self, value: Any) -> Any:
        """Plain JSON without secrets: in its strings and keys, and under keys that name one.

        All strings are looked through at once; only those in which something was found are
        looked at again, one by one.

        Raises:
            ValueError: it nests deeper than `MAX_DEPTH`.
        """
        strings: dict[str, bool] = {}
        _collect(value, strings, MAX_DEPTH)
        texts = list(strings)
        ends = list(accumulate(len(text) + 1 for text in texts))
        found: set[int] = set()
        for start, end, _ in self._spans("\n".join(texts)):
            found.update(range(bisect_right(ends, start), bisect_right(ends, end - 1) + 1))
        clean = {texts[index]: self.text(texts[index]) for index in found}
        keys = [one for one, is_key in strings.items() if is_key]
        if clean or any(self._names_secret(one) or one in _HELD for one in keys):
            return self._rebuilt(value, clean)
        return value

    def _rebuilt(self, value: Any, clean: Mapping[str, str]) -> Any:
        if isinstance(value, str):
            return clean.get(value, value)
        if isinstance(value, list):
            return [self._rebuilt(one, clean) for one in value]
        if isinstance(value, dict):
            held = self._held_secret(value)
            return {
                clean.get(key, key): self._hidden(key, one, clean)
                if key == held or self._names_secret(key)
                else self._rebuilt(one, clean)
                for key, one in value.items()
            }
        return value

    def _hidden(self, name: str, value: Any, clean: Mapping[str, str]) -> Any:
        """A value whose name says that it is a secret: texts go, in a list all but words."""
        if isinstance(value, str):
            return _BY_KEY if value else value
        if isinstance(value, list):
            return [
                _BY_KEY if isinstance(one, str) and not is_word(one) else self._rebuilt(one, clean)
                for one in value
            ]
        if isinstance(value, dict) and is_secret_bag(name):
            return {
                clean.get(key, key): self._hidden(key, one, clean) for key, one in value.items()
            }
        return self._rebuilt(value, clean)

    def _held_secret(self, value: Mapping[str, Any]) -> str:
        """The key beside one that names a secret: `{"name": "DB_PASSWORD", "value": "…"}`."""
        for held, names in _HELD.items():
            if held in value and any(self._names_secret(str(value.get(one, ""))) for one in names):
                return held
        return ""

    def _names_secret(self, key: str) -> bool:
        return key not in self.keep and is_secret_name(key)

    def _spans(self, text: str) -> Iterable[tuple[int, int, str]]:
        yield from shape_spans(text)
        yield from place_spans(text)
        if self.personal:
            yield from personal_spans(text)


def _collect(value: Any, strings: dict[str, bool], depth: int) -> None:
    """Gather every string once, and whether it is a key somewhere."""
    if isinstance(value, str):
        strings.setdefault(value, False)
    elif isinstance(value, dict | list):
        if not depth:
            raise ValueError(f"nested deeper than {MAX_DEPTH}")
        if isinstance(value, dict):
            strings.update(dict.fromkeys(value, True))
            value = value.values()
        for one in value:
            if isinstance(one, str):  # most are: spares a call
                strings.setdefault(one, False)
            else:
                _collect(one, strings, depth - 1)


_BY_KEY = "[REDACTED:key]"

_HELD: Mapping[str, tuple[str, ...]] = {"value": ("name", "key"), "Value": ("Name", "Key")}
"""How lists of variables, headers and cookies are written: the key of a value, and of its name."""

_SHORTEST = 8
"""No secret that can be told from a word is shorter."""

REDACTOR = Redactor()
"""Secrets, and no personal data."""

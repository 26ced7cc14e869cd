"""Rows made to fit: chosen fields, capped counts, no repeats. Declared, never a conclusion."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rendercall.results.outcome import Covered

__all__ = ["Fitted", "fit"]

MAX_ITEMS = 50
MAX_BYTES = 32_768
MAX_VALUE = 1_000


@dataclass(frozen=True, slots=True)
class Fitted:
    """Rows that fit, and what was done to them.

    Attributes:
        rows: what is left, in order.
        total: how many rows there were.
        first: the place of the first row looked at, from 1.
        last: the place of the last row looked at.
        repeats: rows among those that equal an earlier one in the chosen fields.
        cut: values among them that were shortened.
        fields: the chosen fields; None is all.
        reason: the bound that ended it; empty where all is here.
    """

    rows: list[dict[str, Any]]
    total: int
    first: int
    last: int
    repeats: int
    cut: int
    fields: tuple[str, ...] | None
    reason: str = ""

    @property
    def is_truncated(self) -> bool:
        """Whether rows are left over."""
        return bool(self.reason)

    @property
    def next_start(self) -> int:
        """`start` of the next part: how many rows lie behind."""
        return self.last

    @property
    def covered(self) -> Covered:
        """The range that was looked at."""
        return Covered(self.first, self.last)

    def text(self) -> str:
        """For the model: one JSON object a line, then a line that declares what was done."""
        lines = [_dumps(row) for row in self.rows]
        return "\n".join([*lines, self.declaration()])

    def declaration(self) -> str:
        """What was done to the rows, in a line."""
        told = [f"rows {self.first:,}-{self.last:,} of {self.total:,}"]
        if self.fields is not None:
            told.append(f"fields: {', '.join(self.fields)}")
        if self.repeats:
            told.append(f"repeats left out: {self.repeats:,}")
        if self.cut:
            told.append(f"values shortened: {self.cut:,}")
        return f"({'; '.join(told)})"


def fit(
    rows: Sequence[Mapping[str, Any]],
    *,
    fields: Iterable[str] | None = None,
    max_items: int = MAX_ITEMS,
    max_bytes: int = MAX_BYTES,
    max_value: int = MAX_VALUE,
    start: int = 0,
    unique: bool = True,
) -> Fitted:
    """Make rows fit: the same rows give the same result, and what is left out is counted.

    Args:
        rows: all rows, plain JSON.
        fields: which to keep, in this order; None keeps all.
        max_items: rows at most.
        max_bytes: of `text()`, in UTF-8.
        max_value: characters of one value; a longer text is cut and says so.
        start: how many rows to pass over: the `next_start` of an earlier part.
        unique: whether rows that equal an earlier one of this part are left out.
    """
    chosen = None if fields is None else tuple(fields)
    kept: list[dict[str, Any]] = []
    seen: set[str] = set()
    size, repeats, cut, last, reason = _RESERVE, 0, 0, start, ""
    for row in rows[start:]:
        short, shortened, line = _fitting(row, chosen, max_value, max_bytes - _RESERVE)
        if unique and line in seen:
            repeats, last = repeats + 1, last + 1
            continue
        length = len(line.encode()) + 1
        if len(kept) >= max_items:
            reason = "max_items"
            break
        if kept and size + length > max_bytes:
            reason = "max_bytes"
            break
        seen.add(line)
        kept.append(short)
        size, cut, last = size + length, cut + shortened, last + 1
    first = min(start + 1, len(rows))
    return Fitted(kept, len(rows), first, last, repeats, cut, chosen, reason)


_RESERVE = 1_024
"""Bytes kept for what is declared, and for the way on."""


def _fitting(
    row: Mapping[str, Any], fields: tuple[str, ...] | None, limit: int, room: int
) -> tuple[dict[str, Any], int, str]:
    """A row that fits alone, its values shortened as far as that takes."""
    while True:
        short, cut = _shortened(row, fields, limit)
        line = _dumps(short)
        if limit < _SHORTEST or len(line.encode()) < room:
            return short, cut, line
        limit //= 2


_SHORTEST = 8
"""Characters of a value below which it says nothing."""


def _shortened(
    row: Mapping[str, Any], fields: tuple[str, ...] | None, limit: int
) -> tuple[dict[str, Any], int]:
    names = row.keys() if fields is None else [name for name in fields if name in row]
    short: dict[str, Any] = {}
    cut = 0
    for name in names:
        value = row[name]
        text = value if isinstance(value, str) else _dumps(value)
        if len(text) > limit:
            value = f"{text[:limit]}… (+{len(text) - limit:,} characters)"
            cut += 1
        short[name] = value
    return short, cut


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)

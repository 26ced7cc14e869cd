"""A value laid out for people to read: the same card for the terminal and for the page.

The layout comes from the JSON Schema, so all of it stands from the beginning, and values take
their places as they arrive. Texts are the model's own: who draws them neutralises them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from rendercall.contract.args import Path

__all__ = ["Bullets", "Card", "Cell", "Column", "Fact", "Section", "Table", "lay_out"]

MAX_INSIDE = 4
"""How deep objects are opened: a schema may contain itself."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One text, and whether it is all there.

    Attributes:
        text: what has arrived of it.
        state: `open` may still grow, `missing` has not begun.
    """

    text: str = ""
    state: Literal["closed", "open", "missing"] = "closed"


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled value."""

    label: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Bullets:
    """A labelled list of texts; one missing item where none has arrived yet."""

    label: str
    items: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; numbers are set to the right."""

    label: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A labelled list of objects.

    Attributes:
        label: what the rows are.
        columns: the fields.
        rows: one cell a column; one missing row where none has arrived yet.
        has_shares: whether the rows have minutes, so that each has a share of the total.
        shares: of each row, 0 to 1; empty until all rows are known.
    """

    label: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    has_shares: bool = False
    shares: tuple[float, ...] = ()


Section: TypeAlias = Bullets | Table


@dataclass(frozen=True, slots=True)
class Card:
    """A value laid out: a heading, then the facts, then the lists.

    The fields of an object stand where the object does.

    Attributes:
        heading: the first text field.
        facts: the other single values, in the order of the schema.
        sections: the lists, in the order of the schema.
    """

    heading: Cell
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]


def lay_out(
    schema: Mapping[str, Any],
    value: Mapping[str, Any],
    *,
    open_paths: Collection[Path] = (),
    complete: bool = False,
) -> Card:
    """Lay a value out by its schema.

    Args:
        schema: the JSON Schema of an object.
        value: as far as it has arrived.
        open_paths: paths of what may still grow: keys and indexes from the root, `()`.
        complete: nothing more will come: what is missing then is left out.
    """
    return _Layout(schema, open_paths, complete).card(value)


@dataclass(frozen=True, slots=True)
class _Layout:
    root: Mapping[str, Any]
    open_paths: Collection[Path]
    complete: bool

    def card(self, value: Mapping[str, Any]) -> Card:
        heading = Cell(state="missing")
        facts: list[Fact] = []
        sections: list[Section] = []
        headed = False
        for holder, path, schema in self._places(self.root, value, ()):
            kind, key = self._kind(schema), str(path[-1])
            if kind == "string" and not headed:
                heading, headed = self._cell(holder, key, path), True
            elif self.complete and key not in holder:
                continue
            elif kind in {"array", "table"} and isinstance(holder.get(key, []), list):
                sections.append(self._list(_label(schema, key), schema, holder.get(key), path))
            else:
                facts.append(Fact(_label(schema, key), self._cell(holder, key, path)))
        return Card(heading, tuple(facts), tuple(sections))

    def _places(
        self, schema: Mapping[str, Any], value: Mapping[str, Any], path: Path
    ) -> Iterator[tuple[Mapping[str, Any], Path, Mapping[str, Any]]]:
        """Every field: the object that holds it, its path, and its schema."""
        for key, field in self._fields(schema, value):
            inner = value.get(key, {})
            is_object = field.get("type") == "object" and field.get("properties")
            if is_object and isinstance(inner, dict) and len(path) < MAX_INSIDE:
                yield from self._places(field, cast("dict[str, Any]", inner), (*path, key))
            else:
                yield value, (*path, key), field

    def _list(
        self, label: str, schema: Mapping[str, Any], items: list[Any] | None, path: Path
    ) -> Section:
        if self._kind(schema) == "table":
            return self._table(label, self._resolve(schema["items"]), items, path)
        if not items:
            return Bullets(label, () if self.complete else (Cell(state="missing"),))
        texts = ((item, (*path, number)) for number, item in enumerate(items))
        return Bullets(label, tuple(self._text(item, at) for item, at in texts))

    def _table(
        self, label: str, schema: Mapping[str, Any], items: list[Any] | None, path: Path
    ) -> Table:
        fields = list(self._fields(schema, {}))
        columns = tuple(
            Column(_label(field, key), self._kind(field) in {"integer", "number"})
            for key, field in fields
        )
        keys = [key for key, _ in fields]
        rows = tuple(
            self._row(item, keys, (*path, number)) for number, item in enumerate(items or ())
        )
        minutes = next((key for key, field in fields if self._is_minutes(key, field)), None)
        if not rows and not self.complete:
            rows = (tuple(Cell(state="missing") for _ in keys),)
        known = items is not None and (self.complete or path not in self.open_paths)
        shares = _shares(items, minutes) if items and minutes and known else ()
        return Table(label, columns, rows, minutes is not None, shares)

    def _row(self, item: Any, keys: Sequence[str], path: Path) -> tuple[Cell, ...]:
        if not isinstance(item, dict):  # not what the schema says; shown all the same
            return (self._text(item, path), *(Cell() for _ in keys[1:]))
        fields = cast("dict[str, Any]", item)
        return tuple(self._cell(fields, key, (*path, key)) for key in keys)

    def _cell(self, value: Mapping[str, Any], key: str, path: Path) -> Cell:
        if key in value:
            return self._text(value[key], path)
        return Cell() if self.complete else Cell(state="missing")

    def _text(self, value: Any, path: Path) -> Cell:
        text = _plain(value)
        is_open = not self.complete and path in self.open_paths
        return Cell("—" if value is None else text, "open" if is_open else "closed")

    def _fields(
        self, schema: Mapping[str, Any], value: Mapping[str, Any]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The schema's fields, then those that only the value has."""
        known: Mapping[str, Any] = self._resolve(schema).get("properties", {})
        for key, field in known.items():
            yield key, self._resolve(field)
        for key, member in value.items():
            if key not in known:
                yield key, {"type": "array"} if isinstance(member, list) else {}

    def _kind(self, schema: Mapping[str, Any]) -> str:
        """`string`, `integer`, `number`, `array`, `table` (an array of objects) or `other`."""
        kind = schema.get("type", "other")
        if kind == "array":
            items = self._resolve(schema.get("items"))
            return "table" if items.get("type") == "object" and items.get("properties") else "array"
        is_word = "enum" in schema or "const" in schema
        return str(kind) if not is_word else "other"

    def _is_minutes(self, key: str, schema: Mapping[str, Any]) -> bool:
        return self._kind(schema) == "integer" and key.lower().endswith("minutes")

    def _resolve(self, schema: Any) -> Mapping[str, Any]:
        """Follow local references, and the first branch of an optional type."""
        found: Any = schema
        titles: list[Any] = []
        for _ in range(16):  # a reference may lead to itself
            if not isinstance(found, dict):
                break
            fields = cast("dict[str, Any]", found)
            titles.append(fields.get("title"))
            reference = fields.get("$ref")
            branches = fields.get("anyOf") or ()
            if isinstance(reference, str) and reference.startswith("#/$defs/"):
                found = self.root.get("$defs", {}).get(reference.removeprefix("#/$defs/"))
            elif branches:
                found = next((one for one in branches if one != {"type": "null"}), {})
            else:
                return {**fields, "title": next(filter(None, titles), None)}
        return {}


def _label(schema: Mapping[str, Any], key: str) -> str:
    return str(schema.get("title") or key.replace("_", " ").capitalize())


def _shares(items: Sequence[Any], key: str) -> tuple[float, ...]:
    """Each row's share of the sum; none where a row has no minutes."""
    found = [item.get(key) if isinstance(item, dict) else None for item in items]
    minutes = [one for one in found if type(one) is int and one > 0]
    total = sum(minutes)
    return tuple(one / total for one in minutes) if len(minutes) == len(found) else ()


def _plain(value: Any) -> str:
    """A value as a text: of an object its fields, of a list an item a line."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return " · ".join(f"{key} {_plain(one)}" for key, one in fields.items())
    if isinstance(value, list):
        return "\n".join(_plain(one) for one in value)
    return json.dumps(value)

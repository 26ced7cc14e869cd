"""A value laid out for people to read: the same card for the terminal and for the page.

The layout comes from the JSON Schema, so all of it stands from the beginning, and values take
their places as they arrive. Texts are the model's own: who draws them neutralises them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast

from rendercall.card.schema_fields import SchemaFields, label_of, word_width
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
        lists: of a row's cell: the lists of the row, which stand below this text.
    """

    text: str = ""
    state: Literal["closed", "open", "missing"] = "closed"
    lists: tuple[Bullets, ...] = ()


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
    """A column of a table.

    Attributes:
        label: its head; empty where it has none.
        kind: numbers are set to the right; a `word` is one of a few, or a time, and takes no
            more room than it needs.
        width: of a word's column, in characters.
    """

    label: str
    kind: Literal["text", "number", "word"] = "text"
    width: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A labelled list of objects.

    Attributes:
        label: what the rows are.
        columns: the fields.
        rows: one cell a column; one missing row where none has arrived yet. Lists have no
            column: they stand below the last text of their row.
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
    return _Layout(SchemaFields(schema), open_paths, complete).card(value)


_NO_LABELS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class _Form:
    """What every row of a table has: columns, the keys of single values, and lists."""

    columns: Sequence[Column]
    singles: Sequence[str]
    lists: Sequence[tuple[str, Mapping[str, Any]]]

    @property
    def last_text(self) -> int:
        """The column that lists stand in."""
        return max(at for at, column in enumerate(self.columns) if column.kind == "text")


@dataclass(frozen=True, slots=True)
class _Layout:
    fields: SchemaFields
    open_paths: Collection[Path]
    complete: bool

    def card(self, value: Mapping[str, Any]) -> Card:
        heading = Cell(state="missing")
        facts: list[Fact] = []
        sections: list[Section] = []
        headed = False
        for holder, path, schema in self._places(self.fields.root, value, ()):
            kind, key = self.fields.kind(schema), str(path[-1])
            if kind == "string" and not headed:
                heading, headed = self._cell(holder, key, path), True
            elif self.complete and key not in holder:
                continue
            elif kind in {"array", "table"} and isinstance(holder.get(key, []), list):
                sections.append(self._list(label_of(schema, key), schema, holder.get(key), path))
            else:
                facts.append(Fact(label_of(schema, key), self._cell(holder, key, path)))
        return Card(heading, tuple(facts), tuple(sections))

    def _places(
        self, schema: Mapping[str, Any], value: Mapping[str, Any], path: Path
    ) -> Iterator[tuple[Mapping[str, Any], Path, Mapping[str, Any]]]:
        """Every field: the object that holds it, its path, and its schema."""
        for key, field in self.fields.of(schema, value):
            inner = value.get(key, {})
            is_object = field.get("type") == "object" and field.get("properties")
            if is_object and isinstance(inner, dict) and len(path) < MAX_INSIDE:
                yield from self._places(field, cast("dict[str, Any]", inner), (*path, key))
            else:
                yield value, (*path, key), field

    def _list(
        self, label: str, schema: Mapping[str, Any], items: list[Any] | None, path: Path
    ) -> Section:
        if self.fields.kind(schema) == "table":
            return self._table(label, self.fields.resolve(schema["items"]), items, path)
        return self._bullets(label, schema, items, path)

    def _bullets(
        self, label: str, schema: Mapping[str, Any], items: list[Any] | None, path: Path
    ) -> Bullets:
        if not items:
            return Bullets(label, () if self.complete else (Cell(state="missing"),))
        known = self.fields.resolve(schema.get("items")).get("properties", {})
        labels = {key: label_of(self.fields.resolve(field), key) for key, field in known.items()}
        texts = ((item, (*path, number)) for number, item in enumerate(items))
        return Bullets(label, tuple(self._text(item, at, labels) for item, at in texts))

    def _table(
        self, label: str, schema: Mapping[str, Any], items: list[Any] | None, path: Path
    ) -> Table:
        fields = list(self.fields.of(schema, {}))
        lists = [(key, one) for key, one in fields if self.fields.kind(one) in {"array", "table"}]
        singles = [(key, one) for key, one in fields if (key, one) not in lists]
        columns = [self._column(key, one) for key, one in singles]
        if lists and all(column.kind != "text" for column in columns):
            columns.append(Column(""))
        form = _Form(columns, [key for key, _ in singles], lists)
        rows = [self._row(item, form, (*path, number)) for number, item in enumerate(items or ())]
        minutes = next((key for key, field in fields if self._is_minutes(key, field)), None)
        if not rows and not self.complete:
            rows = [self._row({}, form, (*path, 0))]
        known = items is not None and (self.complete or path not in self.open_paths)
        shares = _shares(items, minutes) if items and minutes and known else ()
        return Table(label, tuple(columns), tuple(rows), minutes is not None, shares)

    def _column(self, key: str, schema: Mapping[str, Any]) -> Column:
        label = label_of(schema, key)
        if self.fields.kind(schema) in {"integer", "number"}:
            return Column(label, "number")
        width = word_width(schema)
        return Column(label, "word", width) if width else Column(label)

    def _row(self, item: Any, form: _Form, path: Path) -> tuple[Cell, ...]:
        blanks = [Cell()] * len(form.columns)
        if not isinstance(item, dict):  # not what the schema says; shown all the same
            return (self._text(item, path), *blanks[1:])
        fields = cast("dict[str, Any]", item)
        cells = [self._cell(fields, key, (*path, key)) for key in form.singles]
        cells += blanks[len(cells) :]
        below: list[Bullets] = []
        for key, schema in form.lists:
            inner = fields.get(key)
            items = inner if isinstance(inner, list) else None if inner is None else [inner]
            below.append(self._bullets(label_of(schema, key), schema, items, (*path, key)))
        if below:
            cells[form.last_text] = replace(cells[form.last_text], lists=tuple(below))
        return tuple(cells)

    def _cell(self, value: Mapping[str, Any], key: str, path: Path) -> Cell:
        if key in value:
            return self._text(value[key], path)
        return Cell() if self.complete else Cell(state="missing")

    def _text(self, value: Any, path: Path, labels: Mapping[str, str] = _NO_LABELS) -> Cell:
        is_open = not self.complete and path in self.open_paths
        return Cell(_plain(value, labels), "open" if is_open else "closed")

    def _is_minutes(self, key: str, schema: Mapping[str, Any]) -> bool:
        return self.fields.kind(schema) == "integer" and key.lower().endswith("minutes")


def _shares(items: Sequence[Any], key: str) -> tuple[float, ...]:
    """Each row's share of the sum; none where a row has no minutes."""
    found = [item.get(key) if isinstance(item, dict) else None for item in items]
    minutes = [one for one in found if type(one) is int and one > 0]
    total = sum(minutes)
    return tuple(one / total for one in minutes) if len(minutes) == len(found) else ()


def _plain(value: Any, labels: Mapping[str, str] = _NO_LABELS) -> str:
    """A value as a text: of an object its labelled fields, of a list its items."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return " · ".join(f"{labels.get(key, key)} {_plain(one)}" for key, one in fields.items())
    if isinstance(value, list):
        return "; ".join(_plain(one) for one in value)
    return "—" if value is None else json.dumps(value)

from __future__ import annotations

from typing import Any

import pytest

from rendercall.card.schema_fields import MAX_WORD, SchemaFields, label_of, word_width

ROOT: dict[str, Any] = {
    "$defs": {
        "note": {"type": "object", "title": "Note", "properties": {"x": {"type": "integer"}}},
        "loop": {"$ref": "#/$defs/loop"},
    }
}

KINDS: list[tuple[dict[str, Any], str]] = [
    ({"type": "string"}, "string"),
    ({"type": "string", "enum": ["a"]}, "other"),
    ({"const": 1}, "other"),
    ({"type": "array"}, "array"),
    ({"type": "array", "items": {"type": "string"}}, "array"),
    ({"type": "array", "items": {"type": "object"}}, "array"),
    ({"type": "array", "items": {"$ref": "#/$defs/note"}}, "table"),
    ({"type": "array", "items": {"$ref": "#/$defs/loop"}}, "array"),
    ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, "integer"),
    ({"$ref": "#/$defs/note"}, "object"),
]


@pytest.mark.parametrize(("schema", "kind"), KINDS, ids=lambda one: str(one)[:40])
def test_kinds(schema: dict[str, Any], kind: str) -> None:
    """References and optional types are followed; what is one of a few values is no text."""
    fields = SchemaFields(ROOT)
    assert fields.kind(fields.resolve(schema)) == kind


def test_fields_and_labels() -> None:
    """The schema's fields come first, with the nearest title, then those that only the value has."""
    fields = SchemaFields(ROOT)
    schema = {"properties": {"a_b": {"$ref": "#/$defs/note", "title": "Mine"}, "c_d": {}}}
    found = list(fields.of(schema, {"a_b": 1, "more": [1], "e_f": 2}))
    assert [(key, label_of(field, key)) for key, field in found] == [
        ("a_b", "Mine"), ("c_d", "C d"), ("more", "More"), ("e_f", "E f"),
    ]  # fmt: skip
    assert found[2][1] == {"type": "array"}


WIDTHS: list[tuple[dict[str, Any], int]] = [
    ({"enum": ["fact", "inference"]}, 9),
    ({"const": "x"}, 1),
    ({"enum": [1, 22]}, 2),
    ({"enum": ["x" * (MAX_WORD + 1), "y"]}, 0),
    ({"type": "string"}, 0),
    ({"type": "string", "format": "date-time"}, 27),
    ({"type": "string", "format": "email"}, 0),
]


@pytest.mark.parametrize(("schema", "width"), WIDTHS, ids=str)
def test_widths(schema: dict[str, Any], width: int) -> None:
    """Known from the schema alone, so that a column is as wide from the beginning."""
    assert word_width(schema) == width

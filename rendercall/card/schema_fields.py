"""The fields of a JSON Schema, as far as a card needs to know them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

__all__ = ["SchemaFields", "label_of", "word_width"]

MAX_WORD = 27
"""Characters of the longest word that has a column of its own width."""

_TIMES = {"date-time": 27, "date": 10, "time": 15}
"""Characters of a time with microseconds, in UTC."""


@dataclass(frozen=True, slots=True)
class SchemaFields:
    """Looks fields up, and follows references within the schema.

    Attributes:
        root: the whole schema.
    """

    root: Mapping[str, Any]

    def of(
        self, schema: Mapping[str, Any], value: Mapping[str, Any]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """An object's fields by key, then those that only the value has."""
        known: Mapping[str, Any] = self.resolve(schema).get("properties", {})
        for key, field in known.items():
            yield key, self.resolve(field)
        for key, member in value.items():
            if key not in known:
                yield key, {"type": "array"} if isinstance(member, list) else {}

    def kind(self, schema: Mapping[str, Any]) -> str:
        """`string`, `integer`, `number`, `array`, `table` (an array of objects) or `other`."""
        kind = schema.get("type", "other")
        if kind == "array":
            items = self.resolve(schema.get("items"))
            return "table" if items.get("type") == "object" and items.get("properties") else "array"
        is_word = "enum" in schema or "const" in schema
        return str(kind) if not is_word else "other"

    def resolve(self, schema: Any) -> Mapping[str, Any]:
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


def label_of(schema: Mapping[str, Any], key: str) -> str:
    """What a field is called."""
    return str(schema.get("title") or key.replace("_", " ").capitalize())


def word_width(schema: Mapping[str, Any]) -> int:
    """How wide a field's longest value is; 0 where it may be anything."""
    words = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    width = max((len(str(one)) for one in words), default=_TIMES.get(str(schema.get("format")), 0))
    return width if width <= MAX_WORD else 0

"""The subschemas of a JSON Schema, and how each hangs on the one above it.

Never recursing: a schema that nests without end must not be the end of the process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

__all__ = ["Edge", "Hold", "Subschema", "step", "subschemas"]

Hold: TypeAlias = Literal["beside", "member", "item", "apart"]
"""What a subschema judges: the same value (`beside`), a member of it or an item of it, or
nothing until something refers to it (`apart`)."""

_ONE: Mapping[str, Hold] = {
    "not": "beside",
    "if": "beside",
    "then": "beside",
    "else": "beside",
    "additionalProperties": "member",
    "unevaluatedProperties": "member",
    "propertyNames": "member",
    "items": "item",
    "additionalItems": "item",
    "unevaluatedItems": "item",
    "contains": "item",
    "contentSchema": "apart",
}
_MANY: Mapping[str, Hold] = {
    "allOf": "beside",
    "anyOf": "beside",
    "oneOf": "beside",
    "prefixItems": "item",
    "items": "item",  # as a list: draft 2019-09 and older
}
_NAMED: Mapping[str, Hold] = {
    "properties": "member",
    "patternProperties": "member",
    "dependentSchemas": "beside",
    "dependencies": "beside",
    "$defs": "apart",
    "definitions": "apart",
}


@dataclass(frozen=True, slots=True)
class Edge:
    """How a subschema hangs on another.

    Attributes:
        hold: what of the value it judges.
        keyword: the word that holds it, e.g. `properties`.
        name: the property's or definition's name, or its place in a list.
        pointer: where the subschema is.
    """

    hold: Hold
    keyword: str
    name: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Subschema:
    """A subschema and its place.

    Attributes:
        pointer: where it is, as a JSON Pointer; `""` is the whole schema.
        schema: itself; a boolean takes everything or nothing.
        nesting: subschemas above it.
        edges: the subschemas right below it.
    """

    pointer: str
    schema: Mapping[str, Any] | bool
    nesting: int
    edges: tuple[Edge, ...]


def step(pointer: str, *keys: str | int) -> str:
    """A JSON Pointer (RFC 6901), some steps further down."""
    for key in keys:
        text = str(key)
        if "~" in text or "/" in text:
            text = text.replace("~", "~0").replace("/", "~1")
        pointer = f"{pointer}/{text}"
    return pointer


def subschemas(schema: Mapping[str, Any], max_nesting: int) -> Iterator[Subschema]:
    """All subschemas, each before those below it.

    What stands where a subschema should, and is none, is left out: the metaschema says so.

    Args:
        schema: plain JSON.
        max_nesting: what lies deeper is not looked at; the first one too deep is given.
    """
    waiting: list[tuple[str, Any, int]] = [("", schema, 0)]
    while waiting:
        pointer, one, nesting = waiting.pop()
        below = list(_below(pointer, one)) if isinstance(one, dict) else []
        yield Subschema(pointer, one, nesting, tuple(edge for edge, _ in below))
        if nesting <= max_nesting:
            waiting += [(edge.pointer, part, nesting + 1) for edge, part in reversed(below)]


def _below(pointer: str, schema: Mapping[str, Any]) -> Iterator[tuple[Edge, Any]]:
    for keyword, part in schema.items():
        if isinstance(part, dict | bool) and keyword in _ONE:
            yield Edge(_ONE[keyword], keyword, "", step(pointer, keyword)), part
        elif isinstance(part, list) and keyword in _MANY:
            for index, one in enumerate(part):
                if isinstance(one, dict | bool):
                    place = step(pointer, keyword, index)
                    yield Edge(_MANY[keyword], keyword, str(index), place), one
        elif isinstance(part, dict) and keyword in _NAMED:
            for name, one in part.items():
                if isinstance(one, dict | bool):
                    yield Edge(_NAMED[keyword], keyword, name, step(pointer, keyword, name)), one

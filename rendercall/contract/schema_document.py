"""Whether a schema is plain JSON of a bounded size: the first thing that is asked of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from rendercall.contract.schema_limits import SchemaLimits
from rendercall.contract.schema_walk import step
from rendercall.errors import Issue

__all__ = ["document_issues", "refused"]

_STEPS = 3
"""JSON levels that one subschema adds at most: itself, its keyword, its name or place."""


def refused(pointer: str, code: str, message: str) -> Issue:
    """A finding in a tool's schema."""
    return Issue(pointer, "tool_schema", code, message)


def document_issues(schema: object, limits: SchemaLimits) -> Iterator[Issue]:
    """What keeps a schema from being looked at any closer.

    Every visit is counted, not every object: an object that holds itself, or one that is
    shared a million times, runs into the limits like a text that is as large.
    """
    if not isinstance(schema, dict):
        yield refused("", "not_object", "a tool's schema is a JSON object")
        return
    size = 0
    widest = {"properties": limits.max_properties, "enum": limits.max_enum}
    waiting: list[tuple[str, Any, int]] = [("", schema, 0)]
    while waiting:
        pointer, node, level = waiting.pop()
        if level > _STEPS * limits.max_nesting + _STEPS:
            message = f"JSON that nests deeper than {limits.max_nesting} subschemas can"
            yield refused(pointer, "too_deep", message)
            return
        size += 2 + 2 * len(node)
        for key, one in _inside(node):
            size += _size(key) + _size(one)
            if size > limits.max_bytes:
                yield refused("", "too_large", f"over {limits.max_bytes} bytes")
                return
            if isinstance(one, dict | list):
                if key in widest and len(one) > widest[key]:
                    code = f"too_many_{_WIDE[key]}"
                    yield refused(step(pointer, key), code, f"{len(one)}; allowed: {widest[key]}")
                    return
                waiting.append((step(pointer, key), one, level + 1))
            if (fault := _fault(one, limits)) is not None:
                yield refused(step(pointer, key), *fault)
            if isinstance(node, dict) and (fault := _key_fault(key)) is not None:
                yield refused(pointer, *fault)


_WIDE = {"properties": "properties", "enum": "enum_values"}


def _inside(node: dict[Any, Any] | list[Any]) -> Iterable[tuple[Any, Any]]:
    return node.items() if isinstance(node, dict) else enumerate(node)


def _size(node: object) -> int:
    return len(node) if isinstance(node, str) else 2


def _key_fault(key: object) -> tuple[str, str] | None:
    if isinstance(key, str):
        return _TORN if _is_torn(key) else None
    return "not_json", "a key is not a string"


def _fault(node: object, limits: SchemaLimits) -> tuple[str, str] | None:
    if node is None or isinstance(node, bool | dict | list):
        return None
    if isinstance(node, str):
        return _TORN if _is_torn(node) else None
    if isinstance(node, int):
        long = node.bit_length() > limits.max_number
        return ("number_too_long", f"over {limits.max_number} bits") if long else None
    if isinstance(node, float):
        return None if math.isfinite(node) else ("not_json", "NaN and infinity are not JSON")
    return "not_json", f"a {type(node).__name__} is not JSON"


_TORN = ("not_json", "the text holds half of a surrogate pair")


def _is_torn(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False

"""Several schemas of one value written as one: the parts of `allOf`, and a root's union."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

__all__ = ["branches", "flattened", "merged"]

Schema: TypeAlias = dict[str, Any]
Resolve: TypeAlias = Callable[[Schema], Schema]

_TIGHTEST: Mapping[str, Callable[[Any, Any], Any]] = {
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "minProperties": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
    "maxProperties": min,
}
_NOTES = frozenset({"title", "description", "default", "examples", "$comment", "deprecated"})
_SET_APART = frozenset({"$defs", "definitions"})


def merged(schema: Schema, resolve: Resolve) -> Schema | None:
    """Write a schema with `allOf` as one; None where its parts contradict or cannot be joined.

    Args:
        schema: the schema.
        resolve: follows the reference that a schema is.
    """
    whole: Schema = {key: one for key, one in schema.items() if key != "allOf"}
    for part in schema["allOf"]:
        if not isinstance(part, dict):
            return None
        joined = _joined(whole, resolve(part))
        if joined is None:
            return None
        whole = joined
    return whole


def _joined(one: Schema, other: Schema) -> Schema | None:
    whole = dict(one)
    for word, value in other.items():
        if word not in whole:
            whole[word] = value
        elif word == "properties":
            whole[word] = _joined_properties(whole[word], value)
        elif word == "required":
            whole[word] = list(dict.fromkeys([*whole[word], *value]))
        elif word in _TIGHTEST:
            whole[word] = _TIGHTEST[word](whole[word], value)
        elif word == "allOf":
            whole[word] = [*whole[word], *value]
        elif word == "additionalProperties" and False in (value, whole[word]):
            return None  # each part forbids the keys of the other
        elif word not in _NOTES | _SET_APART and whole[word] != value:
            return None
    return whole


def _joined_properties(one: Schema, other: Schema) -> Schema:
    both = {
        key: one[key] if one[key] == other[key] else {"allOf": [one[key], other[key]]}
        for key in one
        if key in other
    }
    return {**one, **other, **both}


def branches(root: Schema, resolve: Resolve) -> list[Schema] | None:
    """The branches of a root that is a union of objects; None where it is no such union.

    Args:
        root: the root.
        resolve: follows the reference that a schema is.
    """
    word = next((one for one in ("oneOf", "anyOf") if one in root), None)
    if word is None or "properties" in root:
        return None
    found: list[Schema] = []
    for part in root[word]:
        one = resolve(part) if isinstance(part, dict) else {}
        inner = branches(one, resolve)
        if inner is None and "properties" not in one:
            return None
        found += [one] if inner is None else inner
    return found


def flattened(root: Schema, parts: Sequence[Schema]) -> Schema:
    """Write a union of objects as one object, with the keys of all of them.

    Args:
        root: the union.
        parts: its branches.

    Returns:
        An object that takes whatever a branch takes.
    """
    keys = dict.fromkeys(key for one in parts for key in one["properties"])
    required = [key for key in keys if all(key in one.get("required", ()) for one in parts)]
    closed = all(one.get("additionalProperties") is False for one in parts)
    whole: Schema = {key: root[key] for key in (*_NOTES, *_SET_APART) if key in root}
    whole |= {"type": "object", "required": required}
    whole["properties"] = {
        key: _either([one["properties"][key] for one in parts if key in one["properties"]])
        for key in keys
    }
    return {**whole, "additionalProperties": False} if closed else whole


def _either(parts: Sequence[Any]) -> Any:
    """What takes whatever one of the parts takes; listed texts in one list."""
    different: list[Any] = []
    for part in parts:
        if part not in different:
            different.append(part)
    if len(different) == 1:
        return different[0]
    values = [_texts(part) for part in different]
    if all(one is not None for one in values):
        listed = dict.fromkeys(text for one in values for text in one or ())
        return {"type": "string", "enum": list(listed)}
    return {"anyOf": different}


def _texts(part: Any) -> list[str] | None:
    """The texts that a schema lists, if it says nothing else."""
    if not isinstance(part, dict) or part.keys() - {"type", "const", "enum", "title", "default"}:
        return None
    values = [part["const"]] if "const" in part else part.get("enum", [])
    return values if values and all(isinstance(one, str) for one in values) else None

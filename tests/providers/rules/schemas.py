"""What the providers' rules on tools' schemas share: a walk over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Path", "at", "depth", "has_type", "is_cyclic", "walk"]

Path = tuple[str, ...]

_NAMED = ("properties", "$defs", "definitions", "patternProperties")
_LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains")


def walk(schema: Any, path: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every subschema that is an object, with its path."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for word, part in schema.items():
        if word in _NAMED:
            for name, one in part.items():
                yield from walk(one, (*path, word, name))
        elif word in _LISTED:
            for index, one in enumerate(part):
                yield from walk(one, (*path, word, str(index)))
        elif word in _SINGLE:
            yield from walk(part, (*path, word))


def at(root: dict[str, Any], reference: str) -> Any:
    """What a reference points at."""
    node: Any = root
    for key in reference.removeprefix("#").split("/")[1:]:
        step = key.replace("~1", "/").replace("~0", "~")
        node = node[int(step)] if isinstance(node, list) else node[step]
    return node


def has_type(schema: dict[str, Any], kind: str) -> bool:
    """Whether a type is among those that a schema names."""
    named = schema.get("type", [])
    return kind == named or kind in (named if isinstance(named, list) else [])


def _below(root: dict[str, Any], schema: dict[str, Any], skip: bool) -> Iterator[dict[str, Any]]:
    """The schemas in one place or under it; `skip` leaves keys out that are not required."""
    if "$ref" in schema:
        yield at(root, schema["$ref"])
    for word in _LISTED:
        yield from (one for one in schema.get(word, ()) if isinstance(one, dict))
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield schema[word]
    for name, one in schema.get("properties", {}).items():
        if isinstance(one, dict) and not (skip and name not in schema.get("required", ())):
            yield one


def is_cyclic(root: dict[str, Any], *, required_only: bool = False) -> bool:
    """Whether a schema contains itself; `required_only`: on a way of required keys only."""
    done: set[int] = set()

    def visit(schema: dict[str, Any], around: frozenset[int]) -> bool:
        if id(schema) in around:
            return True
        if id(schema) in done:
            return False
        inner = around | {id(schema)}
        found = any(visit(one, inner) for one in _below(root, schema, required_only))
        done.add(id(schema))
        return found

    return any(visit(schema, frozenset()) for _, schema in walk(root))


def depth(root: dict[str, Any]) -> int:
    """How deep objects and arrays nest; what contains itself counts once."""

    def visit(schema: dict[str, Any], around: frozenset[int]) -> int:
        if id(schema) in around:
            return 0
        own = has_type(schema, "object") or has_type(schema, "array")
        below = _below(root, schema, False)
        return own + max((visit(one, around | {id(schema)}) for one in below), default=0)

    return visit(root, frozenset())

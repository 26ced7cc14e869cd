"""Which JSON types a schema wants at each place of a document.

Where schemas have branches the answer is the widest: a type is left out only if no branch
can take it. So what follows from an absence here is certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from rendercall.contract.references import References

__all__ = ["Place", "SchemaPlaces"]

Schema: TypeAlias = dict[str, Any]

_ALL = frozenset({"null", "boolean", "number", "string", "array", "object"})
_MAX_NESTING = 100


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A place of a document.

    Attributes:
        parts: every schema that may describe it, references and branches followed.
        kinds: the JSON types that may stand there; an integer is a number.
        named: the texts that an `enum` or `const` lists for it.
    """

    parts: tuple[Schema, ...]
    kinds: frozenset[str]
    named: frozenset[str]

    @property
    def nullable(self) -> bool:
        """Whether the schema names null among what may stand there."""
        return "null" in self.kinds and self.kinds != _ALL

    def lists(self, key: str) -> bool:
        """Whether the schema says anything about a key, or about keys in general."""
        return any(
            key in part.get("properties", ())
            or part.get("patternProperties")
            or isinstance(part.get("additionalProperties"), dict)
            for part in self.parts
        )


class SchemaPlaces:
    """The places of one JSON Schema, worked out when they are first asked for.

    Args:
        schema: the schema; draft 2020-12, or an older one as far as it has the same words.

    Attributes:
        root: the place of the whole document.
    """

    def __init__(self, schema: Schema) -> None:
        self._references = References(schema)
        self._places: dict[frozenset[int], Place] = {}
        self._kinds: dict[int, frozenset[str]] = {}
        self.root = self._place([schema])

    def of(self, schema: Schema) -> Place:
        """The place that a subschema describes."""
        return self._place([schema])

    def inside(self, place: Place, key: str | int) -> Place:
        """The place of a member or item."""
        below: list[Any] = []
        for part in place.parts:
            if isinstance(key, int):
                below += [part.get("items"), *part.get("prefixItems", ())]
            elif key in part.get("properties", ()):
                below.append(part["properties"][key])
            else:
                below += part.get("patternProperties", {}).values()
                below.append(part.get("additionalProperties"))
        return self._place([one for one in below if isinstance(one, dict)])

    def _place(self, schemas: list[Schema]) -> Place:
        identity = frozenset(map(id, schemas))
        known = self._places.get(identity)
        if known is None:
            parts = tuple(self._with_branches(schemas))
            kinds = [self._kinds_of(one, 0) for one in schemas]
            named = (text for part in parts for text in _listed(part) if isinstance(text, str))
            known = Place(parts, frozenset().union(*kinds) if kinds else _ALL, frozenset(named))
            self._places[identity] = known
        return known

    def _with_branches(self, schemas: Iterable[Any]) -> Iterator[Schema]:
        seen: set[int] = set()
        waiting = list(schemas)
        while waiting:
            schema = waiting.pop()
            if isinstance(schema, dict) and id(schema) not in seen:
                seen.add(id(schema))
                yield schema
                for name in ("allOf", "anyOf", "oneOf"):
                    waiting += schema.get(name, ())
                waiting += [schema.get(name) for name in ("if", "then", "else")]
                waiting.append(self._target(schema))

    def _kinds_of(self, schema: Any, nesting: int) -> frozenset[str]:
        """The JSON types that a schema lets through."""
        if not isinstance(schema, dict) or nesting > _MAX_NESTING:
            return frozenset() if schema is False else _ALL
        if id(schema) not in self._kinds:
            self._kinds[id(schema)] = _ALL  # for a schema that refers to itself
            self._kinds[id(schema)] = self._work_out(schema, nesting + 1)
        return self._kinds[id(schema)]

    def _work_out(self, schema: Schema, nesting: int) -> frozenset[str]:
        kinds = _ALL
        if "type" in schema:
            names = schema["type"]
            kinds &= {
                _WORDS.get(name, name) for name in ([names] if isinstance(names, str) else names)
            }
        if "enum" in schema or "const" in schema:
            kinds &= {_kind_of(one) for one in _listed(schema)}
        for name in ("anyOf", "oneOf"):
            if name in schema:
                branches = [self._kinds_of(one, nesting) for one in schema[name]]
                kinds &= frozenset().union(*branches)
        for one in (*schema.get("allOf", ()), self._target(schema)):
            kinds &= _ALL if one is None else self._kinds_of(one, nesting)
        return kinds

    def _target(self, schema: Schema) -> Any:
        """What the schema's `$ref` leads to; None without one."""
        return self._references.found(schema["$ref"]) if "$ref" in schema else None


_WORDS = {"integer": "number"}


def _listed(schema: Schema) -> list[Any]:
    return [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())]


def _kind_of(value: object) -> str:
    if value is None:
        return "null"
    kinds = {bool: "boolean", int: "number", float: "number", str: "string", list: "array"}
    return kinds.get(type(value), "object")

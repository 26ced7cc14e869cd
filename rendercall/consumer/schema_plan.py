"""The plan of a raw JSON Schema: nothing is checked early, only some open strings wait.

An open string is shown unless the schema restricts it further than in length: a cut enum
value, date or pattern would be no value of the schema at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from rendercall.consumer.plan import ANYTHING, Node, Plan, Shape
from rendercall.contract.references import References

__all__ = ["plan_of_schema"]

Schema: TypeAlias = dict[str, Any]


def plan_of_schema(schema: Schema) -> Plan[Any]:
    """Make the plan of a JSON Schema, whose values are plain dicts.

    Keywords that it does not know restrict nothing.
    """
    return Plan(_Planner(schema).node([schema]))


_RESTRICTING = frozenset({"enum", "const", "format", "pattern", "contentEncoding"})
_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONAL = ("if", "then", "else")


class _Planner:
    def __init__(self, root: Schema) -> None:
        self._references = References(root)
        self._known: dict[frozenset[int], Node] = {}

    def node(self, schemas: list[Any]) -> Node:
        """The node of a place that any of several schemas may describe."""
        parts = list(self._all(schemas))
        if not parts:
            return ANYTHING
        identity = frozenset(map(id, parts))
        if identity in self._known:
            return self._known[identity]
        grows = not any(_restricts_text(part) for part in parts)
        node = Node(Shape("anything", checked_whole=False), grows=grows, plain=True)
        self._known[identity] = node
        self._fill(node.shape, parts)
        return node

    def _fill(self, shape: Shape, parts: list[Schema]) -> None:
        keys = {key for part in parts for key in part.get("properties", ())}
        rest = [part["additionalProperties"] for part in parts if "additionalProperties" in part]
        rest += [one for part in parts for one in part.get("patternProperties", {}).values()]
        for key in keys:
            named = [part["properties"][key] for part in parts if key in part.get("properties", ())]
            shape.fields[key] = self.node(named)
        shape.unlisted = self.node(rest)
        items = [part["items"] for part in parts if "items" in part]
        shape.items = self.node([*items, *(one for part in parts for one in _tuple(part))])

    def _all(self, schemas: list[Any]) -> Iterator[Schema]:
        """The schemas with all their branches, references followed, each once."""
        seen: set[int] = set()
        waiting = schemas[::-1]
        while waiting:
            schema = waiting.pop()
            if not isinstance(schema, dict) or id(schema) in seen:
                continue
            seen.add(id(schema))
            yield schema
            for name in _BRANCHES:
                waiting += schema.get(name, ())
            waiting += [schema[name] for name in _CONDITIONAL if name in schema]
            waiting += [
                self._references.found(schema[name]) for name in _REFERENCES if name in schema
            ]


_REFERENCES = ("$ref", "$dynamicRef")


def _restricts_text(schema: Schema) -> bool:
    kinds = schema.get("type", "string")
    return ("string" in kinds) and not _RESTRICTING.isdisjoint(schema)


def _tuple(schema: Schema) -> list[Any]:
    items: list[Any] = schema.get("prefixItems", [])
    return items

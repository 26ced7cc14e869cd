"""The references of a schema, followed: one way for all who read a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias
from urllib.parse import unquote

from rendercall.contract.args import keys_of
from rendercall.contract.schema_document import refused
from rendercall.contract.schema_walk import subschemas
from rendercall.errors import SchemaRefused

__all__ = ["References", "references_in"]

Schema: TypeAlias = dict[str, Any]

_MAX_STEPS = 100


class References:
    """Where the references of one schema lead.

    Args:
        schema: the schema.
    """

    def __init__(self, schema: Schema) -> None:
        self._root = schema
        self._anchors = {
            f"#{part.schema['$anchor']}": part.pointer
            for part in subschemas(schema, _MAX_STEPS)
            if isinstance(part.schema, Mapping) and "$anchor" in part.schema
        }

    def pointer(self, reference: str) -> str:
        """Where a reference leads, as a JSON Pointer."""
        if reference == "#" or reference.startswith("#/"):
            return unquote(reference[1:])
        return self._anchors.get(reference, reference)

    def target(self, pointer: str) -> Schema:
        """The subschema at a place.

        Raises:
            SchemaRefused: there is none.
        """
        node = self._at(pointer)
        if not isinstance(node, dict):
            issue = refused(pointer, "unresolved_reference", "there is no subschema here")
            raise SchemaRefused(f"the schema refers to what it does not hold: {issue}", [issue])
        return node

    def found(self, reference: str) -> Any:
        """What a reference leads to; None where it leads nowhere in the schema."""
        return self._at(self.pointer(reference)) if reference.startswith("#") else None

    def _at(self, pointer: str) -> Any:
        node: Any = self._root if pointer[:1] in {"", "/"} else None
        for key in keys_of(pointer):
            if isinstance(node, list):
                node = node[int(key)] if key.isdecimal() and int(key) < len(node) else None
            else:
                node = node.get(key) if isinstance(node, dict) else None
        return node

    def resolved(self, schema: Schema) -> Schema:
        """A schema with its own reference followed, if it is one."""
        for _ in range(_MAX_STEPS):
            if "$ref" not in schema:
                break
            beside = {key: one for key, one in schema.items() if key != "$ref"}
            schema = {**self.target(self.pointer(schema["$ref"])), **beside}
        return schema

    def is_loop(self, pointer: str) -> bool:
        """Whether the references at a place lead back to it."""
        seen: set[str] = set()
        waiting = [pointer]
        while waiting:
            for reference in references_in(self.target(waiting.pop())):
                target = self.pointer(reference)
                if target == pointer:
                    return True
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return False


def references_in(schema: Any) -> Iterator[str]:
    """Every reference in a schema."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            reference = node.get("$ref")
            if isinstance(reference, str):
                yield reference
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node

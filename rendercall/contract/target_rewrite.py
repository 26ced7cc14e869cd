"""A tool's schema as a target takes it: the same values, as far as the target can say which.

What is rewritten means the same or more, never less, but that a closed object leaves no room for
keys that nothing describes. What the target cannot express is told in the description, and
the tool's own check still enforces it. What cannot be rewritten is left as it is: the linter
finds it, and the schema is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from rendercall.contract.references import References, references_in
from rendercall.contract.schema_document import refused
from rendercall.contract.schema_places import SchemaPlaces
from rendercall.contract.target_merge import branches, flattened, merged
from rendercall.contract.target_words import described
from rendercall.contract.targets import TargetRules
from rendercall.errors import SchemaRefused

__all__ = ["Rewriter"]

Schema: TypeAlias = dict[str, Any]

_MAX_NODES = 20_000
_MAX_NESTING = 100


class Rewriter:
    """Rewrites one schema by one target's rules.

    Args:
        schema: a valid JSON Schema; it is not changed.
        rules: the target's.

    Attributes:
        schema: the rewritten schema.
        reading: the schema by which answers are read: the same, but for a root that is a union
            of objects, of which it keeps the branches apart.
        wrapped: the one key of the object that was put around a root that is none; None where
            the root is an object.
        nullable: the rewritten schemas of the optional keys that null was added to, each with
            the key's own schema, by `id`.

    Raises:
        SchemaRefused: it unfolds without end, or refers to what it does not hold.
    """

    def __init__(self, schema: Schema, rules: TargetRules) -> None:
        self._rules = rules
        self._places = SchemaPlaces(schema)
        self._references = References(schema)
        self._names: dict[str, str] = {}  # of the definitions that are kept, by their pointers
        self._waiting: list[str] = []
        self._open: list[str] = []  # references that are being written out
        self._nodes = 0
        self.wrapped: str | None = None
        self.nullable: dict[int, tuple[Schema, Schema]] = {}
        root = self._plain_root(schema)
        parts = branches(root, self._references.resolved)
        whole = flattened(root, parts) if parts else root
        written = self._node(self._rooted(whole), 0)
        apart = {"anyOf": [self._apart(one, whole) for one in parts]} if parts else None
        definitions = self._definitions()
        self.schema: Schema = {**written, **definitions}
        self.reading: Schema = {**apart, **definitions} if apart else self.schema

    def _rooted(self, root: Schema) -> Schema:
        """The root, inside an object where it is none."""
        kinds = self._places.of(root).kinds
        if kinds != {"object"}:
            self.wrapped = "items" if kinds == {"array"} else "value"
            inner = {key: one for key, one in root.items() if key not in {"$defs", "definitions"}}
            return {
                "type": "object",
                "properties": {self.wrapped: inner},
                "required": [self.wrapped],
                "additionalProperties": False,
            }
        return root

    def _apart(self, branch: Schema, whole: Schema) -> Schema:
        """A branch of the root's union, in which the keys of the others can only be null."""
        written: Schema = self._node(branch, 0)
        for key in whole["properties"] if self._rules.all_required else ():
            if key not in written["properties"]:
                absent: Schema = {"type": "null"}
                written["properties"][key] = absent
                self.nullable[id(absent)] = absent, {}
        return written

    def _definitions(self) -> Schema:
        """The definitions that references lead to."""
        found: Schema = {}
        while self._waiting:
            pointer = self._waiting.pop()
            found[self._names[pointer]] = self._node(self._references.target(pointer), 0)
        return {"$defs": found} if found else {}

    def _plain_root(self, schema: Schema) -> Schema:
        """The root without references, which no provider takes there."""
        root = self._references.resolved(schema)
        if "allOf" in root:
            root = merged(root, self._references.resolved) or root
        return {**root, **({"type": "object"} if "properties" in root else {})}

    def _node(self, schema: Any, nesting: int) -> Any:
        """Rewrite a subschema and all in it."""
        self._nodes += 1
        if self._nodes > _MAX_NODES or nesting > _MAX_NESTING:
            issue = refused("", "too_large", f"over {_MAX_NODES} subschemas, written out")
            raise SchemaRefused(f"the schema cannot be rewritten: {issue}", [issue])
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            return self._reference(schema, nesting)
        if "allOf" in schema and (self._rules.closed or self._rules.keywords is not None):
            whole = merged(schema, self._references.resolved)
            if whole is not None:
                return self._node(whole, nesting)
        return self._words(schema, nesting)

    def _reference(self, schema: Schema, nesting: int) -> Schema:
        """Keep a reference that stands alone; write out one that something stands beside."""
        pointer = self._references.pointer(schema["$ref"])
        self._references.target(pointer)
        beside = {key: one for key, one in schema.items() if key not in {"$ref", "$defs"}}
        if not beside or not self._rules.bare_refs or pointer in self._open:
            kept: Schema = {"$ref": f"#/$defs/{self._name(pointer)}"}
            if not beside:
                return kept
            if not self._rules.bare_refs:
                return {**kept, **self._words(beside, nesting)}
            notes = {key: one for key, one in beside.items() if key in {"title", "description"}}
            return {"anyOf": [kept], **notes} if notes else kept
        self._open.append(pointer)
        written = self._node({**self._references.target(pointer), **beside}, nesting + 1)
        self._open.pop()
        return dict(written)

    def _name(self, pointer: str) -> str:
        """The name of a definition that is kept; it is written when the rest is."""
        if pointer not in self._names:
            word = pointer.rpartition("/")[2] or "Root"
            taken = set(self._names.values())
            name = next(one for one in _numbered(word) if one not in taken)
            self._names[pointer] = name
            self._waiting.append(pointer)
        return self._names[pointer]

    def _words(self, schema: Schema, nesting: int) -> Schema:
        """Rewrite the words of a subschema that is no reference."""
        kept, notes = described(schema, self._rules)
        written: Schema = {}
        for word, part in kept.items():
            if word in {"$defs", "definitions"}:
                continue
            if word == "properties":
                written[word] = self._properties(kept, nesting)
            elif word in _LISTS:
                target = "anyOf" if word == "oneOf" and self._bars("oneOf") else word
                written[target] = [self._node(one, nesting + 1) for one in part]
            elif word in _ONES:
                written[word] = self._node(part, nesting + 1)
            elif word in _MAPS:
                written[word] = {key: self._node(one, nesting + 1) for key, one in part.items()}
            else:
                written[word] = part
        if notes:
            own = written.get("description")
            written["description"] = f"{own} ({notes})" if own else notes
        self._close(written)
        self._array(written)
        return written

    def _bars(self, word: str) -> bool:
        return self._rules.keywords is not None and word not in self._rules.keywords

    def _properties(self, schema: Schema, nesting: int) -> Schema:
        required = schema.get("required", ())
        properties: Schema = {}
        for key, part in schema["properties"].items():
            one = self._node(part, nesting + 1)
            if self._rules.all_required and key not in required:
                one = self._made_nullable(part, one)
            properties[key] = one
        return properties

    def _made_nullable(self, part: Any, written: Any) -> Any:
        """Let an optional key be null, which then says that it is not there."""
        if "null" in self._places.of(part).kinds or not isinstance(written, dict):
            return written
        notes = {key: written[key] for key in ("title", "description") if key in written}
        inner = {key: one for key, one in written.items() if key not in notes}
        branches = inner["anyOf"] if inner.keys() == {"anyOf"} else [inner]
        made = {"anyOf": [*branches, {"type": "null"}], **notes}
        self.nullable[id(made)] = made, self._references.resolved(part)
        return made

    def _close(self, written: Schema) -> None:
        """Forbid the keys that are not listed, and require those that are."""
        properties = written.get("properties", {})
        if self._rules.closed and properties:
            written.setdefault("type", "object")
            if written.get("additionalProperties") in (None, True, {}):
                written["additionalProperties"] = False
        if self._rules.all_required and "properties" in written:
            named = [key for key in written.get("required", ()) if key not in properties]
            written["required"] = [*properties, *named]
        if self._rules.recursion == "optional" and "required" in written:
            loose = {key for key, one in properties.items() if self._recurs(one)}
            written["required"] = [key for key in written["required"] if key not in loose]

    def _recurs(self, written: Any) -> bool:
        """Whether a property holds a definition that leads back to itself."""
        names = {f"#/$defs/{name}": pointer for pointer, name in self._names.items()}
        return any(self._references.is_loop(names[one]) for one in references_in(written))

    def _array(self, written: Schema) -> None:
        """Write a tuple of equal items as an array; another stays, and is refused."""
        if written.get("type") != "array" or "items" in written:
            return
        places = written.get("prefixItems")
        if places is None:
            if self._rules.keywords is None:
                written["items"] = {}
        elif self._rules.keywords is None:
            written["items"] = {"anyOf": places} if len(places) > 1 else places[0]
        elif self._bars("prefixItems") and all(one == places[0] for one in places):
            del written["prefixItems"]
            written["items"] = places[0]


_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_ONES = ("items", "not", "if", "then", "else", "contains", "additionalProperties")
_MAPS = ("patternProperties", "dependentSchemas")


def _numbered(word: str) -> Iterator[str]:
    yield word
    for number in range(2, _MAX_NODES):
        yield f"{word}{number}"

"""The plan of a Pydantic type, made from its core schema.

Models, typed dicts, dataclasses, lists, sets, tuples, dicts, defaults, nullables, root models,
references and after-validators are seen through. Unions, before-, wrap- and plain validators,
dicts whose keys will not be the JSON's and all custom schemas are checked whole. A validator
that takes `info` waits for the object that it is in, because `info.data` is that object's: what
comes before it (under an after-validator) is checked at once, what comes after it is not. A
tagged union is seen through once its tag has closed.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter
from pydantic_core import SchemaValidator, core_schema

from rendercall.consumer.check import Check
from rendercall.consumer.core_schemas import (
    Schema,
    has_safe_defaults,
    input_keys,
    is_text,
    keeps_keys,
    may_be_text,
    may_change_text,
    takes_info,
)
from rendercall.consumer.plan import ANYTHING, HIDDEN, Node, Plan, Shape

__all__ = ["plan_of"]

T = TypeVar("T")


def plan_of(adapter: TypeAdapter[T], *, strict: bool | None = True) -> Plan[T]:
    """Make the plan of a Pydantic type.

    Args:
        adapter: the type.
        strict: as for `TypeAdapter.validate_json`: True is strict JSON mode, None follows
            the model's own configuration.
    """
    return Plan(_Planner(strict).node(cast("Schema", adapter.core_schema), {}))


_LENGTHS = ("min_length", "max_length")
_EXTRAS = {"extras_schema", "extras_keys_schema"}


class _Planner:
    """Builds the nodes of one core schema; `config` is that of the model around a place."""

    def __init__(self, strict: bool | None) -> None:
        self._strict = strict
        self._definitions: dict[str, Schema] = {}
        self._known: dict[str, Node] = {}
        self._fill = {
            "default": self._wrapped,
            "nullable": self._wrapped,
            "json-or-python": self._json_side,
            "function-after": self._after,
            "model": self._model,
            "dataclass": self._model,
            "model-fields": self._object,
            "typed-dict": self._object,
            "dataclass-args": self._object,
            "list": self._array,
            "set": self._array,
            "frozenset": self._array,
            "tuple": self._tuple,
            "dict": self._map,
            "tagged-union": self._tagged,
            "union": self._union,
            "str": self._string,
            "any": self._any,
        }

    def node(self, schema: Schema, config: Schema, shape: Shape | None = None) -> Node:
        """Build the node of a place; a wrapper hands on its own `shape` to be filled.

        A shape may be referred to (by a recursive field) before it is filled, so wrappers
        and what they wrap must be one object from the start.
        """
        kind = schema["type"]
        if kind == "definitions":
            self._definitions |= {part["ref"]: part for part in schema["definitions"]}
            return self.node(schema["schema"], config, shape)
        if kind == "definition-ref":
            reference = schema["schema_ref"]
            known = self._known.get(reference)
            return known or self.node(self._definitions[reference], config, shape)
        node = Node(shape or Shape("whole"), check=self._check(schema, config))
        if "ref" in schema:
            self._known[schema["ref"]] = node
        if kind in self._fill:
            self._fill[kind](node, schema, config)
        else:
            node.conclusive = not takes_info(schema, self._definitions, frozenset())
        return node

    def _check(self, schema: Schema, config: Schema) -> Check:
        def build() -> SchemaValidator:
            whole: Any = schema
            if self._definitions:
                definitions: list[Any] = list(self._definitions.values())
                whole = core_schema.definitions_schema(whole, definitions)
            return SchemaValidator(whole, cast("Any", config) or None)

        return Check(build, self._strict, is_text=is_text(schema))

    def _see_through(self, node: Node, schema: Schema, config: Schema) -> Node:
        inner = self.node(schema, config, node.shape)
        node.shape = inner.shape
        node.checked_whole = inner.checked_whole
        node.made_of_parts = inner.made_of_parts
        self._depend(node, inner)
        return inner

    def _depend(self, node: Node, *parts: Node) -> None:
        """A place is no more conclusive than its parts, and no less provisional."""
        node.conclusive = node.conclusive and all(part.conclusive for part in parts)
        if any(part.provisional for part in parts):
            node.provisional, node.check = True, None

    def _wrapped(self, node: Node, schema: Schema, config: Schema) -> None:
        inner = self._see_through(node, schema["schema"], config)
        node.grows, node.plain = inner.grows, inner.plain
        if inner.provisional and inner.check:
            nullable = schema["type"] == "nullable"
            node.check = inner.check.or_null() if nullable else inner.check
        if schema.get("on_error", "raise") != "raise":
            node.conclusive = False

    def _json_side(self, node: Node, schema: Schema, config: Schema) -> None:
        inner = self._see_through(node, schema["json_schema"], config)
        node.grows, node.plain = inner.grows, inner.plain

    def _after(self, node: Node, schema: Schema, config: Schema) -> None:
        takes_info = schema["function"]["type"] == "with-info"
        node.provisional = takes_info  # before a recursive field refers to it
        inner = self._see_through(node, schema["schema"], config)
        node.checked_whole, node.made_of_parts = True, False
        if takes_info:
            node.check = inner.check

    def _model(self, node: Node, schema: Schema, config: Schema) -> None:
        if schema.get("custom_init"):
            return
        config = schema.get("config") or config
        self._see_through(node, schema["schema"], config)
        node.checked_whole = True
        node.made_of_parts = _is_made_of_parts(node.shape, schema, config)
        if schema.get("root_model") and node.shape.kind not in {"array", "map", "anything"}:
            node.shape = Shape("whole")  # `.root` of what is half there would have no place
        else:
            node.shape.title = schema["cls"].__name__

    def _object(self, node: Node, schema: Schema, config: Schema) -> None:
        config = schema.get("config") or config
        shape = node.shape
        shape.kind = "record" if schema["type"] == "typed-dict" else "model"
        if schema["type"] == "dataclass-args":
            shape.extra_code = "unexpected_keyword_argument"
        extra = schema.get("extra_behavior") or config.get("extra_fields_behavior") or "ignore"
        shape.unlisted = {"forbid": None, "allow": ANYTHING}.get(extra, HIDDEN)
        if schema.keys() & _EXTRAS:
            shape.unlisted = HIDDEN
        fields = schema["fields"]
        named = fields.items() if isinstance(fields, dict) else [(f["name"], f) for f in fields]
        for name, one in named:
            self._field(shape, name, one, config)

    def _field(self, shape: Shape, name: str, one: Schema, config: Schema) -> None:
        child = self.node(one["schema"], config)
        if not child.conclusive or one.get("init", True) is False or one.get("init_only"):
            child = HIDDEN
        first, *others = input_keys(name, one.get("validation_alias"), config)
        if not others and one.get("required", one["schema"]["type"] != "default"):
            shape.required.append(first)
        if first in shape.fields:
            child = HIDDEN  # two fields read it
        shape.fields[first] = child
        for key in others:
            shape.fields.setdefault(key, HIDDEN)  # the first key would overrule it
        if first != name:
            shape.keys[name] = first

    def _array(self, node: Node, schema: Schema, config: Schema) -> None:
        shape = node.shape
        shape.kind = "array"
        items = schema.get("items_schema")
        shape.items = self.node(items, config) if items else ANYTHING
        self._depend(node, shape.items)
        if schema["type"] == "list":
            shape.checked_whole = False
            shape.min_length = schema.get("min_length") or 0
            shape.max_length = schema.get("max_length")

    def _tuple(self, node: Node, schema: Schema, config: Schema) -> None:
        items = [self.node(item, config) for item in schema["items_schema"]]
        self._depend(node, *items)
        repeated = schema.get("variadic_item_index")
        if node.provisional:
            return  # no item takes the place of one that is not there yet
        if repeated is None:
            node.shape.kind, node.shape.items = "array", HIDDEN
            node.shape.fields = dict(enumerate(items))
        elif len(items) == 1:
            node.shape.kind, node.shape.items = "array", items[0]

    def _map(self, node: Node, schema: Schema, config: Schema) -> None:
        keys, values = schema.get("keys_schema"), schema.get("values_schema")
        if keys and not keeps_keys(keys, config):
            node.conclusive = not takes_info(schema, self._definitions, frozenset())
            return  # what is in it will not be found under the keys of the JSON
        node.shape.kind = "map"
        node.shape.unlisted = self.node(values, config) if values else ANYTHING
        self._depend(node, node.shape.unlisted)

    def _tagged(self, node: Node, schema: Schema, config: Schema) -> None:
        tag = schema["discriminator"]
        if isinstance(tag, list) and len(tag) == 1 and len(tag[0]) == 1:
            tag = tag[0][0]
        choices = {
            (value.value if isinstance(value, Enum) else value): self.node(choice, config)
            for value, choice in schema["choices"].items()
            if isinstance(choice, dict)
        }
        self._depend(node, *choices.values())
        if isinstance(tag, str):
            node.shape.kind, node.shape.tag, node.shape.choices = "tagged", tag, choices

    def _union(self, node: Node, schema: Schema, config: Schema) -> None:
        """A union with one place for strings, and that a growing one, lets them grow.

        Where it is not strict, another choice may take the string that this one refuses.
        """
        choices = [one[0] if isinstance(one, tuple) else one for one in schema["choices"]]
        texts = [one for one in choices if may_be_text(one)]
        node.conclusive = not takes_info(schema, self._definitions, frozenset())
        if schema.get("mode") == "left_to_right" and not self._strict:
            return  # an earlier choice may take "20" for 20
        if len(texts) == 1:
            text = self.node(texts[0], config)
            node.grows = text.grows and (text.plain or self._strict is True)

    def _string(self, node: Node, schema: Schema, config: Schema) -> None:
        lengths = [schema.get(name, config.get(f"str_{name}")) for name in _LENGTHS]
        node.grows = not may_change_text(schema, config)
        node.plain = node.grows and lengths in ([None, None], [0, None])

    def _any(self, node: Node, schema: Schema, config: Schema) -> None:  # noqa: ARG002 - as the rest
        node.shape, node.check = ANYTHING.shape, None
        node.grows = node.plain = True


def _is_made_of_parts(shape: Shape, schema: Schema, config: Schema) -> bool:
    """Whether nothing can be wrong with a model but its fields, each judged alone."""
    fields = schema["schema"]
    if fields["type"] != "model-fields" or fields.keys() & _EXTRAS:
        return False
    if schema.get("post_init") or schema.get("root_model") or config.get("validate_default"):
        return False
    judged = all(one.conclusive and not one.provisional for one in shape.fields.values())
    return judged and has_safe_defaults(fields)

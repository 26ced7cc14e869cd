"""Generated schemas of render tools with values for them, and the checkers of every target."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from rendercall.contract.targets import Target
from tests.providers.rules import anthropic_tools, gemini_tools, openai_tools
from tests.providers.rules.schemas import at

Schema = dict[str, Any]


def refusals(schema: Schema, target: Target) -> list[str]:
    """What the imitation of a target's provider says to a schema."""
    function = {"name": "render", "parameters": schema, "strict": target == "openai_strict"}
    declaration = {"name": "render", "parametersJsonSchema": schema}
    strict = target == "anthropic_strict"
    tool = {"name": "render", "input_schema": schema, "strict": strict}
    checks: dict[str, Callable[[], Iterator[str]]] = {
        "openai": lambda: openai_tools.function_messages(function),
        "anthropic": lambda: anthropic_tools.tool_messages([tool]),
        "gemini": lambda: gemini_tools.declaration_messages(declaration, "tools[0]"),
    }
    named = ("openai", "anthropic") if target == "portable" else (target.partition("_")[0],)
    return [message for name in named for message in checks[name]()]


_TEXT = st.text("ab", min_size=1, max_size=3)
_KEYS = st.lists(st.sampled_from("abcdef"), unique=True, min_size=1, max_size=3)
_NOTES: st.SearchStrategy[Schema] = st.sampled_from(
    [{}, {}, {"description": "A part."}, {"title": "Part"}]
)
_LEAVES: st.SearchStrategy[Schema] = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "minLength": 1, "maxLength": 9},
        {"type": "string", "pattern": "^[ab]+$"},
        {"type": "string", "pattern": "^(?!b$)[ab]+$"},
        {"type": "string", "enum": ["a", "b"]},
        {"type": "string", "format": "uri"},
        {"type": "integer", "minimum": 1, "maximum": 99},
        {"type": "integer", "enum": [1, 2, 4]},
        {"const": 3},
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "boolean"},
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        {"$ref": "#/$defs/Leaf"},
        {"$ref": "#/$defs/Pair", "description": "Two."},
        {"$ref": "#/$defs/Tree"},
        {},
        {"type": "object"},
        {"type": "object", "additionalProperties": {"type": "integer"}},
    ]
)
DEFS: Schema = {
    "Leaf": {"type": "string", "enum": ["x", "y"]},
    "Pair": {
        "type": "object",
        "properties": {"one": {"type": "integer"}, "two": {"type": "integer", "default": 2}},
        "required": ["one"],
    },
    "Tree": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
        "required": ["name", "kids"],
    },
}


@st.composite
def _objects(draw: st.DrawFn, parts: st.SearchStrategy[Schema]) -> Schema:
    properties = {}
    for key in draw(_KEYS):
        part = draw(parts)
        with_default = part.get("type") == "boolean" and draw(st.booleans())
        properties[key] = {**part, "default": False} if with_default else part
    required = [key for key in properties if draw(st.booleans())]
    more: Schema = draw(st.sampled_from([{}, {"additionalProperties": False}]))
    return {"type": "object", "properties": properties, "required": required, **more}


@st.composite
def _tagged(draw: st.DrawFn, objects: st.SearchStrategy[Schema]) -> Schema:
    branches = []
    for tag in ("cat", "dog"):
        one = draw(objects)
        kind = {"type": "string", "const": tag}
        one = {**one, "properties": {"kind": kind, **one["properties"]}}
        branches.append({**one, "required": ["kind", *one["required"]]})
    return {"oneOf": branches, "discriminator": {"propertyName": "kind"}}


def _more(parts: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    objects = _objects(parts)
    described = st.tuples(objects, _NOTES).map(lambda pair: {**pair[0], **pair[1]})
    arrays = parts.map(lambda one: {"type": "array", "items": one})
    bounded = parts.map(lambda one: {"type": "array", "items": one, "minItems": 2, "maxItems": 3})
    tuples = parts.map(
        lambda one: {"type": "array", "prefixItems": [one, one], "minItems": 2, "maxItems": 2}
    )
    joined = objects.map(lambda one: {"allOf": [one]})
    return st.one_of(described, described, arrays, bounded, tuples, joined, _tagged(objects))


SCHEMAS: st.SearchStrategy[Schema] = st.one_of(
    _objects(st.recursive(_LEAVES, _more, max_leaves=5)),
    _tagged(_objects(_LEAVES)),
    st.just({"$ref": "#/$defs/Tree"}),
).map(lambda one: {**one, "$defs": DEFS})
"""Schemas of objects, with everything that people write in them."""


def values(schema: Schema, root: Schema, depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that a generated schema takes, without keys that it does not list."""
    if "$ref" in schema:
        return values(at(root, schema["$ref"]), root, depth)
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return st.one_of([values(one, root, depth) for one in schema[word]])
    if "allOf" in schema:
        return values(schema["allOf"][0], root, depth)
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return st.one_of(_TEXT, st.none())
    if kind == "array":
        return _arrays(schema, root, depth)
    if kind == "object":
        return _members(schema, root, depth)
    text = st.just("urn:a") if "format" in schema else st.just("aa")
    return {
        "string": text if "format" in schema or "pattern" in schema else _TEXT,
        "integer": st.integers(1, 99),
        "number": st.integers(1, 9),
        "boolean": st.booleans(),
    }.get(str(kind), st.integers(0, 1))


def _arrays(schema: Schema, root: Schema, depth: int) -> st.SearchStrategy[Any]:
    if "prefixItems" in schema:
        return st.tuples(*(values(one, root, depth + 1) for one in schema["prefixItems"])).map(list)
    most = 0 if depth > 4 else 3
    items = values(schema["items"], root, depth + 1) if most else st.nothing()
    return st.lists(items, min_size=schema.get("minItems", 0), max_size=most)


@st.composite
def _members(draw: st.DrawFn, schema: Schema, root: Schema, depth: int) -> Schema:
    return {
        key: draw(values(one, root, depth + 1))
        for key, one in schema.get("properties", {}).items()
        if key in schema.get("required", ()) or draw(st.booleans())
    }


def image(value: Any, schema: Any, root: Schema) -> Any:
    """A value as a model writes it by a strict schema: null for every key that it leaves out."""
    if not isinstance(schema, dict):
        return value
    if "$ref" in schema:
        return image(value, at(root, schema["$ref"]), root)
    if "anyOf" in schema:
        fitting = [one for one in schema["anyOf"] if _fits(value, one, root)]
        return image(value, fitting[0], root) if fitting else value
    if isinstance(value, list):
        return [image(one, schema.get("items"), root) for one in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    written = {key: image(one, schema["properties"].get(key), root) for key, one in value.items()}
    return {key: written.get(key) for key in (*schema["properties"], *written)}


def _fits(value: Any, schema: Schema, root: Schema) -> bool:
    if "$ref" in schema:
        return _fits(value, at(root, schema["$ref"]), root)
    if "anyOf" in schema:
        return any(_fits(value, one, root) for one in schema["anyOf"])
    kind = schema.get("type")
    if isinstance(value, dict):
        tags = {key: one.get("const") for key, one in schema.get("properties", {}).items()}
        return kind == "object" and all(
            tag is None or value.get(key) == tag for key, tag in tags.items()
        )
    kinds: dict[type, set[str]] = {list: {"array"}, type(None): {"null"}, str: {"string"}}
    wanted = kinds.get(type(value), {"integer", "number", "boolean"})
    return bool(wanted & set([kind] if isinstance(kind, str) else kind or wanted))

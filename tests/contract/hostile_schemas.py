"""Schemas that mean harm, or are none: each with the finding that refuses it."""

from __future__ import annotations

from typing import Any

from rendercall.contract.schema_limits import GUEST, OWN, SchemaLimits


def props(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def nested(levels: int, keyword: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(levels):
        schema = {
            "properties": lambda inner: props(a=inner),
            "items": lambda inner: {"type": "array", "items": inner},
            "anyOf": lambda inner: {"anyOf": [inner]},
            "prefixItems": lambda inner: {"prefixItems": [inner]},
            "additionalProperties": lambda inner: {"type": "object", "additionalProperties": inner},
            "dependentSchemas": lambda inner: {"dependentSchemas": {"a": inner}},
            "not": lambda inner: {"not": inner},
            "if": lambda inner: {"if": True, "then": inner},
        }[keyword](schema)
    return schema


def holding_itself() -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"a": schema, "b": schema}
    return schema


def shared(levels: int) -> dict[str, Any]:
    """A tree of 2 ** levels leaves, written down with `levels` objects, as YAML anchors do."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = props(a=schema, b=schema)
    return schema


def doubling(levels: int) -> dict[str, Any]:
    """References that multiply out to 2 ** levels looks at one value."""
    defs: dict[str, Any] = {"l0": {"type": "integer"}}
    for level in range(1, levels):
        below = {"$ref": f"#/$defs/l{level - 1}"}
        defs[f"l{level}"] = {"allOf": [below, below]}
    return {
        "type": "object",
        "$defs": defs,
        "properties": {"a": {"$ref": f"#/$defs/l{levels - 1}"}},
    }


def doubling_downwards(levels: int) -> dict[str, Any]:
    """The same, a level of the value at a time."""
    defs: dict[str, Any] = {"l0": {"type": "object"}}
    for level in range(1, levels):
        branches = [props(a={"$ref": f"#/$defs/l{level - 1}"}) for _ in range(12)]
        defs[f"l{level}"] = {"allOf": branches}
    return {"type": "object", "$defs": defs, "$ref": f"#/$defs/l{levels - 1}"}


NODE = {"properties": {"a": {"allOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}}}
FETCH = "http://127.0.0.1:{port}/schema.json"
LONG = "x" * 100_000

Row = tuple[Any, str, str]  # the schema, the code, its pointer

HOSTILE: dict[str, Row] = {
    "deep items": (nested(100, "items"), "too_deep", "/items" * 52),
    "deep anyOf": (nested(100, "anyOf"), "too_deep", "/anyOf/0" * 26),
    "deep prefixItems": (nested(100, "prefixItems"), "too_deep", "/prefixItems/0" * 26),
    "deep additionalProperties": (nested(100, "additionalProperties"), "too_deep", "/additionalProperties" * 52),
    "deep dependentSchemas": (nested(100, "dependentSchemas"), "too_deep", "/dependentSchemas/a" * 26),
    "deep not": (nested(100, "not"), "too_deep", "/not" * 52),
    "deep then": (nested(100, "if"), "too_deep", "/then" * 52),
    "deep properties": (nested(100, "properties"), "too_deep", "/properties/a" * 26),
    "100,000 deep": (nested(100_000, "items"), "too_deep", "/items" * 52),
    "17 subschemas deep": (nested(17, "not"), "too_deep", "/not" * 17),
    "values 6 deep": (nested(6, "items"), "value_too_deep", ""),
    "values 6 deep by reference": ({"type": "object", "$defs": {"a": nested(4, "items")}, "properties": {"x": nested(1, "items") | {"items": {"$ref": "#/$defs/a"}}}}, "value_too_deep", ""),
    "an object that holds itself": (holding_itself(), "too_deep", "/properties/b" * 26),
    "a million leaves of 20 objects": (shared(20), "too_large", ""),
    "http reference": (props(a={"$ref": FETCH}), "remote_reference", "/properties/a/$ref"),
    "https reference": (props(a={"$ref": "https://example.com/s.json"}), "remote_reference", "/properties/a/$ref"),
    "metadata address": (props(a={"$ref": "http://169.254.169.254/latest/meta-data"}), "remote_reference", "/properties/a/$ref"),
    "file reference": (props(a={"$ref": "file:///etc/passwd"}), "remote_reference", "/properties/a/$ref"),
    "path reference": (props(a={"$ref": "../../etc/passwd"}), "remote_reference", "/properties/a/$ref"),
    "reference without a scheme": (props(a={"$ref": "//evil.test/x"}), "remote_reference", "/properties/a/$ref"),
    "reference with a fragment": (props(a={"$ref": FETCH + "#/$defs/a"}), "remote_reference", "/properties/a/$ref"),
    "the metaschema": (props(a={"$ref": "https://json-schema.org/draft/2020-12/schema"}), "remote_reference", "/properties/a/$ref"),
    "data reference": (props(a={"$ref": 'data:application/json,{"type":"string"}'}), "remote_reference", "/properties/a/$ref"),
    "reference in $defs": ({"type": "object", "$defs": {"x": {"$ref": FETCH}}}, "remote_reference", "/$defs/x/$ref"),
    "reference in dependencies": ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "dependencies": {"a": {"$ref": FETCH}}}, "remote_reference", "/dependencies/a/$ref"),
    "reference in contentSchema": (props(a={"contentMediaType": "application/json", "contentSchema": {"$ref": FETCH}}), "remote_reference", "/properties/a/contentSchema/$ref"),
    "remote $schema": ({"$schema": FETCH, "type": "object"}, "dialect", "/$schema"),
    "unknown dialect": ({"$schema": "https://json-schema.org/draft/2030-01/schema", "type": "object"}, "dialect", "/$schema"),
    "dialect of a part": (props(a={"$schema": "http://json-schema.org/draft-07/schema#"}), "dialect", "/properties/a/$schema"),
    "vocabulary": ({"type": "object", "$vocabulary": {FETCH: True}}, "dialect", "/$vocabulary"),
    "rebased reference": ({"$id": "http://127.0.0.1:9/a/", "type": "object", "properties": {"a": {"$ref": "b.json"}}}, "remote_reference", "/properties/a/$ref"),
    "embedded $id": (props(a={"$id": "http://evil.test/x", "type": "string"}), "embedded_id", "/properties/a/$id"),
    "embedded id": ({"$schema": "http://json-schema.org/draft-04/schema#", **props(a={"id": "http://evil.test/x"})}, "embedded_id", "/properties/a/id"),
    "$dynamicRef": (props(a={"$dynamicRef": FETCH + "#n"}), "dynamic_reference", "/properties/a/$dynamicRef"),
    "$recursiveRef": (props(a={"$recursiveRef": "#"}), "dynamic_reference", "/properties/a/$recursiveRef"),
    "itself": ({"$ref": "#"}, "endless_reference", ""),
    "each other": ({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, "endless_reference", "/$defs/a"),
    "itself in allOf": ({"allOf": [{"$ref": "#"}]}, "endless_reference", ""),
    "itself in anyOf": (props(a={"anyOf": [{"$ref": "#/properties/a"}, {"type": "string"}]}), "endless_reference", "/properties/a"),
    "itself in dependentSchemas": ({"type": "object", "dependentSchemas": {"a": {"$ref": "#"}}}, "endless_reference", ""),
    "itself by its name": ({"type": "object", "$anchor": "me", "not": {"$ref": "#me"}}, "endless_reference", ""),
    "a tree": ({"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}}, "recursive", ""),
    "2 ** 24 looks": (doubling(25), "expansion_too_large", "/$defs/l8"),
    "12 ** 4 looks": (doubling_downwards(5), "expansion_too_large", "/$defs/l4"),
    "a thousand branches": ({"type": "object", "$defs": {"a": {"anyOf": [True] * 400}}, "allOf": [{"$ref": "#/$defs/a"}] * 3}, "expansion_too_large", ""),
    "pattern that looks back": (props(a={"type": "string", "pattern": "^(a+)\\1+$"}), "pattern_not_linear", "/properties/a/pattern"),
    "pattern that looks ahead": (props(a={"type": "string", "pattern": "^(?=(a|a)+$)(a|a)+$"}), "pattern_not_linear", "/properties/a/pattern"),
    "pattern that grows": (props(a={"type": "string", "pattern": "((a{1000}){1000}){1000}"}), "pattern_not_linear", "/properties/a/pattern"),
    "property pattern": ({"type": "object", "patternProperties": {"^(?!(a+)+$)": {}}}, "pattern_not_linear", "/patternProperties/^(?!(a+)+$)"),
    "no pattern": (props(a={"pattern": "("}), "pattern_not_linear", "/properties/a/pattern"),
    "pattern of a number": (props(a={"pattern": 5}), "not_a_schema", "/properties/a/pattern"),
    "long pattern": (props(a={"pattern": LONG}), "pattern_too_long", "/properties/a/pattern"),
    "many patterns": (props(**{f"p{n}": {"pattern": f"^{n}"} for n in range(17)}), "too_many_patterns", ""),
    "long description": ({"type": "object", "description": LONG}, "description_too_long", "/description"),
    "description of 201": ({"type": "object", "description": "x" * 201}, "description_too_long", "/description"),
    "description in items": (props(a={"type": "array", "items": {"description": LONG}}), "description_too_long", "/properties/a/items/description"),
    "description in anyOf": (props(a={"anyOf": [{"description": LONG}]}), "description_too_long", "/properties/a/anyOf/0/description"),
    "long title": (props(a={"title": LONG}), "description_too_long", "/properties/a/title"),
    "long comment": (props(a={"$comment": LONG}), "description_too_long", "/properties/a/$comment"),
    "a megabyte": (props(a={"$comment": "x" * 1_000_000}), "too_large", ""),
    "many descriptions": (props(**{f"p{n}": {"description": "x" * 199} for n in range(45)}), "text_too_long", ""),
    "51 properties": (props(**{f"p{n}": {} for n in range(51)}), "too_many_properties", "/properties"),
    "10,000 properties": (props(**{f"p{n}": {} for n in range(10_000)}), "too_many_properties", "/properties"),
    "properties all over": ({"type": "object", "anyOf": [props(a={}, b={}) for _ in range(26)]}, "too_many_properties", ""),
    "many subschemas": ({"type": "object", "anyOf": [True] * 1_000}, "too_many_subschemas", ""),
    "enum of 100,000": (props(a={"enum": [f"v{n}" for n in range(100_000)]}), "too_many_enum_values", "/properties/a/enum"),
    "enum of long texts": (props(a={"enum": ["x" * 1_000 + str(n) for n in range(20)]}), "names_too_long", ""),
    "long name": (props(**{"n" * 20_000: {}}), "names_too_long", ""),
    "long number": (props(a={"type": "integer", "maximum": 10**5000}), "number_too_long", "/properties/a/maximum"),
    "multiple of a long number": (props(a={"multipleOf": 10**400}), "number_too_long", "/properties/a/multipleOf"),
    "NaN": (props(a={"minimum": float("nan")}), "not_json", "/properties/a/minimum"),
    "infinity": (props(a={"maximum": float("inf")}), "not_json", "/properties/a/maximum"),
    "half a pair": (props(a={"const": "\ud800"}), "not_json", "/properties/a/const"),
    "half a pair in a key": (props(**{"\udc00": {}}), "not_json", "/properties"),
    "key of a number": ({"type": "object", "properties": {1: {"type": "string"}}}, "not_json", "/properties"),
    "set": ({"type": "object", "enum": {1, 2}}, "not_json", "/enum"),
    "bytes": (props(a={"const": b"x"}), "not_json", "/properties/a/const"),
    "tuple": ({"type": "object", "required": ("a",)}, "not_json", "/required"),
    "list": ([], "not_object", ""),
    "true": (True, "not_object", ""),
    "None": (None, "not_object", ""),
    "text": ('{"type":"object"}', "not_object", ""),
    "property of None": (props(a=None), "not_a_schema", "/properties/a"),
    "list of properties": ({"type": "object", "properties": ["a"]}, "not_a_schema", "/properties"),
    "misspelt type": (props(a={"type": "strnig"}), "not_a_schema", "/properties/a/type"),
    "required text": ({"type": "object", "required": "a"}, "not_a_schema", "/required"),
    "negative length": (props(a={"minLength": -1}), "not_a_schema", "/properties/a/minLength"),
    "anyOf of nothing": (props(a={"anyOf": []}), "not_a_schema", "/properties/a/anyOf"),
    "unknown format": (props(a={"format": "fancy"}), "unknown_format", "/properties/a/format"),
    "reference to nothing": (props(a={"$ref": "#/$defs/nope"}), "unresolved_reference", "/properties/a/$ref"),
    "reference to no name": (props(a={"$ref": "#nope"}), "unresolved_reference", "/properties/a/$ref"),
    "reference into an enum": ({"type": "object", "properties": {"a": {"$ref": "#/properties/b/enum/0"}, "b": {"enum": [{"type": "string", "pattern": "^(?=(a|a)+$)"}]}}}, "unresolved_reference", "/properties/a/$ref"),
    "reference into an unknown word": ({"type": "object", "x-hidden": {"pattern": "("}, "properties": {"a": {"$ref": "#/x-hidden"}}}, "unresolved_reference", "/properties/a/$ref"),
    "reference of a number": (props(a={"$ref": 5}), "not_a_schema", "/properties/a/$ref"),
}  # fmt: skip
"""Under `GUEST`."""

OWN_HOSTILE: dict[str, Row] = {
    "branching recursion": ({"type": "object", "$defs": {"n": NODE}, "$ref": "#/$defs/n"}, "expansion_too_large", "/$defs/n/properties/a"),
    "2 ** 24 looks": (doubling(25), "expansion_too_large", "/$defs/l12"),
    "values 17 deep": (nested(17, "items"), "value_too_deep", ""),
    "10,000 properties": (props(**{f"p{n}": {} for n in range(10_000)}), "too_many_properties", "/properties"),
    "itself": ({"$ref": "#"}, "endless_reference", ""),
    "http reference": (props(a={"$ref": FETCH}), "remote_reference", "/properties/a/$ref"),
}  # fmt: skip
"""Under `OWN`."""

ROWS: dict[str, tuple[Row, SchemaLimits]] = {
    **{f"guest: {name}": (row, GUEST) for name, row in HOSTILE.items()},
    **{f"own: {name}": (row, OWN) for name, row in OWN_HOSTILE.items()},
}

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rendercall.contract.target_lint import TOOL, lint_schema, lint_tool
from rendercall.contract.targets import RULES, Target
from rendercall.errors import Issue


def found(issues: tuple[Issue, ...]) -> set[tuple[str, str]]:
    """Rules and places."""
    return {(issue.code, issue.pointer) for issue in issues}


def with_a(part: Any, **more: Any) -> dict[str, Any]:
    """A closed object with one required key."""
    closed = {"type": "object", "properties": {"a": part}, "required": ["a"]}
    return {**closed, "additionalProperties": False, **more}


LOOP = {"$defs": {"N": with_a({"$ref": "#/$defs/N"})}}
OPTIONAL_LOOP = {"$defs": {"N": {**with_a({"$ref": "#/$defs/N"}), "required": []}}}
MANY = {f"k{n}": {"type": "string"} for n in range(25)}
UNIONS = {f"k{n}": {"type": ["string", "null"]} for n in range(17)}
LISTED = {"type": "string", "enum": [f"{n:0100}" for n in range(251)]}

ROWS: dict[str, tuple[Target, dict[str, Any], set[tuple[str, str]]]] = {
    "fine": ("openai_strict", with_a({"type": "string"}), set()),
    "a union at the root": (
        "portable", {"type": "object", "oneOf": []}, {("root_not_object", "")},
    ),
    "a reference at the root": (
        "portable", {"$ref": "#/$defs/N", **LOOP}, {("root_not_object", "")},
    ),
    "any value": ("openai_strict", with_a({}), {("any_value", "/properties/a")}),
    "only a title": ("openai_strict", with_a({"title": "A"}), {("any_value", "/properties/a")}),
    "any value, not strict": ("portable", with_a({}), set()),
    "no type": ("openai_strict", with_a({"const": "x"}), {("missing_type", "/properties/a")}),
    "allOf": ("openai_strict", with_a({"allOf": []}), {("all_of", "/properties/a")}),
    "nothing said inside an unknown word": (
        "openai_strict", with_a({"type": "string", "not": {}}),
        {("unsupported_keyword", "/properties/a/not")},
    ),
    "format": (
        "openai_strict", with_a({"type": "string", "format": "uri"}),
        {("unsupported_format", "/properties/a/format")},
    ),
    "format elsewhere": ("anthropic_strict", with_a({"type": "string", "format": "uri"}), set()),
    "array without items": (
        "portable", with_a({"type": "array"}), {("items_missing", "/properties/a")},
    ),
    "minItems": (
        "anthropic_strict", with_a({"type": "array", "items": {"type": "string"}, "minItems": 2}),
        {("unsupported_keyword", "/properties/a/minItems")},
    ),
    "word boundary": (
        "anthropic_strict", with_a({"type": "string", "pattern": r"\bx"}),
        {("regex_unsupported", "/properties/a/pattern")},
    ),
    "word boundary elsewhere": (
        "openai_strict", with_a({"type": "string", "pattern": r"\bx"}), set(),
    ),
    "a key": (
        "portable",
        {"type": "object", "properties": {"größe": {"type": "string"}}},
        {("property_name", "/properties/größe")},
    ),
    "a map": (
        "anthropic_strict",
        with_a({"type": "string"}, additionalProperties={"type": "string"}),
        {("additional_properties", "")},
    ),
    "a required key that is not declared": (
        "openai_strict", with_a({"type": "string"}, required=["a", "b"]),
        {("required_unknown", "")},
    ),
    "a union beside properties": (
        "openai_strict",
        with_a(with_a({"type": "string"}, anyOf=[{"type": "object", **with_a({})}])),
        {("union_beside_properties", "/properties/a"),
         ("any_value", "/properties/a/anyOf/0/properties/a")},
    ),
    "contains itself, Anthropic": (
        "anthropic_strict", with_a({"$ref": "#/$defs/N"}, **LOOP),
        {("recursive", "/$defs/N/properties/a")},
    ),
    "contains itself, Gemini": (
        "gemini", with_a({"$ref": "#/$defs/N"}, **LOOP), {("recursive", "/$defs/N/properties/a")},
    ),
    "contains itself in an optional key, Gemini": (
        "gemini", with_a({"$ref": "#/$defs/N"}, **OPTIONAL_LOOP), set(),
    ),
    "contains itself, OpenAI": ("openai_strict", with_a({"$ref": "#/$defs/N"}, **LOOP), set()),
    "optional keys": (
        "anthropic_strict",
        {"type": "object", "properties": MANY, "additionalProperties": False},
        {("too_many_optional", "")},
    ),
    "unions": (
        "anthropic_strict",
        {"type": "object", "properties": UNIONS, "required": [*UNIONS],
         "additionalProperties": False},
        {("too_many_unions", "")},
    ),
    "a long enum": (
        "openai_strict", with_a(LISTED), {("enum_too_long", "/properties/a/enum")},
    ),
    "many values": (
        "openai_strict", with_a({"type": "integer", "enum": [*range(1001)]}),
        {("too_many_enum_values", "")},
    ),
    "long names": (
        "openai_strict", with_a({"type": "string", "const": "x" * 120_000}),
        {("names_too_long", "")},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("target", "schema", "rules"), ROWS.values(), ids=ROWS)
def test_each_rule_is_told_with_its_place(
    target: Target, schema: dict[str, Any], rules: set[tuple[str, str]]
) -> None:
    """One finding a fault, at the place where it is."""
    assert found(lint_schema(schema, target)) == rules


def nested(levels: int, kind: str) -> dict[str, Any]:
    """Objects in arrays, in branches, or in each other."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = with_a(schema)
        if kind == "branches":
            schema = {"anyOf": [schema, {"type": "null"}]}
        elif kind == "arrays":
            schema = {"type": "array", "items": schema}
    return with_a(schema)


DEPTHS = [("objects", 3, 4), ("branches", 3, 4), ("arrays", 1, 2)]


@pytest.mark.parametrize(("kind", "fits", "over"), DEPTHS)
def test_depth_counts_objects_and_arrays_however_they_are_held(
    kind: str, fits: int, over: int
) -> None:
    """Neither arrays nor branches hide a level, and references do not either."""
    codes = [
        {issue.code for issue in lint_schema(nested(levels, kind), "gemini")}
        for levels in (fits, over)
    ]
    assert codes == [set(), {"too_deep"}]
    held = with_a({"$ref": "#/$defs/A"}, **{"$defs": {"A": nested(over, kind)}})
    assert "too_deep" in {issue.code for issue in lint_schema(held, "gemini")}


def test_limits_can_be_changed() -> None:
    """They are data: another depth is a `replace` away."""
    roomy = replace(RULES["gemini"], max_depth=6)
    assert lint_schema(nested(5, "objects"), roomy) == ()
    assert lint_schema(nested(6, "objects"), roomy) != ()


NAMES: list[tuple[Target, str, bool]] = [
    ("openai_strict", "render_x", True),
    ("openai_strict", "x" * 65, False),
    ("openai_strict", "render x", False),
    ("gemini", "1x", False),
    ("gemini", "_x", True),
]


@pytest.mark.parametrize(("target", "name", "fine"), NAMES)
def test_names_are_those_that_the_provider_takes(target: Target, name: str, fine: bool) -> None:
    """Each provider has its own pattern."""
    assert found(lint_tool(name, "", target)) == (set() if fine else {("tool_name", TOOL)})

"""What a target refuses in a tool's schema: the rule that is broken, and where.

A place that several rules forbid is told once, by the most telling of them: a tuple is a
tuple, and not also an unsupported keyword and an array without items.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from rendercall.contract.schema_document import refused
from rendercall.contract.schema_walk import Subschema, step, subschemas
from rendercall.contract.target_sums import sum_issues
from rendercall.contract.target_words import pattern_fault
from rendercall.contract.targets import Target, TargetRules, rules_of
from rendercall.errors import Issue

__all__ = ["TOOL", "lint_schema", "lint_tool"]

TOOL = "(tool)"
"""Stands for a pointer in what is said of the tool's name and description."""

_NESTING = 128
_UNIONS = ("oneOf", "anyOf", "allOf")
_TOP = (*_UNIONS, "enum", "not", "$ref")
_SAYS_WHAT = frozenset({"type", "$ref", *_UNIONS})


def lint_schema(schema: Mapping[str, Any], target: Target | TargetRules) -> tuple[Issue, ...]:
    """Find what a target refuses in a schema.

    Args:
        schema: a valid JSON Schema.
        target: for whom, or its rules with other limits.

    Returns:
        The findings: `code` is the rule, `pointer` the place. None means that the schema can be
        sent as it is.
    """
    rules = rules_of(target)
    parts = list(subschemas(schema, _NESTING))
    found = [*_root_issues(schema)]
    unknown: set[str] = set()  # places under a word that is not known: no more is said of them
    for part in parts:
        if part.pointer in unknown:
            unknown |= {edge.pointer for edge in part.edges}
            continue
        unknown |= {edge.pointer for edge in part.edges if not _is_known(edge.keyword, rules)}
        found += _part_issues(part, rules)
    found += sum_issues(schema, parts, rules)
    return tuple(dict.fromkeys(found))


def _is_known(keyword: str, rules: TargetRules) -> bool:
    return rules.keywords is None or keyword in rules.keywords or keyword in {"oneOf", "allOf"}


def lint_tool(name: str, description: str, target: Target | TargetRules) -> tuple[Issue, ...]:
    """Find what a target refuses in a tool's name and description; the pointer is `TOOL`."""
    rules = rules_of(target)
    found: list[Issue] = []
    if not re.fullmatch(rules.tool_name, name):
        found.append(refused(TOOL, "tool_name", f"the name must match ^{rules.tool_name}$"))
    limit = rules.max_description
    if limit is not None and len(description) > limit:
        message = f"the description has {len(description)} characters; allowed: {limit}"
        found.append(refused(TOOL, "description_too_long", message))
    return tuple(found)


def _root_issues(schema: Mapping[str, Any]) -> Iterator[Issue]:
    """Every provider asks for it: "schema must have type 'object' and not have 'oneOf'/..."."""
    if schema.get("type") != "object" or any(word in schema for word in _TOP):
        yield refused("", "root_not_object", "the root must be an object, and no union of any")


def _part_issues(part: Subschema, rules: TargetRules) -> Iterator[Issue]:
    pointer, schema = part.pointer, part.schema
    if isinstance(schema, bool) or not schema:
        if rules.typed and not _is_switch(pointer):
            yield refused(pointer, "any_value", "say which type this is, or turn strict off")
        return
    yield from _reference_issues(pointer, schema, rules)
    yield from _keyword_issues(pointer, schema, rules)
    yield from _type_issues(pointer, schema, rules)
    if "$ref" not in schema:
        yield from _array_issues(pointer, schema, rules)
        yield from _object_issues(pointer, schema, rules)


def _is_switch(pointer: str) -> bool:
    """Whether a boolean stands where it says whether more keys or items may come."""
    return pointer.rpartition("/")[2] in {"additionalProperties", "unevaluatedProperties"}


def _reference_issues(
    pointer: str, schema: Mapping[str, Any], rules: TargetRules
) -> Iterator[Issue]:
    beside = schema.keys() - {"$ref", "$defs"}
    if rules.bare_refs and "$ref" in schema and beside and pointer:
        message = f"$ref cannot stand beside {', '.join(sorted(beside))}"
        yield refused(pointer, "ref_with_siblings", message)


_OWN_RULE = frozenset({"oneOf", "allOf", "default", "prefixItems", "$ref", "enum"})


def _keyword_issues(pointer: str, schema: Mapping[str, Any], rules: TargetRules) -> Iterator[Issue]:
    words = rules.keywords
    for word in schema if words is not None else ():
        assert words is not None  # noqa: S101 - the loop is empty where it is
        if word in words:
            continue
        if word == "oneOf":
            yield refused(pointer, "one_of", "oneOf is not permitted: use anyOf")
        elif word == "allOf":
            yield refused(pointer, "all_of", "allOf is not permitted: write one schema")
        elif word == "default":
            yield refused(pointer, "default", "default is not permitted")
        elif word not in _OWN_RULE:
            where = step(pointer, word)
            yield refused(where, "unsupported_keyword", f"{rules.name} does not know this word")
    yield from _pattern_issues(pointer, schema, rules)
    text = schema.get("format")
    if rules.formats is not None and isinstance(text, str) and text not in rules.formats:
        yield refused(step(pointer, "format"), "unsupported_format", "this format is not known")


def _pattern_issues(pointer: str, schema: Mapping[str, Any], rules: TargetRules) -> Iterator[Issue]:
    fault = pattern_fault(schema.get("pattern"), rules)
    if fault is not None:
        yield refused(step(pointer, "pattern"), *fault)


def _type_issues(pointer: str, schema: Mapping[str, Any], rules: TargetRules) -> Iterator[Issue]:
    if rules.typed and _SAYS_WHAT.isdisjoint(schema):
        if "enum" in schema or "const" in schema:
            yield refused(pointer, "missing_type", "schema must have a 'type' key")
        elif pointer:
            yield refused(pointer, "any_value", "say which type this is, or turn strict off")
    if rules.text_enums and not all(isinstance(one, str) for one in schema.get("enum", ())):
        yield refused(pointer, "non_string_enum", "only texts can be listed in enum")


def _has_type(schema: Mapping[str, Any], kind: str) -> bool:
    named = schema.get("type", ())
    return kind == named or (isinstance(named, list) and kind in named)


def _array_issues(pointer: str, schema: Mapping[str, Any], rules: TargetRules) -> Iterator[Issue]:
    if not _has_type(schema, "array"):
        return
    may_be_tuple = rules.keywords is not None and "prefixItems" in rules.keywords
    if "prefixItems" in schema and not may_be_tuple and (rules.keywords or "items" not in schema):
        message = "a place for each item is not known here: use an object with named keys"
        yield refused(pointer, "tuple", message)
    elif "items" not in schema and not may_be_tuple:
        yield refused(pointer, "items_missing", "array schema missing items")
    fewest = schema.get("minItems", 0)
    if rules.max_min_items is not None and fewest > rules.max_min_items:
        message = f"minItems over {rules.max_min_items} is not supported"
        yield refused(step(pointer, "minItems"), "unsupported_keyword", message)


def _object_issues(pointer: str, schema: Mapping[str, Any], rules: TargetRules) -> Iterator[Issue]:
    properties = schema.get("properties", {})
    for key in properties if rules.key and not pointer else ():
        if not re.fullmatch(rules.key or "", key):
            message = f"property keys must match ^{rules.key}$"
            yield refused(step(pointer, "properties", key), "property_name", message)
    if rules.closed and (_has_type(schema, "object") or "properties" in schema):
        yield from _closed_issues(pointer, schema)
        yield from _required_issues(pointer, schema, rules)


def _closed_issues(pointer: str, schema: Mapping[str, Any]) -> Iterator[Issue]:
    properties, more = schema.get("properties"), schema.get("additionalProperties")
    if not properties and more is not False:
        message = "an object of any keys: declare properties or turn strict off"
        yield refused(pointer, "free_form_object", message)
    elif more is None:
        message = "additionalProperties: false is required"
        yield refused(pointer, "additional_properties_missing", message)
    elif more is not False:
        message = "additionalProperties must be false: declare properties or turn strict off"
        yield refused(pointer, "additional_properties", message)
    if any(word in schema for word in _UNIONS) and properties:
        message = "a union beside properties: put the properties into its branches"
        yield refused(pointer, "union_beside_properties", message)


def _required_issues(
    pointer: str, schema: Mapping[str, Any], rules: TargetRules
) -> Iterator[Issue]:
    properties, required = schema.get("properties", {}), schema.get("required", ())
    for key in required:
        if key not in properties:
            message = f"{json.dumps(key)} is required, and not declared"
            yield refused(pointer, "required_unknown", message)
    for key in properties if rules.all_required else ():
        if key not in required:
            message = "every key must be required: let it be null where it is optional"
            yield refused(step(pointer, "properties", key), "not_required", message)

"""The rules that look at one subschema at a time, and the sums over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeGuard

import jsonschema_rs

from rendercall.contract.schema_document import refused
from rendercall.contract.schema_limits import SchemaLimits
from rendercall.contract.schema_walk import Subschema, step
from rendercall.errors import Issue

__all__ = ["LINEAR", "TOO_MUCH", "rule_issues"]

LINEAR = jsonschema_rs.RegexOptions(size_limit=1 << 18, dfa_size_limit=1 << 20)
"""Patterns run in an engine without backtracking, whose programs are bounded (bytes)."""

_TEXTS = ("title", "description", "$comment")
_DYNAMIC = ("$dynamicRef", "$recursiveRef")


def rule_issues(parts: Iterable[Subschema], limits: SchemaLimits) -> Iterator[Issue]:
    """Judge every subschema by itself, then what they add up to.

    Args:
        parts: all of them.
        limits: what is allowed.
    """
    sums: Counter[str] = Counter()
    counts = (
        ("properties", limits.max_properties),
        ("enum", limits.max_enum),
        ("patterns", limits.max_patterns),
    )
    for part in parts:
        sums["nodes"] += 1
        if part.nesting > limits.max_nesting:
            message = f"subschemas nest deeper than {limits.max_nesting}"
            yield refused(part.pointer, "too_deep", message)
        if isinstance(part.schema, bool):
            continue
        _add(sums, part.schema)
        if any(sums[word] > limit for word, limit in counts):
            break  # thousands more would only be counted
        yield from _text_issues(part.pointer, part.schema, limits)
        yield from _identity_issues(part.pointer, part.schema, limits)
        yield from _format_issues(part.pointer, part.schema, limits)
        yield from _closed_issues(part.pointer, part.schema, limits)
        yield from _pattern_issues(part.pointer, part.schema, limits)
    yield from _sum_issues(sums, limits)


TOO_MUCH = frozenset(
    {
        "too_many_subschemas",
        "too_many_properties",
        "too_many_enum_values",
        "names_too_long",
        "text_too_long",
        "too_many_patterns",
    }
)
"""The codes of a schema that is too large to be looked at any closer."""


def _add(sums: Counter[str], schema: Mapping[str, Any]) -> None:
    listed = schema.get("enum")
    values = [*(listed if isinstance(listed, list) else ()), schema.get("const")]
    named = schema.get("properties")
    names = [*named] if isinstance(named, dict) else []
    sums["properties"] += len(names)
    sums["enum"] += len(values) - 1
    sums["patterns"] += len(_patterns(schema))
    sums["text"] += sum(len(schema[word]) for word in _TEXTS if _is_text(schema.get(word)))
    for word in ("$defs", "definitions"):
        names += schema[word] if isinstance(schema.get(word), dict) else []
    sums["names"] += sum(map(len, [*names, *filter(_is_text, values)]))


def _sum_issues(sums: Mapping[str, int], limits: SchemaLimits) -> Iterator[Issue]:
    table = [
        ("nodes", limits.max_nodes, "too_many_subschemas", "subschemas"),
        ("properties", limits.max_properties, "too_many_properties", "properties"),
        ("enum", limits.max_enum, "too_many_enum_values", "enum values"),
        ("names", limits.max_names, "names_too_long", "characters of names and enum values"),
        ("text", limits.max_text, "text_too_long", "characters of titles and descriptions"),
        ("patterns", limits.max_patterns, "too_many_patterns", "patterns"),
    ]
    for word, limit, code, what in table:
        if sums[word] > limit:
            message = f"at least {sums[word]} {what}; {limits.name} schemas may have {limit}"
            yield refused("", code, message)


def _text_issues(pointer: str, schema: Mapping[str, Any], limits: SchemaLimits) -> Iterator[Issue]:
    for word in _TEXTS:
        text = schema.get(word)
        if _is_text(text) and len(text) > limits.max_description:
            message = f"{len(text)} characters; {limits.name} schemas may use "
            yield refused(
                step(pointer, word), "description_too_long", f"{message}{limits.max_description}"
            )


def _identity_issues(
    pointer: str, schema: Mapping[str, Any], limits: SchemaLimits
) -> Iterator[Issue]:
    """What makes a subschema a document of its own, or looks it up where it runs."""
    dialect = schema.get("$schema", "")
    if "$schema" in schema and not (_is_text(dialect) and _bare(dialect) in limits.dialects):
        yield refused(step(pointer, "$schema"), "dialect", "this dialect is not known here")
    elif "$schema" in schema and pointer:
        yield refused(step(pointer, "$schema"), "dialect", "only the root may name a dialect")
    for word in ("$id", "id"):
        if pointer and _is_text(schema.get(word)):
            message = "a subschema may not be a document of its own: leave the id out"
            yield refused(step(pointer, word), "embedded_id", message)
    if isinstance(schema.get("$vocabulary"), dict):
        yield refused(step(pointer, "$vocabulary"), "dialect", "only metaschemas have vocabularies")
    for word in _DYNAMIC:
        if word in schema:
            message = "use $ref: what this refers to is only known while validating"
            yield refused(step(pointer, word), "dynamic_reference", message)


def _bare(dialect: str) -> str:
    return dialect.removesuffix("#")


def _format_issues(
    pointer: str, schema: Mapping[str, Any], limits: SchemaLimits
) -> Iterator[Issue]:
    word = schema.get("format")
    if limits.formats is not None and _is_text(word) and word not in limits.formats:
        message = f"unknown, so it would check nothing; known: {', '.join(sorted(limits.formats))}"
        yield refused(step(pointer, "format"), "unknown_format", message)


def _closed_issues(
    pointer: str, schema: Mapping[str, Any], limits: SchemaLimits
) -> Iterator[Issue]:
    if limits.closed and "properties" in schema and schema.get("additionalProperties") is not False:
        yield refused(pointer, "open_object", "add additionalProperties: false")


def _pattern_issues(
    pointer: str, schema: Mapping[str, Any], limits: SchemaLimits
) -> Iterator[Issue]:
    for place, pattern in _patterns(schema):
        where = step(pointer, *place)
        if len(pattern) > limits.max_pattern:
            message = f"{len(pattern)} characters; {limits.name} schemas may use "
            yield refused(where, "pattern_too_long", f"{message}{limits.max_pattern}")
        elif not _is_linear(pattern):
            message = (
                "no regular expression that runs in linear time: leave out look-around, "
                "back-references and large repeats"
            )
            yield refused(where, "pattern_not_linear", message)


def _patterns(schema: Mapping[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    own = schema.get("pattern")
    named = schema.get("patternProperties")
    patterns: list[tuple[tuple[str, ...], str]] = []
    if isinstance(own, str):
        patterns.append((("pattern",), own))
    if isinstance(named, dict):
        patterns += [(("patternProperties", name), name) for name in named]
    return patterns


@lru_cache(1_024)
def _is_linear(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=LINEAR)
    except (ValueError, jsonschema_rs.ValidationError):
        return False
    return True


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)

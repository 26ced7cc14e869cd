"""Anthropic's rules on the tools of a request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .schemas import has_type, is_cyclic, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["schema_messages", "tool_messages"]

KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
NOT_SUPPORTED = {
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "string": ("minLength", "maxLength"),
    "array": ("maxItems", "uniqueItems", "prefixItems", "contains"),
    "object": ("minProperties", "maxProperties", "patternProperties", "propertyNames"),
}
"""By type; the page of `_strict`, and the SDK's `lib/_parse/_transform.py`."""
FORMATS = (
    "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"
)  # fmt: skip
HARD_REGEX = re.compile(r"\(\?<?[=!]|\\[1-9bB]")
STRICT_TOOLS, OPTIONAL, UNIONS = 20, 24, 16


def tool_messages(tools: list[Any]) -> Iterator[str]:
    """The refusals of a request's tools: each by itself, then the strict ones together."""
    for place, tool in enumerate(tools):
        if tool.get("type", "custom") == "custom":
            strict = bool(tool.get("strict"))
            yield from schema_messages(tool["input_schema"], f"tools.{place}.custom", strict=strict)
    yield from _together([tool["input_schema"] for tool in tools if tool.get("strict")])


def schema_messages(schema: dict[str, Any], where: str, *, strict: bool) -> Iterator[str]:
    """The refusals of one schema.

    The root: https://github.com/anthropics/claude-code/issues/40075. Its keys, which alone are
    looked at: https://github.com/decocms/studio/pull/6874.
    """
    if any(word in schema for word in ("oneOf", "allOf", "anyOf")):
        words = "input_schema does not support oneOf, allOf, or anyOf at the top level"
        yield f"{where}.input_schema: {words}"
    if schema.get("type") != "object":
        yield f"{where}.input_schema.type: Input should be 'object'"
    if not all(KEY.fullmatch(key) for key in schema.get("properties", {})):
        words = f"Property keys should match pattern '^{KEY.pattern}$'"
        yield f"{where}.input_schema.properties: {words}"
    for _, part in walk(schema) if strict else ():
        for message in _strict(part):
            yield f"{where}: {message}"
    if strict and is_cyclic(schema):
        yield f"{where}: Recursive schemas are not supported"


def _strict(part: dict[str, Any]) -> Iterator[str]:
    """Refused with `strict: true`.

    Objects: https://github.com/vercel/ai/issues/20681. Bounds:
    https://github.com/earendil-works/pi/issues/9953. Arrays:
    https://github.com/ghostlobster/memorize-everything/issues/93. The rest is "JSON Schema
    limitations" of https://platform.claude.com/docs/en/build-with-claude/structured-outputs,
    whose refusals' words were not found.
    """
    if has_type(part, "object") and part.get("additionalProperties") is not False:
        yield "For 'object' type, 'additionalProperties' must be explicitly set to false"
    for kind, words in NOT_SUPPORTED.items():
        found = sorted(word for word in words if word in part and has_type(part, kind))
        if len(found) == 1:
            yield f"For '{kind}' type, property '{found[0]}' is not supported"
        elif found:
            yield f"For '{kind}' type, properties {', '.join(found)} are not supported"
    if has_type(part, "array") and part.get("minItems", 0) not in (0, 1):
        yield "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
    if part.get("format", FORMATS[0]) not in FORMATS:
        yield f"Format '{part['format']}' is not supported"
    if HARD_REGEX.search(part.get("pattern", "")):
        yield "Invalid regex pattern"
    if any(word in part for word in ("oneOf", "not", "if", "dependentSchemas", "discriminator")):
        yield "Schema keyword is not supported"
    if any(isinstance(one, dict | list) for one in part.get("enum", ())):
        yield "Enum values must be strings, numbers, booleans or null"


def _together(schemas: list[dict[str, Any]]) -> Iterator[str]:
    """The limits over all strict tools of a request.

    Optional parameters: https://github.com/elie222/inbox-zero/issues/2323. Unions:
    https://github.com/vercel/ai/pull/17268. Tools: https://github.com/langchain4j/langchain4j/issues/5128.
    """
    parts = [part for schema in schemas for _, part in walk(schema)]
    optional = sum(
        key not in part.get("required", ()) for part in parts for key in part.get("properties", {})
    )
    unions = sum("anyOf" in part or isinstance(part.get("type"), list) for part in parts)
    if optional > OPTIONAL:
        yield (
            f"Schemas contains too many optional parameters ({optional}), which would make grammar "
            "compilation inefficient. Reduce the number of optional parameters in your tool "
            f"schemas (limit: {OPTIONAL})."
        )
    if unions > UNIONS:
        yield (
            f"Schemas contains too many parameters with union types ({unions}). Reduce the number "
            f"of union types in your tool schemas (limit: {UNIONS})."
        )
    if len(schemas) > STRICT_TOOLS:
        yield f"Too many strict tools ({len(schemas)}, limit: {STRICT_TOOLS})."

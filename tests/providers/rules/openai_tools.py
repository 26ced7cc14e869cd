"""OpenAI's rules on the functions of a request, chat completions and Responses alike.

Every refusal is "Invalid schema for function '…': In context=(…), …", with `param` and code
`invalid_function_parameters` (https://github.com/kevinwatt/mysql-mcp/issues/5).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .schemas import depth, has_type, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .schemas import Path

__all__ = ["DESCRIPTION_LENGTH", "function_messages", "schema_messages"]

DESCRIPTION_LENGTH = 1024
"""https://github.com/getsentry/sentry-mcp/issues/106."""
TOP = ("oneOf", "anyOf", "allOf", "enum", "not")
NOT_PERMITTED = (
    "oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas",
    "default", "minLength", "maxLength", "patternProperties", "unevaluatedProperties",
    "propertyNames", "minProperties", "maxProperties", "unevaluatedItems", "contains",
    "minContains", "maxContains", "uniqueItems", "prefixItems", "discriminator", "examples",
)  # fmt: skip
FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
LOOKAROUND = re.compile(r"\(\?<?[=!]")
LIMITS = {"levels": 10, "properties": 5_000, "enum values": 1_000}


def function_messages(function: dict[str, Any]) -> Iterator[str]:
    """The refusals of one function's parameters."""
    schema, strict = function.get("parameters") or {}, bool(function.get("strict"))
    for message in schema_messages(schema, strict=strict):
        yield f"Invalid schema for function '{function['name']}': {message}"


def schema_messages(schema: dict[str, Any], *, strict: bool) -> Iterator[str]:
    """What is wrong with a function's schema."""
    yield from _root(schema)
    for path, part in walk(schema):
        yield from _ordinary(path, part)
        if strict:
            yield from _strict(path, part)
    if strict:
        yield from _sums(schema)


def _root(schema: dict[str, Any]) -> Iterator[str]:
    """https://github.com/chatanywhere/GPT_API_free/issues/403 quotes both."""
    if schema and schema.get("type") != "object":
        kind = schema.get("type")
        got = f'"{kind}"' if isinstance(kind, str) else "null"
        yield f"schema must be a JSON Schema of 'type: \"object\"', got 'type: {got}'."
    if any(word in schema for word in TOP):
        words = "/".join(f"'{word}'" for word in TOP)
        yield f"schema must have type 'object' and not have {words} at the top level."


def _ordinary(path: Path, part: dict[str, Any]) -> Iterator[str]:
    """Refused in every mode.

    Arrays: https://github.com/sigoden/aichat/pull/1049. Patterns:
    https://github.com/decolua/9router/issues/1556, in other words of the server's.
    """
    if has_type(part, "array") and "items" not in part:
        yield f"In context={path}, array schema missing items."
    if LOOKAROUND.search(part.get("pattern", "")):
        yield f"In context={path}, regex lookaround is not supported."


def _strict(path: Path, part: dict[str, Any]) -> Iterator[str]:
    """Refused with `strict: true`.

    Words that are not permitted: https://github.com/567-labs/instructor/issues/1074 and
    https://github.com/makenotion/notion-mcp-server/issues/117; which they are: "Supported
    schemas" of https://developers.openai.com/api/docs/guides/structured-outputs. References:
    https://github.com/openai/openai-python/pull/1637. Keys: https://github.com/moeru-ai/xsai/issues/202,
    https://github.com/vercel/ai/issues/6484, https://github.com/dotnet/extensions/issues/6302.
    """
    for word in NOT_PERMITTED:
        if word in part:
            yield f"In context={path}, '{word}' is not permitted."
    beside = part.keys() - {"$ref", "$defs"}
    if "$ref" in part and beside:
        yield f"In context={path}, $ref cannot have keywords {beside}."
    if part.keys().isdisjoint({"type", "$ref", "anyOf"}):
        yield f"In context={path}, schema must have a 'type' key."
    if part.get("format", FORMATS[0]) not in FORMATS:
        yield f"In context={path}, '{part['format']}' is not a valid format."
    if has_type(part, "object"):
        yield from _keys(path, part)


def _keys(path: Path, part: dict[str, Any]) -> Iterator[str]:
    properties, required = part.get("properties", {}), part.get("required", [])
    if part.get("additionalProperties") is not False:
        words = "'additionalProperties' is required to be supplied and to be false."
        yield f"In context={path}, {words}"
    for key in properties:
        if key not in required:
            words = "'required' is required to be supplied and to be an array including every key"
            yield f"In context={path}, {words} in properties. Missing '{key}'."
    for key in required:
        if key not in properties:
            words = "'required' must be an array that includes every key in `properties`."
            yield f"In context={path}, {words} Extra required key '{key}' supplied."


def _sums(schema: dict[str, Any]) -> Iterator[str]:
    """The limits of the guide; the words of the refusal were not found."""
    parts = [part for _, part in walk(schema)]
    found = {
        "levels": depth(schema),
        "properties": sum(len(part.get("properties", {})) for part in parts),
        "enum values": sum(len(part.get("enum", ())) for part in parts),
    }
    for what, limit in LIMITS.items():
        if found[what] > limit:
            yield f"{found[what]} {what} exceed the limit of {limit}."
    for part in parts:
        values = part.get("enum", ())
        if len(values) > 250 and sum(len(str(one)) for one in values) > 15_000:
            yield "an enum of over 250 values may have 15000 characters."

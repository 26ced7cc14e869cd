"""Gemini's rules on the function declarations of a request, in both their forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .schemas import depth, is_cyclic, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["declaration_messages"]

FIELDS = frozenset(
    [
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "maxItems",
        "minItems",
        "properties",
        "required",
        "minProperties",
        "maxProperties",
        "minLength",
        "maxLength",
        "pattern",
        "example",
        "anyOf",
        "propertyOrdering",
        "default",
        "items",
        "minimum",
        "maximum",
    ]
)
"""The fields of `Schema`, the class of `parameters` (https://ai.google.dev/api/caching#Schema)."""
KEYWORDS = frozenset(
    [
        "$id",
        "$defs",
        "$ref",
        "$anchor",
        "type",
        "format",
        "title",
        "description",
        "enum",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "anyOf",
        "oneOf",
        "properties",
        "additionalProperties",
        "required",
        "propertyOrdering",
    ]
)
"""What `parametersJsonSchema` supports (https://ai.google.dev/api/generate-content,
`responseJsonSchema`)."""
DEPTH = 4
INVALID = "Request contains an invalid argument."
"""All that is said of a schema that contains itself
(https://github.com/google-gemini/gemini-cli/issues/14945)."""


def declaration_messages(declaration: dict[str, Any], where: str) -> Iterator[str]:
    """The refusals of one declaration.

    Depth: https://github.com/zereight/gitlab-mcp/issues/223, its limit
    https://github.com/Portkey-AI/gateway/pull/1616.
    """
    # Protobuf's JSON takes both spellings; the SDK sends the second.
    schema = declaration.get("parametersJsonSchema") or declaration.get("parameters_json_schema")
    if schema is None:
        schema = declaration.get("parameters") or {}
        yield from _fields(schema, f"{where}.parameters")
    else:
        yield from _json_schema(schema)
    if depth(_lowered(schema)) > DEPTH:
        words = "in the request exceeds the maximum allowed nesting depth."
        yield f"FunctionDeclaration '{declaration['name']}' {words}"


def _fields(schema: dict[str, Any], where: str) -> Iterator[str]:
    """https://github.com/zed-industries/zed/issues/59938, https://github.com/microsoft/azure-devops-mcp/issues/139."""
    for path, part in walk(schema):
        place = ".".join((where, *path))
        for word in part.keys() - FIELDS:
            yield f"Invalid JSON payload received. Unknown name \"{word}\" at '{place}': Cannot find field."
        for number, one in enumerate(part.get("enum", ())):
            if not isinstance(one, str):
                yield f"Invalid value at '{place}.enum[{number}]' (TYPE_STRING), {one}"


def _json_schema(schema: dict[str, Any]) -> Iterator[str]:
    """The rules of the reference of `parametersJsonSchema`.

    "Cyclic references are unrolled to a limited degree and, as such, may only be used within
    non-required properties. [...] If `$ref` is set on a sub-schema, no other properties, except
    for than those starting as a `$`, may be set." An unsupported word is refused here too, so
    that nothing in a schema is sent in vain.
    """
    for _, part in walk(schema):
        if "$ref" in part and any(not word.startswith("$") for word in part.keys() - {"$ref"}):
            yield INVALID
        if part.keys() - KEYWORDS or not all(isinstance(one, str) for one in part.get("enum", ())):
            yield INVALID
    if is_cyclic(schema, required_only=True):
        yield INVALID


def _lowered(schema: Any) -> Any:
    """A schema with its types in JSON Schema's case: `parameters` has them in capitals."""
    if isinstance(schema, list):
        return [_lowered(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: one.lower() if key == "type" and isinstance(one, str) else _lowered(one)
        for key, one in schema.items()
    }

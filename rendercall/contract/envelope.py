"""The envelope of an output tool: any schema's value as `data`, beside a sentence about it."""

from __future__ import annotations

import json
from typing import Any

from rendercall.contract.schema_limits import SchemaLimits
from rendercall.contract.schema_walk import subschemas

__all__ = ["enveloped"]

_SHARED = ("$defs", "definitions")


def enveloped(schema: dict[str, Any], limits: SchemaLimits) -> dict[str, Any]:
    """Put a schema into an envelope: an object of `data` and a one-sentence `summary`.

    Shared definitions move to the root, where providers look for them, and references follow.

    Args:
        schema: one that has passed the guard; it is not changed.
        limits: those that it has passed.
    """
    data: dict[str, Any] = json.loads(json.dumps(schema))
    for part in subschemas(data, limits.max_nesting):
        if isinstance(part.schema, dict) and "$ref" in part.schema:
            part.schema["$ref"] = _moved(part.schema["$ref"])
    data.pop("$id", None)
    dialect = {key: data.pop(key) for key in ("$schema",) if key in data}
    shared = {key: data.pop(key) for key in _SHARED if key in data}
    summary = {
        "type": "string",
        "minLength": 1,
        "maxLength": 280,
        "description": "What the data says, in one sentence.",
    }
    return {
        **dialect,
        "type": "object",
        "properties": {"data": data, "summary": summary},
        "required": ["data", "summary"],
        "additionalProperties": False,
        **shared,
    }


def _moved(reference: str) -> str:
    """Where a reference leads once its target is in the envelope; names lead there anyway."""
    if reference != "#" and not reference.startswith("#/"):
        return reference
    if reference.split("/")[1:2] and reference.split("/")[1] in _SHARED:
        return reference
    return f"#/properties/data{reference[1:]}"

"""Args that arrive as snapshots: half-parsed objects instead of text (`messages/partial`).

A server that parses what has arrived so far has closed it: half a number looks whole, and so
does half an enum. So the last leaf of a snapshot is taken as open: text may be shown, a number
or literal not before something follows it, an enum only once it can mean one thing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

__all__ = ["open_text"]


def open_text(args: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """The JSON text that a snapshot stands for, open at its end.

    Args:
        args: the half-parsed args.
        schema: the tool's JSON Schema.
    """
    return _open(args, schema, schema)


def _open(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    if isinstance(value, Mapping):
        members = list(cast("Mapping[str, Any]", value).items())
        text = "{" + "".join(f"{_dump(key)}: {_dump(one)}, " for key, one in members[:-1])
        if members:
            key, last = members[-1]
            text += f"{_dump(key)}: " + _open(last, _property(schema, key, root), root)
        return text
    if isinstance(value, list):
        items: list[Any] = value
        text = "[" + "".join(f"{_dump(one)}, " for one in items[:-1])
        inner = _resolve(_resolve(schema, root).get("items"), root)
        return text + (_open(items[-1], inner, root) if items else "")
    if not isinstance(value, str):
        return ""
    options = _resolve(schema, root).get("enum", ())
    similar = [one for one in options if isinstance(one, str) and one.startswith(value)]
    return _dump(value) if similar == [value] else _dump(value)[:-1]


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _property(schema: Mapping[str, Any], key: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    return _resolve(_resolve(schema, root).get("properties", {}).get(key), root)


def _resolve(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow one local reference; anything else that is no object is a schema of anything."""
    if not isinstance(schema, Mapping):
        return {}
    fields = cast("Mapping[str, Any]", schema)
    name = str(fields.get("$ref", "")).removeprefix("#/$defs/")
    target = root.get("$defs", {}).get(name) if name else None
    return cast("Mapping[str, Any]", target) if isinstance(target, Mapping) else fields

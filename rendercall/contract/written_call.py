"""A call that a model wrote as text instead of making it."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from rendercall.contract.bounds import Bounds
from rendercall.contract.packaging import unpack

__all__ = ["read_envelope", "rescue"]

_NAME_KEYS = ("name", "tool", "tool_name", "function", "action")
_ARGS_KEYS = ("arguments", "args", "parameters", "params", "input", "tool_input", "action_input")
_OTHER_KEYS = frozenset({"id", "type", "index", "call_id", "tool_call_id"})


def read_envelope(value: dict[str, Any]) -> tuple[str, str, Any] | None:
    """Read an object as a call, in the shape of any of the common APIs and chat templates.

    Returns:
        The tool's name, the key of the args, and the args: an object, or the text of one.
        None where the object is no call and nothing else.
    """
    inner = value.get("function")
    fields = value
    if isinstance(inner, dict):
        fields = {**inner, **{key: one for key, one in value.items() if key != "function"}}
    names = [key for key in _NAME_KEYS if isinstance(fields.get(key), str)]
    args = [key for key in _ARGS_KEYS if isinstance(fields.get(key), dict | str)]
    if len(names) != 1 or len(args) != 1 or not fields.keys() <= {*names, *args, *_OTHER_KEYS}:
        return None
    return fields[names[0]].removeprefix("functions."), args[0], fields[args[0]]


def rescue(
    failed_generation: str, names: Collection[str], *, bounds: Bounds | None = None
) -> tuple[str, str] | None:
    """Find the one call in the text that a provider could not read as a call.

    Groq answers HTTP 400, code `tool_use_failed`, and puts the model's text into
    `error.failed_generation`.

    Args:
        failed_generation: the text, e.g. `<function=NAME>{...}</function>`, or the call as
            a JSON object, in a list or fence or tag.
        names: the tools that the model may call.
        bounds: limits on the args.

    Returns:
        The name and the text of the args, to be judged like any other call's. None where
        there is no whole call of a known tool, or more than one.
    """
    bounds = bounds or Bounds()
    if len(failed_generation) > bounds.max_bytes:
        return None
    found = unpack(failed_generation, bounds)
    if found is None:
        return None
    if found.called:
        return (found.called, found.text) if found.called in names else None
    value = found.value
    if isinstance(value, dict) and len(value) == 1:
        value = value.get("tool_calls", value)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    call = read_envelope(value) if isinstance(value, dict) else None
    if call is None or call[0] not in names:
        return None
    args = call[2]
    return call[0], args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)

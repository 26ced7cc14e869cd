"""The rules of OpenAI's `POST /v1/responses` on the items of `input`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .openai_chat import function, names, refuse, short, text
from .refusal import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .refusal import Refusal

__all__ = ["check"]

CALL_ID_LENGTH = 64
PREFIXES = {"function_call": "fc", "message": "msg", "reasoning": "rs"}
FOLLOWERS = {"function_call", "reasoning", "message"}
REASONED = re.compile(r"(?:fc|msg)_after_(rs_[^_]+)")
"""OpenAI remembers which item came after which reasoning; here the item's own id says so."""


def check(request: dict[str, Any]) -> Refusal | None:
    """The first refusal that OpenAI would give: tools, each item, then what belongs together."""
    for place, tool in enumerate(listed(request.get("tools"))):
        if tool.get("type") == "function":
            for refusal in function(tool, f"tools[{place}]"):
                return refusal
    items = request["input"]
    if isinstance(items, str):
        return None
    for refusal in _refusals(request, items):
        return refusal
    return None


def _refusals(request: dict[str, Any], items: list[Any]) -> Iterator[Refusal]:
    for place, item in enumerate(items):
        yield from _id(item, place)
        if "call_id" in item:
            yield from text(item["call_id"], f"input[{place}].call_id")
            yield from short(item["call_id"], CALL_ID_LENGTH, f"input[{place}].call_id")
        if item.get("type") == "function_call":
            yield from names(item["name"], f"input[{place}].name")
            yield from text(item["arguments"], f"input[{place}].arguments")
    yield from _duplicates(items)
    stored = request.get("store") is not False
    if not stored:
        yield from _persisted(items)
    yield from _reasoning(items, stored=stored)
    yield from _pairs(items, known="previous_response_id" in request)


def _id(item: dict[str, Any], place: int) -> Iterator[Refusal]:
    """https://github.com/Wei-Shaw/sub2api/issues/3785, https://github.com/openai/codex/issues/33176.

    The id is optional (openai-python, `ResponseFunctionToolCallParam`); a user's message has none.
    """
    prefix, item_id = PREFIXES.get(item.get("type", "")), item.get("id")
    if prefix and item_id is not None and not item_id.startswith(prefix):
        param = f"input[{place}].id"
        words = f"Invalid '{param}': '{item_id}'. Expected an ID that begins with '{prefix}'."
        yield refuse(words, param, "invalid_value")


def _duplicates(items: list[Any]) -> Iterator[Refusal]:
    """https://github.com/openai/openai-agents-python/issues/1789."""
    ids = [item["id"] for item in items if item.get("id") is not None]
    for item_id in ids:
        if ids.count(item_id) > 1:
            words = f"Duplicate item found with id {item_id}. "
            yield refuse(f"{words}Remove duplicate items from your input and try again.", "input")


def _persisted(items: list[Any]) -> Iterator[Refusal]:
    """https://github.com/vercel/ai/issues/7543; encrypted reasoning needs no store."""
    for item in items:
        bare = item.get("type") == "reasoning" and not item.get("encrypted_content")
        if bare or item.get("type") == "item_reference":
            yield refuse(
                f"Item with id '{item['id']}' not found. Items are not persisted when `store` is "
                "set to false. Try again with `store` set to true, or remove this item from your "
                "input.",
                "input",
            )


def _reasoning(items: list[Any], *, stored: bool) -> Iterator[Refusal]:
    """Reasoning and what came after it stay together.

    Alone: https://github.com/vercel/ai/issues/7099, and what may follow it:
    https://github.com/continuedev/continue/issues/11721. Without it:
    https://github.com/VRSEN/agency-swarm/issues/367; an item without its id is not known to have
    had any (https://github.com/laravel/ai/pull/1052), nor is one that was never stored.
    """
    present = {item["id"] for item in items if item.get("type") == "reasoning"}
    for item, after in zip(items, [*items[1:], {}], strict=True):
        if item.get("type") == "reasoning" and not _follows(after):
            words = f"Item '{item['id']}' of type 'reasoning' was provided without its required "
            yield refuse(f"{words}following item.", "input")
        needed = REASONED.match(item.get("id") or "")
        if stored and needed and needed[1] not in present:
            words = f"Item '{item['id']}' of type '{item['type']}' was provided without its "
            yield refuse(f"{words}required 'reasoning' item: '{needed[1]}'.", "input")


def _follows(item: dict[str, Any]) -> bool:
    said = item.get("type", "message") in FOLLOWERS and item.get("role", "assistant") == "assistant"
    return bool(item) and said


def _pairs(items: list[Any], *, known: bool) -> Iterator[Refusal]:
    """Calls and outputs are paired by `call_id`, wherever they stand.

    Both texts: https://github.com/tjardoo/openai-client/pull/124,
    https://github.com/microsoft/vscode/issues/320060. After `previous_response_id` the call may
    be one that the server keeps.
    """
    called = [item["call_id"] for item in items if item.get("type") == "function_call"]
    given = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    for call_id in given:
        if call_id not in called and not known:
            yield refuse(
                f"No tool call found for function call output with call_id {call_id}.", "input"
            )
    for call_id in called:
        if call_id not in given:
            yield refuse(f"No tool output found for function call {call_id}.", "input")

"""The rules of Mistral's `POST /v1/chat/completions`.

They are published as code: mistral-common, `protocol/instruct/validator.py`, in serving mode
(https://github.com/mistralai/mistral-common), which the texts below are quoted from. Types and
codes are the service's own, from the issues named beside them. Argument text is not checked
there: `FunctionCall.arguments` is any string, or an object that is made one.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .refusal import Refusal, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check"]

CALL_ID = re.compile(r"[a-zA-Z0-9]{9}")
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FOLLOWERS = {
    "system": {"user", "assistant", "system"},
    "user": {"assistant", "system", "user"},
    "assistant": {"assistant", "user", "tool"},
    "tool": {"assistant", "tool"},
}


def check(request: dict[str, Any]) -> Refusal | None:
    """The first refusal that Mistral would give: order, pairing, then each message."""
    messages = request["messages"]
    for refusal in _refusals(messages, listed(request.get("tools"))):
        return refusal
    return None


def _refusals(messages: list[Any], tools: list[Any]) -> Iterator[Refusal]:
    yield from _last(messages)
    yield from _order(messages)
    yield from _pairs(messages)
    for message in messages:
        if message["role"] == "assistant":
            yield from _assistant(message)
        if message["role"] == "tool":
            yield from _call_id(message.get("tool_call_id"))
            yield from _tool_content(message.get("content"))
    for tool in tools:
        yield from _name(tool["function"]["name"])


def _refuse(message: str, kind: str, code: str | None) -> Refusal:
    body = {"object": "error", "message": message, "type": kind, "param": None, "code": code}
    return Refusal(400, body, message)


def _structure(message: str) -> Refusal:
    """https://github.com/avante-corp/avante.nvim/issues/2562: the type and code of the order."""
    return _refuse(message, "invalid_request_message_order", "3230")


def _last(messages: list[Any]) -> Iterator[Refusal]:
    """The service's own words: https://github.com/0xPlaygrounds/rig/issues/708."""
    last = messages[-1]
    if last["role"] == "assistant" and not last.get("prefix"):
        yield _structure(
            "Expected last role User or Tool (or Assistant with prefix True) for serving "
            "but got assistant"
        )


def _order(messages: list[Any]) -> Iterator[Refusal]:
    for before, after in pairwise(messages):
        if after["role"] not in FOLLOWERS[before["role"]]:
            yield _structure(f"Unexpected role '{after['role']}' after role '{before['role']}'")


def _pairs(messages: list[Any]) -> Iterator[Refusal]:
    """Ids and counts, as `MistralRequestValidatorV13` has it.

    The count reached users as https://github.com/mistralai/client-ts/issues/106.
    """
    called: list[Any] = []
    seen: list[Any] = []
    for message in [*messages, {"role": "assistant"}]:
        if message["role"] == "tool":
            call_id = message["tool_call_id"]
            if call_id in seen:
                yield _structure(f"Duplicate tool call id {call_id} in tool results")
            if call_id not in called:
                yield _structure(f"Unexpected tool call id {call_id} in tool results")
            seen.append(call_id)
        elif message["role"] == "assistant":
            if len(called) != len(seen):
                yield _structure("Not the same number of function calls and responses")
            called, seen = [call.get("id") for call in listed(message.get("tool_calls"))], []
            for call_id in called:
                if called.count(call_id) > 1:
                    yield _structure(f"Duplicate tool call id {call_id} in assistant message")


def _assistant(message: dict[str, Any]) -> Iterator[Refusal]:
    for call in listed(message.get("tool_calls")):
        if call.get("id") is None:
            words = "Tool call id has to be defined in serving mode."
            yield _refuse(words, "invalid_function_call", "3280")
        yield from _call_id(call["id"])
        yield from _name(call["function"]["name"])


def _tool_content(content: Any) -> Iterator[Refusal]:
    """https://github.com/LibreChat-AI/agents/issues/344: a tool's result is text."""
    for number, chunk in enumerate(listed(content) if isinstance(content, list) else []):
        if chunk["type"] != "text":
            words = (
                f"content.list[TextChunk].{number}.type\nInput should be <ChunkTypes.text: 'text'>"
            )
            yield _refuse(words, "invalid_request_error", None)


def _call_id(call_id: Any) -> Iterator[Refusal]:
    """https://github.com/nearai/ironclaw/issues/1241."""
    if not CALL_ID.fullmatch(str(call_id)):
        text = f"Tool call id was {call_id} but must be a-z, A-Z, 0-9, with a length of 9."
        yield _refuse(text, "invalid_function_call", "3280")


def _name(name: str) -> Iterator[Refusal]:
    """The text is mistral-common's; the service's code for it was not found, and is null here."""
    if not NAME.fullmatch(name):
        yield _refuse(
            f"Function name was {name} but must be a-z, A-Z, 0-9, or contain underscores and "
            "dashes, with a maximum length of 64.",
            "invalid_request_error",
            None,
        )

"""The rules of OpenAI's `POST /v1/chat/completions` on the messages of a request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .openai_tools import DESCRIPTION_LENGTH, function_messages
from .refusal import Refusal, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check", "function", "names", "refuse", "short", "text"]

ID_LENGTH = 40
NAME_LENGTH = 64
NAME = re.compile(r"[a-zA-Z0-9_-]+")


def refuse(message: str, param: str, code: str | None = None) -> Refusal:
    """OpenAI's 400: `{"error": {message, type, param, code}}`."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return Refusal(400, {"error": error}, message)


def check(request: dict[str, Any]) -> Refusal | None:
    """The first refusal that OpenAI would give, shapes before pairing; None where it is fine."""
    for refusal in _refusals(request):
        return refusal
    return None


def _refusals(request: dict[str, Any]) -> Iterator[Refusal]:
    yield from _not_empty(request["messages"], "messages")
    for place, tool in enumerate(listed(request.get("tools"))):
        if tool.get("type") == "function":
            yield from function(tool["function"], f"tools[{place}].function")
    for place, message in enumerate(request["messages"]):
        if message["role"] == "assistant":
            yield from _assistant(message, place)
        yield from _content(message, place)
    yield from _pairs(request["messages"])


def _not_empty(array: Any, param: str) -> Iterator[Refusal]:
    """https://github.com/openai/openai-python/issues/2061."""
    if array == []:
        words = f"Invalid '{param}': empty array. "
        words += "Expected an array with minimum length 1, but got an empty array instead."
        yield refuse(words, param, "empty_array")


def _assistant(message: dict[str, Any], place: int) -> Iterator[Refusal]:
    yield from _not_empty(message.get("tool_calls"), f"messages[{place}].tool_calls")
    for number, call in enumerate(listed(message.get("tool_calls"))):
        where = f"messages[{place}].tool_calls[{number}]"
        yield from text(call["id"], f"{where}.id")
        yield from short(call["id"], ID_LENGTH, f"{where}.id")
        function = call["function"]
        yield from names(function["name"], f"{where}.function.name")
        # Only the type is checked, the text need not be JSON: "the model does not always
        # generate valid JSON" (openai-python, ChatCompletionMessageFunctionToolCall.arguments),
        # and what the model wrote may be sent back.
        yield from text(function["arguments"], f"{where}.function.arguments")


def text(value: Any, param: str) -> Iterator[Refusal]:
    """A string and nothing else: https://github.com/aaif-goose/goose-mobile/pull/20."""
    if not isinstance(value, str):
        kind = {dict: "an object", list: "an array", type(None): "null"}.get(
            type(value), "a number"
        )
        message = f"Invalid type for '{param}': expected a string, but got {kind} instead."
        yield refuse(message, param, "invalid_type")


def short(value: str, limit: int, param: str) -> Iterator[Refusal]:
    """A string has at most `limit` characters: https://github.com/agno-agi/agno/issues/5382, https://github.com/vercel/ai/issues/5171.

    The strictest limit that was seen: one live request of July 2026 with a longer id was
    accepted (https://github.com/vercel/ai/pull/17233).
    """
    if len(value) > limit:
        yield refuse(
            f"Invalid '{param}': string too long. Expected a string with maximum length {limit}, "
            f"but got a string with length {len(value)} instead.",
            param,
            "string_above_max_length",
        )


def names(name: str, param: str) -> Iterator[Refusal]:
    """A function's name: https://github.com/run-llama/llama_index/issues/16093.

    Empty: https://github.com/continuedev/continue/issues/11645. The length: "with a maximum
    length of 64" (openai-python, `FunctionDefinition.name`).
    """
    if not name:
        words = f"Invalid '{param}': empty string. "
        words += "Expected a string with minimum length 1, but got an empty string instead."
        yield refuse(words, param, "empty_string")
    elif not NAME.fullmatch(name):
        words = f"Invalid '{param}': string does not match pattern. "
        words += f"Expected a string that matches the pattern '^{NAME.pattern}$'."
        yield refuse(words, param, "invalid_value")
    yield from short(name, NAME_LENGTH, param)


def function(function: dict[str, Any], param: str) -> Iterator[Refusal]:
    """A function's name, description and schema; `param` is its place in the request.

    The description's length is asked of strict functions only: agents with ordinary tools of
    longer ones are in use (deepagents' `task`).
    """
    yield from names(function["name"], f"{param}.name")
    if function.get("strict"):
        description = function.get("description") or ""
        yield from short(description, DESCRIPTION_LENGTH, f"{param}.description")
    for message in function_messages(function):
        yield refuse(message, f"{param}.parameters", "invalid_function_parameters")


def _content(message: dict[str, Any], place: int) -> Iterator[Refusal]:
    """https://github.com/run-llama/llama_index/pull/17921: null only beside tool calls.

    A refusal stands for the content too: "Required unless tool_calls or function_call is
    specified" (openai-python, `ChatCompletionAssistantMessageParam`). A list has at least one
    part (OpenAPI specification, `minItems: 1`), and each is an object:
    the same sentence as in `text`, the other way round. An image is a user's alone:
    https://github.com/OpenHands/OpenHands/issues/7700.
    """
    where = f"messages[{place}].content"
    yield from _not_empty(message.get("content"), where)
    if isinstance(message.get("content"), list):
        for number, part in enumerate(message["content"]):
            if isinstance(part, str):
                param = f"{where}[{number}]"
                words = f"Invalid type for '{param}': expected an object, but got a string instead."
                yield refuse(words, param, "invalid_type")
            elif part["type"] == "image_url" and message["role"] != "user":
                words = f"Invalid 'messages[{place}]'. Image URLs are only allowed for messages "
                words += f"with role 'user', but this message with role '{message['role']}' "
                words += "contains an image URL."
                yield refuse(words, f"messages[{place}]", "invalid_value")
    spoken = message.get("tool_calls") or message.get("function_call") or message.get("refusal")
    if message.get("content") is None and not spoken:
        words = "Invalid value for 'content': expected a string, got null."
        yield refuse(words, f"messages.[{place}].content")


def _pairs(messages: list[dict[str, Any]]) -> Iterator[Refusal]:
    """Every call is answered right after its message, and nothing else is a tool message.

    Both texts and their `param`: https://github.com/sdcb/chats/pull/132. An answer to another
    call: `transformToolCallId` of https://github.com/cline/cline quotes the refusal.
    """
    called: list[Any] = []
    unanswered: list[Any] = []
    end: dict[str, Any] = {"role": ""}
    for place, message in enumerate([*messages, end]):
        if message["role"] == "tool":
            call_id = message["tool_call_id"]
            if not called:
                words = "Invalid parameter: messages with role 'tool' must be a response "
                words += "to a preceeding message with 'tool_calls'."
                yield refuse(words, f"messages.[{place}].role")
            elif call_id not in called:
                words = f"Invalid parameter: 'tool_call_id' of '{call_id}' not found "
                words += "in 'tool_calls' of previous message."
                yield refuse(words, f"messages.[{place}].tool_call_id")
            unanswered = [i for i in unanswered if i != call_id]
            continue
        if unanswered:
            words = "An assistant message with 'tool_calls' must be followed by tool messages "
            words += "responding to each 'tool_call_id'. The following tool_call_ids did not have "
            words += f"response messages: {', '.join(unanswered)}"
            yield refuse(words, f"messages.[{place}].role")
        called = [call["id"] for call in listed(message.get("tool_calls"))]
        unanswered = called

"""An AI message as providers take it back: calls with ids and objects, content in blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, ToolCall

from rendercall.consumer.kept import kept_of
from rendercall.consumer.messages import Call
from rendercall.contract import Bounds
from rendercall.langgraph.notes import note_of

__all__ = ["RAW_ARGS", "sendable"]

RAW_ARGS = "raw_arguments"
"""The key under which broken argument text is sent, since args must be an object."""

_SIGNATURES = "__gemini_function_call_thought_signatures__"
"""Where langchain-google-genai keeps the signatures of calls, by call id."""


def sendable(message: AIMessage, calls: Sequence[Call], named: Sequence[Call]) -> AIMessage:
    """Make a message that can be sent; the same object where nothing must change.

    Args:
        message: a stored message.
        calls: its calls.
        named: the same calls under the ids that they are sent with.
    """
    new_ids = {call.id: name.id for call, name in zip(calls, named, strict=True)}
    content = _content(message.content, new_ids)
    sent_ids = [call.id for call in named]
    whole = not message.invalid_tool_calls and len(message.tool_calls) == len(calls)
    if (
        whole
        and content is message.content
        and [one["id"] for one in message.tool_calls] == sent_ids
    ):
        return message
    parsed = [one["args"] for one in message.tool_calls]
    sent = [
        ToolCall(
            name=call.name,
            id=call.id,
            args=parsed[position] if position < len(parsed) else _unparsed(message, call),
            type="tool_call",
        )
        for position, call in enumerate(named)
    ]
    return message.model_copy(
        update={
            "content": content,
            "tool_calls": sent,
            "invalid_tool_calls": [],
            "additional_kwargs": _extra(message.additional_kwargs, new_ids),
        }
    )


def _unparsed(message: AIMessage, call: Call) -> dict[str, Any]:
    """Args that are no object: of a stopped call what is kept of it, else the text."""
    if note_of(message).get("stopped") and (kept := kept_of(call.text, Bounds())):
        return kept
    return {RAW_ARGS: call.text}


def _extra(extra: dict[str, Any], new_ids: Mapping[str, str]) -> dict[str, Any]:
    """Gemini's signatures under the ids that the calls are sent with."""
    if _SIGNATURES not in extra:
        return extra
    signatures = {new_ids.get(key, key): one for key, one in extra[_SIGNATURES].items()}
    return {**extra, _SIGNATURES: signatures}


def _content(content: str | list[Any], new_ids: Mapping[str, str]) -> str | list[Any]:
    """Content without pieces of calls and bare strings, under the ids that are sent.

    OpenAI refuses a string among blocks ("expected an object, but got a string instead"),
    and an empty list ("Expected an array with minimum length 1").
    """
    if isinstance(content, str):
        return content
    blocks = [_block(block, new_ids) for block in content if not _is_piece(block)]
    if len(blocks) == len(content) and all(map(_is, blocks, content)):
        return content or ""
    return blocks or ""


def _is(one: object, other: object) -> bool:
    return one is other


def _block(block: Any, new_ids: Mapping[str, str]) -> Any:
    if isinstance(block, str):
        return {"type": "text", "text": block}
    key = _ID_KEYS.get(block.get("type"))
    old = block.get(key) if key else None
    new = new_ids.get(old, old) if old else old
    return block if new == old or key is None else {**block, key: new}


_ID_KEYS = {"tool_call": "id", "tool_use": "id", "function_call": "call_id"}
"""Where a block of a call has the call's id: standard, Anthropic, OpenAI Responses."""


def _is_piece(block: object) -> bool:
    if isinstance(block, str):
        return not block
    if not isinstance(block, Mapping):
        return False
    kind = block.get("type")
    broken = kind == "tool_use" and not isinstance(block.get("input"), Mapping)
    return broken or kind in {"input_json_delta", "invalid_tool_call"}

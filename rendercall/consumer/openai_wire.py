"""OpenAI's wire: chat completion chunks, whole choices, and Responses events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rendercall.consumer.fragments import Fragment, to_fragment
from rendercall.consumer.stream_event import StreamEvent

__all__ = ["from_chat_choice", "from_responses_event"]


def from_chat_choice(choice: Mapping[str, Any], message_id: str | None = None) -> StreamEvent:
    """Read one choice of a chat completion, streamed (`delta`) or whole (`message`)."""
    delta = choice.get("delta") or {}
    message = choice.get("message")
    fragments = tuple(_chat_fragment(call) for call in delta.get("tool_calls") or ())
    return StreamEvent(
        fragments,
        message_id,
        finish_reason=choice.get("finish_reason"),
        refusal=delta.get("refusal") or "",
        content=bool(delta.get("content")),
        whole={**message, "finish_reason": choice.get("finish_reason")} if message else None,
    )


def _chat_fragment(call: Mapping[str, Any]) -> Fragment:
    function = call.get("function") or {}
    return to_fragment(
        call.get("index"), call.get("id"), function.get("name"), function.get("arguments")
    )


def from_responses_event(event: Mapping[str, Any]) -> StreamEvent | None:
    """Read one event of the Responses API (`response.…`); None where it says nothing here.

    A call's place is its `output_index`; its id is the item's `call_id`, never `fc_…`.
    """
    kind = str(event.get("type", ""))
    if kind == "response.created":
        return StreamEvent(message_id=(event.get("response") or {}).get("id"), starts=True)
    if kind == "response.output_item.added":
        item = event.get("item") or {}
        if item.get("type") != "function_call":
            return None
        return StreamEvent((_item_fragment(event, item, item.get("arguments")),))
    if kind == "response.function_call_arguments.delta":
        piece = to_fragment(event.get("output_index"), None, None, event.get("delta"))
        return StreamEvent((piece,))
    if kind == "response.output_text.delta":
        return StreamEvent(content=bool(event.get("delta")))
    if kind == "response.refusal.delta":
        return StreamEvent(refusal=str(event.get("delta") or ""))
    if kind in {"response.completed", "response.incomplete", "response.failed"}:
        response = event.get("response") or {}
        details = response.get("incomplete_details") or {}
        return StreamEvent(finish_reason=details.get("reason") or response.get("status") or kind)
    return None


def _item_fragment(event: Mapping[str, Any], item: Mapping[str, Any], args: Any) -> Fragment:
    return to_fragment(event.get("output_index"), item.get("call_id"), item.get("name"), args)

"""OpenAI's wire: chat completion chunks, whole choices, and Responses events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rendercall.consumer.fragments import Fragment, to_fragment
from rendercall.consumer.stream_event import StreamEvent

__all__ = ["from_chat_choice", "from_chat_chunk", "from_responses_event"]


def from_chat_chunk(chunk: Mapping[str, Any]) -> StreamEvent | None:
    """Read a chunk of a chat completion: its first choice, since others are other answers."""
    first = next((one for one in chunk["choices"] if not one.get("index")), None)
    return from_chat_choice(first, chunk.get("id") or None) if first else None


def from_chat_choice(choice: Mapping[str, Any], message_id: str | None = None) -> StreamEvent:
    """Read one choice of a chat completion, streamed (`delta`) or whole (`message`)."""
    delta = choice.get("delta") or {}
    message = choice.get("message")
    fragments = tuple(_chat_fragment(call) for call in delta.get("tool_calls") or () if call)
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

    A call's place is its `output_index`; its id is the item's `call_id`, never `fc_…`. Some
    servers send its args only where they are said again: when the item or the response is over.
    """
    kind = str(event.get("type", ""))
    if kind == "response.created":
        return StreamEvent(message_id=(event.get("response") or {}).get("id"), starts=True)
    if kind in {"response.output_item.added", "response.output_item.done"}:
        item = event.get("item") or {}
        if item.get("type") != "function_call":
            return None
        piece = _item_fragment(event.get("output_index"), item)
        return StreamEvent((replace(piece, whole=kind.endswith(".done")),))
    if kind == "response.function_call_arguments.delta":
        piece = to_fragment(event.get("output_index"), None, None, event.get("delta"))
        return StreamEvent((piece,))
    if kind == "response.function_call_arguments.done":
        piece = to_fragment(event.get("output_index"), None, None, event.get("arguments"))
        return StreamEvent((replace(piece, whole=True),))
    if kind == "response.output_text.delta":
        return StreamEvent(content=bool(event.get("delta")))
    if kind == "response.refusal.delta":
        return StreamEvent(refusal=str(event.get("delta") or ""))
    if kind in {"response.completed", "response.incomplete", "response.failed"}:
        response = event.get("response") or {}
        details = response.get("incomplete_details") or {}
        reason = details.get("reason") or response.get("status") or kind
        return StreamEvent(tuple(_output_fragments(response)), finish_reason=reason)
    return None


def _output_fragments(response: Mapping[str, Any]) -> Iterator[Fragment]:
    for index, item in enumerate(response.get("output") or ()):
        if item.get("type") == "function_call":
            yield replace(_item_fragment(index, item), whole=True)


def _item_fragment(index: Any, item: Mapping[str, Any]) -> Fragment:
    return to_fragment(index, item.get("call_id"), item.get("name"), item.get("arguments"))

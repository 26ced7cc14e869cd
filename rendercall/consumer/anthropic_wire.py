"""Anthropic's wire: the events of a streamed message (Messages API, streaming)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rendercall.consumer.fragments import to_fragment
from rendercall.consumer.stream_event import StreamEvent

__all__ = ["EVENTS", "from_anthropic_event"]

EVENTS = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "ping",
    }
)


def from_anthropic_event(event: Mapping[str, Any]) -> StreamEvent | None:
    """Read one event; None where it says nothing about calls."""
    kind = event.get("type")
    if kind == "message_start":
        return StreamEvent(message_id=(event.get("message") or {}).get("id"), starts=True)
    if kind == "content_block_start":
        block = event.get("content_block") or {}
        if block.get("type") != "tool_use":
            return None
        # Its `input: {}` is a placeholder for the deltas; some gateways send all of it there.
        args = block.get("input") or ""
        return StreamEvent(
            (to_fragment(event.get("index"), block.get("id"), block.get("name"), args),)
        )
    if kind == "content_block_delta":
        delta = event.get("delta") or {}
        if delta.get("type") == "input_json_delta":
            piece = to_fragment(event.get("index"), None, None, delta.get("partial_json"))
            return StreamEvent((piece,))
        return StreamEvent(content=delta.get("type") == "text_delta")
    if kind == "message_delta":
        return StreamEvent(finish_reason=(event.get("delta") or {}).get("stop_reason"))
    return None

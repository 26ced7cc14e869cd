"""Any stream event that a user may have in hand, told apart by its own marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from rendercall.consumer.anthropic_wire import EVENTS, from_anthropic_event
from rendercall.consumer.langgraph_wire import (
    from_message,
    from_message_event,
    from_part,
    from_protocol,
)
from rendercall.consumer.openai_wire import from_chat_choice, from_chat_chunk, from_responses_event
from rendercall.consumer.stream_event import StreamEvent

__all__ = ["read_event"]


def read_event(event: Any) -> StreamEvent | None:
    """Read one event; None where it says nothing about tool calls.

    Args:
        event: an `AIMessageChunk` or its dict; `(chunk, metadata)`; `(mode, data)` or
            `(namespace, mode, data)` of `graph.stream`, or its v2 dict; a v3 protocol event
            or message event; an SDK stream part; an OpenAI chat chunk or choice, or a
            Responses event; an Anthropic event. SDK objects may come as they are.
    """
    if hasattr(event, "model_dump") and not hasattr(event, "additional_kwargs"):
        event = event.model_dump()  # an event object of a provider's SDK, and no message
    if isinstance(event, Mapping):
        return _from_mapping(cast("Mapping[str, Any]", event))
    if hasattr(event, "event") and hasattr(event, "data"):  # langgraph_sdk's StreamPart
        return from_part(event.event, event.data)
    if isinstance(event, tuple):
        return _from_tuple(event)
    return from_message(event)


def _from_mapping(event: Mapping[str, Any]) -> StreamEvent | None:
    if "method" in event:
        return from_protocol(event)
    if "choices" in event:
        return from_chat_chunk(event)
    if "delta" in event and "finish_reason" in event:
        return from_chat_choice(event)
    if "message" in event and "finish_reason" in event:
        return from_chat_choice(event)
    kind = event.get("type")
    if kind in EVENTS:
        return from_anthropic_event(event)
    if isinstance(kind, str) and kind.startswith("response."):
        return from_responses_event(event)
    if "event" in event:
        if "data" in event:
            return from_part(str(event["event"]), event["data"])
        return from_message_event(event)
    if "data" in event and "ns" in event:  # langgraph's stream version v2
        return from_part(str(kind), event["data"], tuple(event["ns"]))
    return from_message(event)


def _from_tuple(event: tuple[Any, ...]) -> StreamEvent | None:
    match event:
        case (str(mode), data):
            return from_part(mode, data)
        case (tuple(namespace), str(mode), data):
            return from_part(mode, data, namespace)
        case (message, Mapping()) if not isinstance(message, Sequence):
            return from_part("messages", event)
        case _:
            return None

"""What LangGraph streams: v1 tuples, v3 events, the SDK's parts, in process and over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rendercall.consumer.finish import reported_reason
from rendercall.consumer.fragments import from_chunk, from_protocol_event
from rendercall.consumer.messages import read_message
from rendercall.consumer.stream_event import Namespace, StreamEvent

__all__ = ["from_message", "from_part", "from_protocol"]

SEPARATOR = "|"
"""Between the parts of a namespace (langgraph, `NS_SEP`, and the server's event names)."""


def from_message(
    message: Any, namespace: Namespace = (), *, final: bool | None = None
) -> StreamEvent | None:
    """Read a message of `messages` mode: a chunk, or a whole message; None if not an AI's.

    Args:
        message: the message.
        namespace: of the graph that speaks.
        final: whether it is all of the message, or all so far; None where nothing says so.
    """
    read = read_message(message)
    # A JavaScript server calls its chunks `ai`, as it does whole messages, which have no pieces.
    is_chunk = isinstance(message, Mapping) and "tool_call_chunks" in message and final is None
    if read.role == "ai" and not is_chunk:
        return StreamEvent(
            message_id=read.id, namespace=namespace, whole=message, final=final is not False
        )
    if read.role not in {"chunk", "ai"}:
        return None
    return StreamEvent(
        tuple(from_chunk(message)),
        read.id,
        namespace,
        finish_reason=read.finish_reason,
        refusal=read.refusal or "",
        content=read.has_content,
    )


def from_part(name: str, data: Any, namespace: Namespace = ()) -> StreamEvent | None:
    """Read a part of a stream with modes: `(mode, data)`, or an SDK event and its data.

    Args:
        name: `messages`, `values`, …; the server adds the namespace: `messages|agent:1`.
        data: of that mode.
        namespace: where the stream gives it apart from the name.
    """
    mode, *path = name.split(SEPARATOR)
    namespace = namespace or tuple(path)
    if mode.startswith("messages") and not data:
        return None
    if mode in {"messages", "messages-tuple"}:
        if isinstance(data, Mapping):
            return from_message_event(data, namespace)
        message, metadata = data[0], data[1] if len(data) > 1 else {}
        return from_message(message, namespace or _namespace_of(metadata))
    if mode in {"messages/partial", "messages/complete"}:
        return from_message(data[-1], namespace, final=mode == "messages/complete")
    if mode == "values" and isinstance(data, Mapping):
        messages = data.get("messages")
        if messages is not None:  # a missing key is not an empty list
            return StreamEvent(namespace=namespace, messages=messages)
    if mode == "metadata":  # a run begins, anew where it was there before; or, in a thread, ends
        return StreamEvent(starts=True) if "status" not in (data or {}) else None
    if mode == "updates" and isinstance(data, Mapping):
        return _from_updates(data, namespace)
    if mode in {"cancelled", "error"}:
        return StreamEvent(namespace=namespace, cancelled=mode == "cancelled", ended=True)
    return None


def _from_updates(updates: Mapping[str, Any], namespace: Namespace) -> StreamEvent | None:
    """What each node wrote; None where no AI message is among it."""
    written = [one.get("messages") for one in updates.values() if isinstance(one, Mapping)]
    messages = [one for some in written if isinstance(some, list) for one in some]
    spoken = any(read_message(one).role == "ai" for one in messages)
    return StreamEvent(namespace=namespace, messages=messages) if spoken else None


def from_protocol(event: Mapping[str, Any]) -> StreamEvent | None:
    """Read a v3 protocol event (`method`, `params`), in process or over the server."""
    params: Mapping[str, Any] = event.get("params") or {}
    namespace = tuple(params.get("namespace") or ())
    data = params.get("data")
    method = event.get("method")
    if method == "messages":
        inner = data[0] if isinstance(data, Sequence) else data
        return from_message_event(inner, namespace)
    if method == "values" and isinstance(data, Mapping):
        return from_part("values", data, namespace)
    if method == "lifecycle" and isinstance(data, Mapping):
        ended = data.get("event") in {"interrupted", "failed"}
        return StreamEvent(namespace=namespace, ended=True) if ended else None
    return None


def from_message_event(event: Any, namespace: Namespace = ()) -> StreamEvent | None:
    """Read one v3 message event (`message-start` … `message-finish`), or a whole message."""
    if not isinstance(event, Mapping) or "event" not in event:
        return from_message(event, namespace)
    kind = event["event"]
    if kind == "message-start":
        message_id = event.get("id") or event.get("message_id")
        return StreamEvent(message_id=message_id, namespace=namespace, starts=True)
    if kind == "message-finish":
        metadata: Mapping[str, Any] = event.get("metadata") or {}
        reason = reported_reason(metadata) or event.get("reason")
        return StreamEvent(namespace=namespace, finish_reason=reason, ended=True)
    if kind in _BLOCKS:
        return StreamEvent(tuple(from_protocol_event(event)), namespace=namespace)
    return None


_BLOCKS = frozenset({"content-block-start", "content-block-delta", "content-block-finish"})


def _namespace_of(metadata: Mapping[str, Any]) -> Namespace:
    """The graph's namespace, from a message's metadata: its checkpoint's, less the node itself."""
    checkpoint = metadata.get("langgraph_checkpoint_ns") or ""
    return tuple(str(checkpoint).split(SEPARATOR)[:-1])

"""One answer of a model, as every wire sends it: text, calls, and why it stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from langchain_core.messages import AIMessageChunk

Calls = list[tuple[str, str, str]]
"""Name, id and args text of each call."""


def cut(text: str, size: int) -> Iterator[str]:
    for at in range(0, len(text), size):
        yield text[at : at + size]


def chunks(calls: Calls, size: int) -> Iterator[Any]:
    """langchain-core's chunks, as langchain-openai makes them."""
    for index, (name, call_id, text) in enumerate(calls):
        yield AIMessageChunk(
            "", id="m", tool_call_chunks=[{"name": name, "args": "", "id": call_id, "index": index}]
        )
        for piece in cut(text, size):
            yield AIMessageChunk(
                "",
                id="m",
                tool_call_chunks=[{"name": None, "args": piece, "id": None, "index": index}],
            )
    yield AIMessageChunk(
        "", id="m", response_metadata={"finish_reason": "tool_calls"}, chunk_position="last"
    )


def chunk_dicts(calls: Calls, size: int) -> Iterator[Any]:
    """The same over HTTP, where the args are half parsed beside the pieces."""
    for chunk in chunks(calls, size):
        yield chunk.model_dump()


def messages_tuples(calls: Calls, size: int) -> Iterator[Any]:
    """`stream_mode="messages"` of the root graph."""
    for chunk in chunks(calls, size):
        yield chunk, {"langgraph_node": "model", "langgraph_checkpoint_ns": "model:1"}


def subgraph_parts(calls: Calls, size: int) -> Iterator[Any]:
    """`stream_mode=["messages"], subgraphs=True`."""
    for part in messages_tuples(calls, size):
        yield (), "messages", part


def sdk_parts(calls: Calls, size: int) -> Iterator[Any]:
    """The SDK's events, all with one SSE id."""
    for chunk in chunks(calls, size):
        yield {
            "event": "messages",
            "id": "1-0",
            "data": [chunk.model_dump(), {"langgraph_node": "model"}],
        }


def message_events(calls: Calls, size: int) -> Iterator[Any]:
    """v3 message events; block indexes count text blocks too."""
    yield {"event": "message-start", "id": "m"}
    for index, (name, call_id, text) in enumerate(calls, start=1):
        block = {"type": "tool_call_chunk", "id": call_id, "name": name, "args": "", "index": index}
        yield {"event": "content-block-start", "index": index, "content": block}
        for piece in cut(text, size):
            delta = {"type": "tool-call-delta", "args": piece}
            yield {"event": "content-block-delta", "index": index, "delta": delta}
    yield {"event": "message-finish", "metadata": {"finish_reason": "tool_calls"}}


def protocol_events(calls: Calls, size: int) -> Iterator[Any]:
    """v3 protocol events, as the server sends them."""
    for event in message_events(calls, size):
        yield {
            "type": "event",
            "method": "messages",
            "params": {"namespace": [], "data": [event, {}]},
        }


def openai_chat(calls: Calls, size: int) -> Iterator[Any]:
    """Chat completion chunks."""

    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        return {
            "id": "chatcmpl-1",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        }

    for index, (name, call_id, text) in enumerate(calls):
        first = {"index": index, "id": call_id, "function": {"name": name, "arguments": ""}}
        yield chunk({"tool_calls": [first]})
        for piece in cut(text, size):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, "tool_calls")
    yield {"id": "chatcmpl-1", "choices": [], "usage": {}}


def openai_repeating(calls: Calls, size: int) -> Iterator[Any]:
    """The same from a server that repeats id and name with every piece."""
    for index, (name, call_id, text) in enumerate(calls):
        for piece in cut(text, size):
            call = {"index": index, "id": call_id, "function": {"name": name, "arguments": piece}}
            yield {"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": None}]}
    yield {"choices": [{"delta": {}, "finish_reason": "stop"}]}


def openai_without_index(calls: Calls, size: int) -> Iterator[Any]:
    """The same from a server that leaves the index out."""
    for part in openai_chat(calls, size):
        for choice in part["choices"]:
            for call in choice["delta"].get("tool_calls", ()):
                call.pop("index")
        yield part


def openai_all_zero(calls: Calls, size: int) -> Iterator[Any]:
    """The same from a server whose calls all have index 0."""
    for part in openai_chat(calls, size):
        for choice in part["choices"]:
            for call in choice["delta"].get("tool_calls", ()):
                call["index"] = 0
        yield part


def openai_responses(calls: Calls, size: int) -> Iterator[Any]:
    """Responses events; the item's own id is not the call's."""
    yield {"type": "response.created", "response": {"id": "resp_1"}}
    for index, (name, call_id, text) in enumerate(calls):
        item = {
            "type": "function_call",
            "id": f"fc_{index}",
            "call_id": call_id,
            "name": name,
            "arguments": "",
        }
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        for piece in cut(text, size):
            yield {
                "type": "response.function_call_arguments.delta",
                "output_index": index,
                "delta": piece,
            }
        yield {
            "type": "response.function_call_arguments.done",
            "output_index": index,
            "arguments": text,
        }
        yield {
            "type": "response.output_item.done",
            "output_index": index,
            "item": {**item, "arguments": text},
        }
    yield {"type": "response.completed", "response": {"status": "completed"}}


def anthropic(calls: Calls, size: int) -> Iterator[Any]:
    """Messages API events."""
    yield {"type": "message_start", "message": {"id": "msg_1"}}
    for index, (name, call_id, text) in enumerate(calls):
        block = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for piece in cut(text, size):
            delta = {"type": "input_json_delta", "partial_json": piece}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}
    yield {"type": "message_stop"}


WIRES: dict[str, Callable[[Calls, int], Iterator[Any]]] = {
    "chunks": chunks,
    "chunk dicts": chunk_dicts,
    "messages tuples": messages_tuples,
    "subgraph parts": subgraph_parts,
    "SDK parts": sdk_parts,
    "message events": message_events,
    "protocol events": protocol_events,
    "OpenAI chat": openai_chat,
    "OpenAI chat, repeating": openai_repeating,
    "OpenAI chat, no index": openai_without_index,
    "OpenAI chat, all index 0": openai_all_zero,
    "OpenAI Responses": openai_responses,
    "Anthropic": anthropic,
}

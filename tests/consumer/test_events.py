from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langgraph_sdk.schema import StreamPart
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseFunctionCallArgumentsDeltaEvent

from rendercall.consumer.events import read_event
from rendercall.consumer.fragments import Fragment
from rendercall.consumer.stream_event import StreamEvent

CHUNK = AIMessageChunk(
    "", id="m", tool_call_chunks=[{"name": "x", "args": "{", "id": "c", "index": 0}]
)
PIECE = (Fragment(0, "c", "x", "{"),)
META = {"langgraph_node": "model", "langgraph_checkpoint_ns": "child:1|model:2"}
ANSWER = AIMessage("", id="m")
ITEM = {"type": "function_call", "id": "fc", "call_id": "c", "name": "x", "arguments": "{}"}

EVENTS: dict[str, tuple[Any, StreamEvent | None]] = {
    "chunk": (CHUNK, StreamEvent(PIECE, "m")),
    "chunk of a subgraph": ((CHUNK, META), StreamEvent(PIECE, "m", ("child:1",))),
    "mode and data": (("messages", (CHUNK, {})), StreamEvent(PIECE, "m")),
    "namespace, mode and data": ((("a:1",), "messages", (CHUNK, {})), StreamEvent(PIECE, "m", ("a:1",))),
    "v2 part": ({"type": "messages", "ns": ("a:1",), "data": (CHUNK, {})}, StreamEvent(PIECE, "m", ("a:1",))),
    "SDK part": (StreamPart("messages|a:1", [CHUNK.model_dump(), {}]), StreamEvent(PIECE, "m", ("a:1",))),
    "whole message": (ANSWER, StreamEvent(message_id="m", whole=ANSWER)),
    "snapshot": (
        {"event": "messages/partial", "data": [{"type": "ai", "id": "m"}]},
        StreamEvent(message_id="m", whole={"type": "ai", "id": "m"}, final=False),
    ),
    "values": (("values", {"messages": []}), StreamEvent(messages=[])),
    "values of a subgraph": (((("a:1",)), "values", {"messages": []}), StreamEvent(messages=[], namespace=("a:1",))),
    "updates": (("updates", {"model": {"messages": [ANSWER]}}), StreamEvent(messages=[ANSWER])),
    "updates of a tool": (("updates", {"tools": {"messages": [ToolMessage("x", tool_call_id="c")]}}), None),
    "updates of nothing": (("updates", {"model": None, "__interrupt__": ()}), None),
    "protocol values": (
        {"method": "values", "params": {"namespace": [], "data": {"messages": []}}}, StreamEvent(messages=[]),
    ),
    "message start": ({"event": "message-start", "id": "m"}, StreamEvent(message_id="m", starts=True)),
    "message finish": (
        {"event": "message-finish", "metadata": {"finish_reason": "stop"}},
        StreamEvent(finish_reason="stop", ended=True),
    ),
    "failed run": (
        {"method": "lifecycle", "params": {"namespace": [], "data": {"event": "failed"}}}, StreamEvent(ended=True),
    ),
    "openai object": (
        ChatCompletionChunk.model_validate({
            "id": "chatcmpl", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": 0, "finish_reason": None, "delta": {"tool_calls": [
                {"index": 0, "id": "c", "function": {"name": "x", "arguments": "{"}}]}}],
        }),
        StreamEvent(PIECE, "chatcmpl"),
    ),
    "responses object": (
        ResponseFunctionCallArgumentsDeltaEvent(
            delta="{", item_id="fc", output_index=0, sequence_number=1,
            type="response.function_call_arguments.delta",
        ),
        StreamEvent((Fragment(0, None, None, "{"),)),
    ),
    "responses, cut": (
        {"type": "response.incomplete", "response": {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}},
        StreamEvent(finish_reason="max_output_tokens"),
    ),
    "anthropic stop": (
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}, StreamEvent(finish_reason="max_tokens"),
    ),
    "second choice": (
        {"id": "c", "choices": [{"index": 1, "delta": {"content": "x"}, "finish_reason": None}]}, None,
    ),
    "null among the calls": (
        {"delta": {"tool_calls": [None, {"index": 0, "id": "c", "function": {"name": "x", "arguments": "{"}}]},
         "finish_reason": None},
        StreamEvent(PIECE),
    ),
    "responses, args at the end": (
        {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{}"},
        StreamEvent((Fragment(0, None, None, "{}", whole=True),)),
    ),
    "responses, item at the end": (
        {"type": "response.output_item.done", "output_index": 0, "item": ITEM},
        StreamEvent((Fragment(0, "c", "x", "{}", whole=True),)),
    ),
    "responses, all at the end": (
        {"type": "response.completed", "response": {"status": "completed", "output": [{"type": "reasoning"}, ITEM]}},
        StreamEvent((Fragment(1, "c", "x", "{}", whole=True),), finish_reason="completed"),
    ),
    "anthropic, whole at the start": (
        {"type": "content_block_start", "index": 0,
         "content_block": {"type": "tool_use", "id": "c", "name": "x", "input": {"q": 1}}},
        StreamEvent((Fragment(0, "c", "x", '{"q": 1}'),)),
    ),
    "block snapshot of an older core": (
        {"event": "content-block-delta", "index": 0,
         "delta": {"type": "block-delta", "fields": {"type": "tool_call_chunk", "id": "c", "name": "x", "args": "{"}}},
        StreamEvent(PIECE),
    ),
    "a run begins": ({"event": "metadata", "data": {"run_id": "r", "attempt": 2}}, StreamEvent(starts=True)),
    "chunk of a JavaScript server": (
        ("messages", [{"type": "ai", "id": "m", "content": "", "tool_calls": [], "tool_call_chunks": [
            {"name": "x", "args": "{", "id": "c", "index": 0}]}, {}]),
        StreamEvent(PIECE, "m"),
    ),
    "snapshot of a JavaScript server": (
        {"event": "messages/complete", "data": [{"type": "ai", "id": "m", "tool_call_chunks": []}]},
        StreamEvent(message_id="m", whole={"type": "ai", "id": "m", "tool_call_chunks": []}),
    ),
    "no messages": ({"event": "messages/partial", "data": []}, None),
    "a chunk without pieces": ({"type": "AIMessageChunk", "content": "", "tool_call_chunks": None}, StreamEvent()),
    "human message": (HumanMessage("x"), None),
    "tool message": ((ToolMessage("x", tool_call_id="c"), META), None),
    "usage chunk": ({"id": "x", "choices": [], "usage": {}}, None),
    "ping": ({"type": "ping"}, None),
}  # fmt: skip


@pytest.mark.parametrize(("event", "expected"), EVENTS.values(), ids=EVENTS)
def test_any_event_that_a_user_has_in_hand_is_read(
    event: Any, expected: StreamEvent | None
) -> None:
    """Objects of every SDK, tuples of every mode, and their dict forms."""
    assert read_event(event) == expected

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    ToolMessage,
    message_to_dict,
)

from rendercall.consumer.messages import Call, Message, read_message
from rendercall.errors import StateError

ARGS = {"x": 1}
TEXT = json.dumps(ARGS, separators=(",", ":"))
CALL = {"name": "render_x", "args": ARGS, "id": "c1", "type": "tool_call"}
OPENAI_CALL = {"id": "c1", "type": "function", "function": {"name": "render_x", "arguments": TEXT}}
OBJECT = AIMessage("hi", id="a1", tool_calls=[CALL])

SHAPES: dict[str, Any] = {
    "object": OBJECT,
    "model_dump": OBJECT.model_dump(),
    "message_to_dict": message_to_dict(OBJECT),
    "serialised": dumpd(OBJECT),
    "wire": {"type": "ai", "id": "a1", "content": "hi", "tool_calls": [CALL]},
    "camel case": {"type": "ai", "id": "a1", "content": "hi", "toolCalls": [CALL]},
    "openai chat": {"role": "assistant", "content": "hi", "tool_calls": [OPENAI_CALL]},
    "null among the calls": {"role": "assistant", "content": "hi", "tool_calls": [None, OPENAI_CALL]},
    "additional_kwargs": {
        "type": "ai", "content": "hi", "additional_kwargs": {"tool_calls": [OPENAI_CALL]},
    },
    "anthropic": {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "hi"},
            {"type": "tool_use", "id": "c1", "name": "render_x", "input": ARGS},
        ],
    },
    "v1 content block": AIMessage([{"type": "text", "text": "hi"}, CALL]),
    "responses item": {
        "type": "function_call", "id": "fc_1", "call_id": "c1", "name": "render_x", "arguments": TEXT,
    },
}  # fmt: skip


@pytest.mark.parametrize("source", SHAPES.values(), ids=SHAPES)
def test_a_call_is_the_same_in_every_shape(source: Any) -> None:
    """Name, id and args are read alike from all of them."""
    message = read_message(source)
    assert message.role == "ai"
    (call,) = message.calls
    assert (call.name, call.id, json.loads(call.text)) == ("render_x", "c1", ARGS)


def test_args_text_is_raw_only_where_the_model_wrote_it() -> None:
    """Parsed args cannot tell whether a lenient parser completed them."""
    assert not read_message(OBJECT).calls[0].raw
    assert read_message(SHAPES["openai chat"]).calls[0].raw


def test_tool_calls_win_over_content_blocks() -> None:
    """Responses messages carry two ids, and an empty block beside the real call."""
    content = [{"type": "tool_call", "id": "fc_123", "name": "render_x", "args": {}}]
    message = read_message({"type": "ai", "content": content, "tool_calls": [CALL]})
    assert message.calls == (Call("render_x", "c1", TEXT, raw=False),)


def test_invalid_calls_keep_their_raw_text() -> None:
    """A cut call is a call, with the text as it came."""
    broken = {"name": "render_x", "args": '{"x":', "id": "c2", "error": "cut"}
    calls = read_message(
        AIMessage("", tool_calls=[CALL], invalid_tool_calls=[broken])  # type: ignore[list-item]
    ).calls
    assert [call.text for call in calls] == [TEXT, '{"x":']
    nothing = {"name": "render_x", "args": None, "id": "c3", "error": None}
    assert read_message({"type": "ai", "invalid_tool_calls": [nothing]}).calls[0].text == ""


def test_missing_ids_are_made_up_and_stay_the_same() -> None:
    """Two calls without an id are two calls, at every reading."""
    source = {"type": "ai", "id": "a1", "tool_calls": [{**CALL, "id": None}, {**CALL, "id": ""}]}
    ids = [call.id for call in read_message(source).calls]
    assert ids == [call.id for call in read_message(source).calls]
    assert len(set(ids)) == 2


ROLES: dict[str, tuple[Any, str]] = {
    "human": (HumanMessage("x"), "human"),
    "user dict": ({"role": "user", "content": "x"}, "human"),
    "tuple": (("human", "x"), "human"),
    "responses message": ({"type": "message", "role": "assistant", "content": []}, "ai"),
    "chunk": (AIMessageChunk("x"), "chunk"),
    "chunk dict": ({"type": "AIMessageChunk", "content": "x"}, "chunk"),
    "tool": (ToolMessage("x", tool_call_id="c1"), "tool"),
    "anthropic results": (
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1"}]}, "tool",
    ),
    "anthropic user": (
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1"}, {"type": "text"}]},
        "human",
    ),
    "responses output": ({"type": "function_call_output", "call_id": "c1"}, "tool"),
    "system": ({"role": "system", "content": "x"}, "other"),
    "reasoning item": ({"type": "reasoning", "id": "rs_1"}, "other"),
    "no message": (42, "other"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "role"), ROLES.values(), ids=ROLES)
def test_roles(source: Any, role: str) -> None:
    """Who speaks is told alike from every shape."""
    message = read_message(source)
    assert message.role == role
    if role == "tool":
        assert message.answers == ("c1",)


def test_errors_of_tool_messages() -> None:
    """An error answer is told from a good one, in both providers' words."""
    assert read_message(ToolMessage("x", tool_call_id="c1", status="error")).is_error
    block = {"type": "tool_result", "tool_use_id": "c1", "is_error": True}
    assert read_message({"role": "user", "content": [block]}).is_error


FINISH: dict[str, tuple[Any, str | None]] = {
    "openai": (AIMessage("", response_metadata={"finish_reason": "stop"}), "stop"),
    "anthropic": (AIMessage("", response_metadata={"stop_reason": "max_tokens"}), "max_tokens"),
    "bedrock": (AIMessage("", response_metadata={"stopReason": "tool_use"}), "tool_use"),
    "wire": ({"role": "assistant", "content": "", "stop_reason": "end_turn"}, "end_turn"),
    "responses": (
        AIMessage("", response_metadata={"incomplete_details": {"reason": "max_output_tokens"}}),
        "max_output_tokens",
    ),
    "doubled": (AIMessage("", response_metadata={"finish_reason": "stopstop"}), "stop"),
    "none": (AIMessage(""), None),
}


@pytest.mark.parametrize(("source", "reason"), FINISH.values(), ids=FINISH)
def test_finish_reasons(source: Any, reason: str | None) -> None:
    """The provider's own word, wherever it stands."""
    assert read_message(source).finish_reason == reason


def test_refusals() -> None:
    """A refusal is found beside the content and in its blocks."""
    assert read_message(AIMessage("", additional_kwargs={"refusal": "no"})).refusal == "no"
    blocks = [{"type": "refusal", "refusal": "no"}]
    assert read_message({"role": "assistant", "content": blocks}).refusal == "no"
    assert read_message(AIMessage("x")).refusal is None


CONTENT: dict[str, tuple[Any, bool]] = {
    "text": ("x", True),
    "space": (" \n", False),
    "nothing": (None, False),
    "blocks": ([{"type": "text", "text": "x"}], True),
    "empty text block": ([{"type": "text", "text": ""}], False),
    "only a call": ([{"type": "tool_use", "id": "1", "name": "x", "input": {}}], False),
    "an image": ([{"type": "image"}], True),
}


@pytest.mark.parametrize(("content", "expected"), CONTENT.values(), ids=CONTENT)
def test_has_content(content: Any, expected: bool) -> None:
    """Text and blocks are content; calls and blanks are not."""
    assert read_message({"type": "ai", "content": content}).has_content is expected


LOST: dict[str, Any] = {
    "object": BaseMessage(content="", type="ai", id="a1"),
    "dump": BaseMessage(content="", type="ai", id="a1").model_dump(),
}


@pytest.mark.parametrize("source", LOST.values(), ids=LOST)
def test_a_message_stored_without_its_calls_is_refused(source: Any) -> None:
    """It cannot be told from one that never had any, so that no answer would be true."""
    with pytest.raises(StateError, match=r"list\[AnyMessage\]"):
        read_message(source)


def test_a_message_is_frozen() -> None:
    """What was read cannot be changed by its reader."""
    with pytest.raises(AttributeError):
        Message("ai").role = "human"  # type: ignore[misc]

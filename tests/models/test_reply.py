"""What a reply is, and that its stream and its whole are the same message."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk

from rendercall.errors import ModelError
from rendercall.models.reply import Call, Reply, chunks, parse_call, whole

PLAN = {"topic": "线性代数 😀", "lessons": [{"title": 'a "b"\n', "duration_minutes": 20}]}


def merged(parts: list[ChatGenerationChunk]) -> AIMessageChunk:
    first, *rest = [part.message for part in parts]
    message = first + rest  # type: ignore[operator]  # pydantic messages add lists of chunks
    assert isinstance(message, AIMessageChunk)
    return message


@pytest.mark.parametrize("size", range(1, 40))
def test_every_chunk_size_gives_the_same_message(size: int) -> None:
    """Whatever the chunk size, the stream merges to the whole message."""
    reply = Reply("some text", (Call("search", {"q": "x"}, "a"), Call("render", PLAN, "b")))
    streamed = merged(list(chunks(reply, [size])))
    at_once = whole(reply).generations[0].message
    assert isinstance(at_once, AIMessage)
    assert streamed.tool_calls == at_once.tool_calls
    assert streamed.content == at_once.content == "some text"


@given(st.text(st.characters(exclude_categories=["Cs"])), st.lists(st.integers(1, 9), min_size=1))
def test_no_character_is_lost_at_any_cut(text: str, sizes: list[int]) -> None:
    """Text and raw args arrive character for character, cut anywhere."""
    parts = list(chunks(Reply(text, (Call("render", text, "a"),)), sizes))
    content = "".join(str(part.message.content) for part in parts)
    calls = [c for part in parts for c in part.message.tool_call_chunks]  # type: ignore[attr-defined]
    assert (content, "".join(c["args"] or "" for c in calls)) == (text, text)


def test_the_wire_shape_is_that_of_langchain_openai() -> None:
    """Name and id come once with empty args; then args and index; the reason at the end."""
    reply = Reply("ab", (Call("render", "{}", "a"), Call("render", "1", "b")))
    parts = list(chunks(reply, [1], "m"))
    calls = [part.message.tool_call_chunks for part in parts]  # type: ignore[attr-defined]
    flat = [(c["name"], c["args"], c["id"], c["index"]) for each in calls for c in each]
    assert flat == [
        ("render", "", "a", 0),
        (None, "{", None, 0),
        (None, "}", None, 0),
        ("render", "", "b", 1),
        (None, "1", None, 1),
    ]
    assert [part.message.content for part in parts[:2]] == ["a", "b"]
    assert parts[-1].generation_info == {"finish_reason": "tool_calls", "model_name": "m"}


@pytest.mark.parametrize(
    ("raw", "valid"),
    [
        pytest.param('{"a": 1}', True, id="object"),
        pytest.param("", True, id="empty-is-no-arguments"),
        pytest.param('{"a": "\n"}', True, id="control-character-as-core-reads-it"),
        pytest.param('{"a": ', False, id="cut"),
        pytest.param("[1]", False, id="array"),
        pytest.param("null", False, id="null"),
        pytest.param('{"a": ' + "9" * 5000 + "}", False, id="5000-digits"),
        pytest.param('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", False, id="deep"),
    ],
)
def test_a_call_is_parsed_or_kept_raw_and_never_raises(raw: str, valid: bool) -> None:
    """Args that are no JSON object become an invalid call with their raw text and an error."""
    call: Any = parse_call(Call("render", raw, "a"))
    assert call["type"] == ("tool_call" if valid else "invalid_tool_call")
    assert valid or (call["args"] == raw and call["error"])
    assert whole(Reply(calls=(Call("render", raw, "a"),)))


def test_cut_keeps_the_beginning_of_the_last_call() -> None:
    """A cut reply ends inside its last call's args, with the reason "length" unless lied about."""
    reply = Reply(calls=(Call("search", {"q": 1}), Call("render", PLAN)))
    text = json.dumps(PLAN, ensure_ascii=False)
    for at in range(len(text)):
        cut = reply.cut(at)
        assert (cut.calls[0], cut.calls[1].args, cut.reason) == (
            reply.calls[0],
            text[:at],
            "length",
        )
    assert reply.cut(3, finish_reason="tool_calls").reason == "tool_calls"
    with pytest.raises(ModelError, match="no tool call to cut"):
        Reply("text").cut(1)


def test_the_finish_reason_follows_the_calls_unless_given() -> None:
    """The default is what OpenAI says: tool_calls with calls, stop without."""
    assert [Reply("a").reason, Reply(calls=(Call("x", {}),)).reason] == ["stop", "tool_calls"]
    assert Reply("a", finish_reason="content_filter").reason == "content_filter"


def test_a_refusal_and_the_usage_arrive_both_ways() -> None:
    """Streamed or whole, refusal and token counts are on the message."""
    usage: Any = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
    reply = Reply(refusal="I can't help.", usage=usage)
    for message in (merged(list(chunks(reply, [4]))), whole(reply).generations[0].message):
        assert isinstance(message, AIMessage)
        assert message.additional_kwargs == {"refusal": "I can't help."}
        assert message.usage_metadata == usage


def test_a_message_becomes_the_reply_that_makes_it() -> None:
    """`Reply.of` keeps text, valid and broken calls, the reason, the refusal and the usage."""
    reply = Reply(
        "t", (Call("a", {"x": 1}, "1"), Call("b", "{", "2")), finish_reason="length", refusal="no"
    )
    generation = whole(reply).generations[0]
    message = generation.message
    assert isinstance(message, AIMessage)
    message.response_metadata = generation.generation_info or {}
    assert Reply.of(message) == reply
    with pytest.raises(ModelError, match="image_url"):
        Reply.of(AIMessage([{"type": "image_url", "image_url": {"url": "x"}}]))

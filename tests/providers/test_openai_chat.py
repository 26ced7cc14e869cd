"""The imitation of OpenAI's chat completions, spoken to by langchain-openai."""

from __future__ import annotations

from typing import Any

import openai
import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from .http import Answer, Disconnect
from .openai_chat import OpenAIChatServer
from .rules.openai_chat import check
from .scenario import ARGS, NAME, RAW, TOOL, answered, answers, unanswered

CALLS = [(NAME, RAW, "call_a"), (NAME, RAW, "call_b")]
STREAMING = pytest.mark.parametrize("streaming", [True, False], ids=["stream", "whole"])


def client(server: OpenAIChatServer) -> Any:
    key = SecretStr("test")
    model: Any = ChatOpenAI(
        model="gpt-4o", base_url=server.base_url, api_key=key, use_responses_api=False
    )
    return model.bind_tools([TOOL])


@STREAMING
def test_a_call_turn_parses_and_its_answered_history_passes(streaming: bool) -> None:
    """The client reads text, calls and finish reason as scripted, and the next turn is taken."""
    with OpenAIChatServer([Answer(text="Here: ", calls=CALLS), Answer(text="Bye.")]) as server:
        said = answers(client(server), "plan", streaming=streaming)
        bye = answers(client(server), answered(said), streaming=streaming)
    assert said.content == "Here: "
    assert [(call["id"], call["args"]) for call in said.tool_calls] == [
        ("call_a", ARGS),
        ("call_b", ARGS),
    ]
    assert said.response_metadata["finish_reason"] == "tool_calls"
    assert bye.content == "Bye."
    assert server.paths == ["/v1/chat/completions"] * 2
    assert server.refusals == []


@STREAMING
def test_an_unanswered_call_gets_openais_refusal(streaming: bool) -> None:
    """The client raises the provider's own sentence with every open id."""
    with OpenAIChatServer([Answer(calls=CALLS)]) as server:
        said = answers(client(server), "plan", streaming=streaming)
        with pytest.raises(
            openai.BadRequestError, match="did not have response messages: call_a, call_b"
        ):
            answers(client(server), unanswered(said), streaming=streaming)
    assert len(server.refusals) == 1
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer(text="cut", finish_reason="length"), ["length"]),
        (Answer(text="x", finish_reason=()), [None]),
        (Answer(text="x", finish_reason=("stop", "length")), ["stop", "length"]),
    ],
    ids=["cut", "missing", "doubled"],
)
def test_finish_reasons_are_sent_as_scripted(answer: Answer, expected: list[str | None]) -> None:
    """None, one or two finish reasons are on the wire, each in its own event."""
    with (
        OpenAIChatServer([answer]) as server,
        openai.OpenAI(base_url=server.base_url, api_key="test") as sdk,
    ):
        stream = sdk.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hi"}], stream=True
        )
        reasons: list[str | None] = [
            c.finish_reason for chunk in stream for c in chunk.choices if c.finish_reason
        ]
    assert (reasons or [None]) == expected


def test_a_client_that_hangs_up_is_written_down() -> None:
    """The server knows which request was dropped, and how much of it was out."""
    with OpenAIChatServer([Answer(text="x" * 70, delay=0.05)]) as server:
        stream = client(server).stream("plan")
        for chunk in stream:
            if chunk.content:
                break
        stream.close()
        assert server.hung_up.wait(10)
    (gone,) = server.disconnects
    assert gone == Disconnect(request=0, sent=gone.sent, total=70)
    assert 7 <= gone.sent < 70


def test_a_scripted_http_error_and_the_end_of_the_script_reach_the_client() -> None:
    """An error body is sent as it is; a request beyond the script is no silent success."""
    body = {"error": {"message": "no", "type": "t", "param": None, "code": "c"}}
    with OpenAIChatServer([Answer(http_error=(403, body))]) as server:
        with pytest.raises(openai.PermissionDeniedError, match="no"):
            client(server).invoke("plan")
        with pytest.raises(openai.APIStatusError, match="the script has 1 answers"):
            client(server).invoke("plan")


def call(**changes: Any) -> dict[str, Any]:
    function = {"name": "f", "arguments": "{}", **changes.pop("function", {})}
    return {"id": "call_a", "type": "function", "function": function, **changes}


USER = {"role": "user", "content": "hi"}
TOOL_ANSWER = {"role": "tool", "tool_call_id": "call_a", "content": "ok"}


def calling(*calls: dict[str, Any], content: Any = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


@pytest.mark.parametrize(
    "messages",
    [
        [USER],
        [USER, calling(call()), TOOL_ANSWER, USER],
        [USER, calling(call(function={"arguments": '{"cut": '})), TOOL_ANSWER],
        [USER, calling(call(), call(id="b")), {**TOOL_ANSWER, "tool_call_id": "b"}, TOOL_ANSWER],
        [USER, {"role": "assistant", "content": ""}, USER],
        [USER, {"role": "assistant", "content": None, "refusal": "no"}, USER],
    ],
    ids=["text", "answered", "not-json-args", "any-order", "empty-text", "refusal"],
)
def test_what_openai_takes_passes(messages: list[dict[str, Any]]) -> None:
    """No rule is stricter than the provider."""
    assert check({"messages": messages}) is None


@pytest.mark.parametrize(
    ("messages", "param", "code", "message"),
    [
        ([], "messages", "empty_array", "empty array"),
        ([USER, calling(call())], "messages.[2].role", None, "did not have response messages"),
        ([USER, calling(call()), USER], "messages.[2].role", None, "must be followed by"),
        ([USER, TOOL_ANSWER], "messages.[1].role", None, "preceeding message"),
        (
            [USER, calling(call(id="b")), TOOL_ANSWER],
            "messages.[2].tool_call_id",
            None,
            "'tool_call_id' of 'call_a' not found",
        ),
        (
            [USER, calling(call()), USER, TOOL_ANSWER],
            "messages.[2].role",
            None,
            "did not have response messages: call_a",
        ),
        (
            [USER, calling(call(id="x" * 41))],
            "messages[1].tool_calls[0].id",
            "string_above_max_length",
            "maximum length 40, but got a string with length 41",
        ),
        (
            [USER, calling(call(function={"arguments": {}}))],
            "messages[1].tool_calls[0].function.arguments",
            "invalid_type",
            "expected a string, but got an object instead",
        ),
        (
            [USER, calling(call(function={"name": "a.b"}))],
            "messages[1].tool_calls[0].function.name",
            "invalid_value",
            "does not match pattern",
        ),
        (
            [USER, calling(call(function={"name": ""}))],
            "messages[1].tool_calls[0].function.name",
            "empty_string",
            "empty string",
        ),
        ([USER, calling(content="x")], "messages[1].tool_calls", "empty_array", "empty array"),
        (
            [USER, {"role": "assistant", "content": None}],
            "messages.[1].content",
            None,
            "expected a string, got null",
        ),
        (
            [USER, {"role": "assistant", "content": []}],
            "messages[1].content",
            "empty_array",
            "empty array",
        ),
        (
            [USER, {"role": "assistant", "content": ["x"]}],
            "messages[1].content[0]",
            "invalid_type",
            "expected an object, but got a string instead",
        ),
    ],
    ids=[
        "no-messages",
        "open-at-end",
        "open",
        "tool-alone",
        "other-id",
        "late-answer",
        "long-id",
        "object-args",
        "name",
        "empty-name",
        "empty-calls",
        "null-content",
        "no-parts",
        "bare-string-part",
    ],
)
def test_what_openai_refuses(
    messages: list[dict[str, Any]], param: str, code: str | None, message: str
) -> None:
    """Status, error shape, place and words are the provider's own."""
    refusal = check({"messages": messages})
    assert refusal is not None
    assert refusal.status == 400
    error = refusal.body["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert (error["type"], error["param"], error["code"]) == ("invalid_request_error", param, code)
    assert message in error["message"]

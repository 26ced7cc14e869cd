"""The imitation of Mistral's chat completions, spoken to by langchain-mistralai."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from langchain_mistralai import ChatMistralAI

from .http import Answer
from .mistral import MistralServer
from .rules.mistral import check
from .scenario import ARGS, NAME, RAW, TOOL, answered, answers, unanswered

CALLS = [(NAME, RAW, "aaaaaaaa1"), (NAME, RAW, "aaaaaaaa2")]
STREAMING = pytest.mark.parametrize("streaming", [True, False], ids=["stream", "whole"])


def client(server: MistralServer) -> Any:
    settings: dict[str, Any] = {"api_key": "test", "max_retries": 1, "endpoint": server.base_url}
    model: Any = ChatMistralAI(**settings, model_name="mistral-large-latest")
    return model.bind_tools([TOOL])


@STREAMING
def test_a_call_turn_parses_and_its_answered_history_passes(streaming: bool) -> None:
    """Text and calls are read as scripted; the next turn needs the assistant between."""
    with MistralServer([Answer(text="Here: ", calls=CALLS), Answer(text="Bye.")]) as server:
        said = answers(client(server), "plan", streaming=streaming)
        with pytest.raises(httpx.HTTPStatusError, match="Unexpected role 'user' after role 'tool'"):
            answers(client(server), answered(said), streaming=streaming)
        bye = answers(client(server), answered(said, "Shown."), streaming=streaming)
    assert said.content == "Here: "
    assert [(call["id"], call["args"]) for call in said.tool_calls] == [
        ("aaaaaaaa1", ARGS),
        ("aaaaaaaa2", ARGS),
    ]
    assert said.response_metadata["finish_reason"] == "tool_calls"
    assert bye.content == "Bye."


@STREAMING
def test_an_unanswered_call_gets_mistrals_refusal(streaming: bool) -> None:
    """The client raises the provider's own sentence and code."""
    with MistralServer([Answer(calls=CALLS)]) as server:
        said = answers(client(server), "plan", streaming=streaming)
        with pytest.raises(httpx.HTTPStatusError, match=r"Not the same number.*3230"):
            answers(client(server), unanswered(said), streaming=streaming)


USER = {"role": "user", "content": "hi"}
SAID = {"role": "assistant", "content": "ok"}


def calling(*ids: str | None, name: str = "f") -> dict[str, Any]:
    calls = [{"id": i, "function": {"name": name, "arguments": "{"}} for i in ids]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def tool(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "ok"}


A, B = "aaaaaaaa1", "aaaaaaaa2"


@pytest.mark.parametrize(
    "messages",
    [
        [USER],
        [USER, calling(A, B), tool(B), tool(A)],
        [USER, calling(A), tool(A), SAID, USER],
        [USER, USER, SAID, SAID, USER],
    ],
    ids=["text", "parallel", "bridged", "repeated-roles"],
)
def test_what_mistral_takes_passes(messages: list[Any]) -> None:
    """No rule is stricter than the provider; argument text need not be JSON."""
    assert check({"messages": messages}) is None


@pytest.mark.parametrize(
    ("messages", "code", "message"),
    [
        ([USER, calling(A), tool(A), USER], "3230", "Unexpected role 'user' after role 'tool'"),
        ([USER, tool(A), SAID, USER], "3230", "Unexpected role 'tool' after role 'user'"),
        ([USER, calling(A), USER], "3230", "Not the same number of function calls and responses"),
        ([USER, calling(A, B), tool(A)], "3230", "Not the same number of function calls"),
        ([USER, calling(A), tool(A), tool(A)], "3230", f"Duplicate tool call id {A} in tool"),
        ([USER, calling(A), tool(B)], "3230", f"Unexpected tool call id {B} in tool results"),
        ([USER, calling(A, A), tool(A)], "3230", f"Duplicate tool call id {A} in assistant"),
        ([USER, SAID], "3230", "Expected last role User or Tool"),
        ([USER, calling("call_1"), tool("call_1")], "3280", "Tool call id was call_1 but must be"),
        ([USER, calling(A, name="a.b"), tool(A)], None, "Function name was a.b but must be"),
    ],
    ids=[
        "user-after-tool",
        "tool-alone",
        "open",
        "half-open",
        "answered-twice",
        "other-id",
        "same-id",
        "assistant-last",
        "id",
        "name",
    ],
)
def test_what_mistral_refuses(messages: list[Any], code: str | None, message: str) -> None:
    """Status, error shape, code and words are the provider's own."""
    refusal = check({"messages": messages})
    assert refusal is not None
    assert (refusal.status, refusal.body["object"], refusal.body["code"]) == (400, "error", code)
    assert message in refusal.body["message"]

"""The imitation of Anthropic's messages, spoken to by langchain-anthropic."""

from __future__ import annotations

from typing import Any

import anthropic
import pytest
from langchain_anthropic import ChatAnthropic

from .anthropic import AnthropicServer
from .http import Answer
from .rules.anthropic import check, signature
from .scenario import ARGS, NAME, RAW, TOOL, answered, answers, unanswered

CALLS = [(NAME, RAW, "toolu_a"), (NAME, RAW, "toolu_b")]
STREAMING = pytest.mark.parametrize("streaming", [True, False], ids=["stream", "whole"])


def client(server: AnthropicServer, **options: Any) -> Any:
    settings: dict[str, Any] = {"api_key": "test", "max_retries": 0, "base_url": server.base_url}
    model: Any = ChatAnthropic(model_name="claude-imitation", **settings, **options)
    return model.bind_tools([TOOL])


@STREAMING
@pytest.mark.parametrize("thinking", ["", "Let me think."], ids=["plain", "thinking"])
def test_a_call_turn_parses_and_its_answered_history_passes(streaming: bool, thinking: str) -> None:
    """Text, signed thinking and calls are read as scripted, and the next turn is taken."""
    script = [Answer(text="Here: ", calls=CALLS, reasoning=thinking), Answer(text="Bye.")]
    options = {"thinking": {"type": "enabled", "budget_tokens": 1024}} if thinking else {}
    with AnthropicServer(script) as server:
        model = client(server, max_tokens=2048, **options)
        said = answers(model, "plan", streaming=streaming)
        bye = answers(model, answered(said), streaming=streaming)
    assert said.text == "Here: "
    assert [(call["id"], call["args"]) for call in said.tool_calls] == [
        ("toolu_a", ARGS),
        ("toolu_b", ARGS),
    ]
    assert said.response_metadata["stop_reason"] == "tool_use"
    assert bye.text == "Bye."
    assert server.paths == ["/v1/messages"] * 2
    assert server.refusals == []


@STREAMING
def test_an_unanswered_call_gets_anthropics_refusal(streaming: bool) -> None:
    """The client raises the provider's own sentence with every open id."""
    with AnthropicServer([Answer(calls=CALLS)]) as server:
        said = answers(client(server), "plan", streaming=streaming)
        with pytest.raises(anthropic.BadRequestError, match="immediately after: toolu_a, toolu_b"):
            answers(client(server), unanswered(said), streaming=streaming)


def test_argument_text_streams_as_it_was_written() -> None:
    """Cut argument text arrives character by character, with its stop reason."""
    cut = Answer(calls=[(NAME, RAW[:20], "toolu_a")], finish_reason="max_tokens", chunk=3)
    with AnthropicServer([cut]) as server:
        chunks = list(client(server).stream("plan"))
    parts = [part["args"] or "" for chunk in chunks for part in chunk.tool_call_chunks]
    assert "".join(parts) == RAW[:20]
    assert chunks[-1].response_metadata.get("stop_reason", "max_tokens") == "max_tokens"


USER = {"role": "user", "content": "hi"}


def use(**changes: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "a", "name": "f", "input": {}, **changes}


def said(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


RESULT = {"type": "tool_result", "tool_use_id": "a", "content": "ok"}
TEXT = {"type": "text", "text": "x"}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": signature("hm")}
ENABLED = {"type": "enabled", "budget_tokens": 1024}


@pytest.mark.parametrize(
    ("messages", "thinking"),
    [
        ([USER], None),
        ([USER, said(TEXT, use()), user(RESULT, TEXT)], None),
        ([USER, said(TEXT), USER], ENABLED),
        ([USER, said(THOUGHT, use()), user(RESULT)], ENABLED),
        ([USER, said(use()), user(RESULT), said(TEXT), USER], ENABLED),
        ([USER, said()], None),
    ],
    ids=["text", "paired", "thinking-text", "thinking-call", "earlier-turn", "empty-final"],
)
def test_what_anthropic_takes_passes(messages: list[Any], thinking: Any) -> None:
    """No rule is stricter than the provider."""
    assert check({"messages": messages, "thinking": thinking}) is None


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        ([USER, said(use()), USER], "messages.1: `tool_use` ids were found without"),
        ([USER, said(use())], "immediately after: a."),
        ([USER, said(use()), user(TEXT, RESULT)], "immediately after: a."),
        ([USER, user(RESULT)], "messages.1.content.0: unexpected `tool_use_id` found"),
        ([USER, said(use(id="a.b"))], "content.0.tool_use.id: String should match pattern"),
        ([USER, said(use(input="{}"))], "tool_use.input: Input should be a valid dictionary"),
        ([USER, said(use(), use()), user(RESULT)], "messages.1.content.1: `tool_use` ids must be"),
        ([USER, said({"type": "input_json_delta"})], "Input tag 'input_json_delta' found"),
        ([USER, said(TEXT, {**TEXT, "text": ""}), USER], "text content blocks must be non-empty"),
        ([USER, said(), USER], "messages.1: all messages must have non-empty content"),
        ([{"role": "system", "content": "x"}], 'Unexpected role "system"'),
        (
            [USER, said({"type": "thinking", "thinking": "hm"})],
            "thinking.signature: Field required",
        ),
        ([USER, said({**THOUGHT, "thinking": "other"})], "Invalid `signature` in `thinking` block"),
        ([USER, said(use(), THOUGHT), user(RESULT)], "Expected `thinking` or `redacted_thinking`"),
    ],
    ids=[
        "open",
        "open-at-end",
        "result-not-first",
        "result-alone",
        "id",
        "text-input",
        "twice",
        "delta",
        "empty-text",
        "empty-content",
        "system",
        "unsigned",
        "wrong-signature",
        "thought-not-first",
    ],
)
def test_what_anthropic_refuses(messages: list[Any], message: str) -> None:
    """Status, error shape, place and words are the provider's own."""
    refusal = check({"messages": messages, "thinking": ENABLED})
    assert refusal is not None
    assert (refusal.status, refusal.body["type"]) == (400, "error")
    assert refusal.body["error"]["type"] == "invalid_request_error"
    assert message in refusal.body["error"]["message"]

"""The imitation of OpenAI's responses, spoken to by langchain-openai."""

from __future__ import annotations

from typing import Any

import openai
import pytest
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from .http import Answer
from .openai_responses import OpenAIResponsesServer
from .rules.openai_responses import check
from .scenario import ARGS, NAME, RAW, TOOL, answered, answers, unanswered

CALLS = [(NAME, RAW, "call_a"), (NAME, RAW, "call_b")]
STREAMING = pytest.mark.parametrize("streaming", [True, False], ids=["stream", "whole"])


def client(server: OpenAIResponsesServer, **options: Any) -> Any:
    key = SecretStr("test")
    model: Any = ChatOpenAI(
        model="gpt-5", base_url=server.base_url, api_key=key, use_responses_api=True, **options
    )
    return model.bind_tools([TOOL])


@STREAMING
@pytest.mark.parametrize("reasoning", ["", "Let me think."], ids=["plain", "reasoned"])
def test_a_call_turn_parses_and_its_answered_history_passes(
    streaming: bool, reasoning: str
) -> None:
    """Text, reasoning and calls are read as scripted, and the next turn is taken."""
    script = [Answer(text="Here: ", calls=CALLS, reasoning=reasoning), Answer(text="Bye.")]
    with OpenAIResponsesServer(script) as server:
        said = answers(client(server), "plan", streaming=streaming)
        bye = answers(client(server), answered(said), streaming=streaming)
    assert said.text == "Here: "
    assert [(call["id"], call["args"]) for call in said.tool_calls] == [
        ("call_a", ARGS),
        ("call_b", ARGS),
    ]
    assert said.response_metadata["status"] == "completed"
    assert bye.text == "Bye."
    assert server.paths == ["/v1/responses"] * 2
    assert server.refusals == []


@STREAMING
def test_an_unanswered_call_gets_openais_refusal(streaming: bool) -> None:
    """The client raises the provider's own sentence."""
    with OpenAIResponsesServer([Answer(calls=CALLS)]) as server:
        said = answers(client(server), "plan", streaming=streaming)
        with pytest.raises(
            openai.BadRequestError, match=r"No tool output found for function call call_a\."
        ):
            answers(client(server), unanswered(said), streaming=streaming)


def test_a_call_whose_reasoning_was_lost_is_refused() -> None:
    """A stored turn that kept the call's item but dropped the reasoning fails as it does there."""
    with OpenAIResponsesServer([Answer(calls=CALLS, reasoning="Hm.")]) as server:
        said = answers(client(server), "plan", streaming=False)
        kept = [block for block in said.content if block["type"] != "reasoning"]
        lossy = AIMessage(
            kept, tool_calls=said.tool_calls, response_metadata=said.response_metadata
        )
        with pytest.raises(openai.BadRequestError, match="without its required 'reasoning' item"):
            answers(client(server), answered(lossy), streaming=False)


@STREAMING
@pytest.mark.parametrize("include", [[], ["reasoning.encrypted_content"]], ids=["bare", "sealed"])
def test_reasoning_that_is_not_stored_is_sent_back_sealed_or_not_at_all(
    streaming: bool, include: list[str]
) -> None:
    """With `store=False` a reasoning item only comes back where its sealed text was asked for."""
    script = [Answer(calls=CALLS, reasoning="Hm."), Answer(text="Bye.")]
    with OpenAIResponsesServer(script) as server:
        model = client(server, store=False, include=include)
        said = answers(model, "plan", streaming=streaming)
        answers(model, answered(said), streaming=streaming)
    kinds = [item.get("type") for item in server.requests[-1]["input"]]
    assert ("reasoning" in kinds) == bool(include)
    assert server.refusals == []


@STREAMING
def test_a_cut_and_a_refusal_are_sent_as_openai_does(streaming: bool) -> None:
    """`incomplete` with its reason; a refusal is its own part of the content."""
    script = [
        Answer(calls=[(NAME, RAW[:20], "call_a")], finish_reason="max_output_tokens"),
        Answer(refusal="No."),
    ]
    with OpenAIResponsesServer(script) as server:
        cut = answers(client(server), "plan", streaming=streaming)
        refused = answers(client(server), "plan", streaming=streaming)
    assert cut.response_metadata["incomplete_details"] == {"reason": "max_output_tokens"}
    assert [block["type"] for block in refused.content] == ["refusal"]


USER = {"type": "message", "role": "user", "content": "hi"}
SAID = {"type": "message", "role": "assistant", "id": "msg_1", "content": "ok"}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "f", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "a", "output": "ok"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": []}


@pytest.mark.parametrize(
    "items",
    [
        "hi",
        [USER],
        [USER, CALL, OUTPUT, USER],
        [USER, CALL, USER, OUTPUT],
        [USER, {**CALL, "arguments": "{"}, OUTPUT],
        [USER, THOUGHT, CALL, OUTPUT],
        [USER, THOUGHT, SAID, USER],
        [USER, THOUGHT, {**CALL, "id": "fc_after_rs_1_2"}, OUTPUT],
    ],
    ids=["text", "one", "paired", "apart", "not-json", "reasoned", "reasoned-text", "tied"],
)
def test_what_openai_takes_passes(items: Any) -> None:
    """No rule is stricter than the provider."""
    assert check({"input": items}) is None


@pytest.mark.parametrize(
    ("request_", "param", "message"),
    [
        ({"input": [CALL]}, "input", "No tool output found for function call a."),
        (
            {"input": [OUTPUT]},
            "input",
            "No tool call found for function call output with call_id a.",
        ),
        ({"input": [{**CALL, "id": "call_1"}, OUTPUT]}, "input[0].id", "begins with 'fc'"),
        ({"input": [{**SAID, "id": "lc_1"}]}, "input[0].id", "begins with 'msg'"),
        ({"input": [{**CALL, "call_id": "x" * 65}]}, "input[0].call_id", "maximum length 64"),
        ({"input": [{**CALL, "call_id": None}]}, "input[0].call_id", "but got null"),
        ({"input": [{**CALL, "arguments": {}}]}, "input[0].arguments", "but got an object"),
        ({"input": [{**CALL, "name": "a b"}]}, "input[0].name", "does not match pattern"),
        ({"input": [CALL, CALL, OUTPUT]}, "input", "Duplicate item found with id fc_1"),
        ({"input": [THOUGHT]}, "input", "'rs_1' of type 'reasoning' was provided without its"),
        ({"input": [THOUGHT, USER]}, "input", "required following item"),
        ({"input": [THOUGHT, OUTPUT]}, "input", "required following item"),
        (
            {"input": [{**CALL, "id": "fc_after_rs_9_2"}, OUTPUT]},
            "input",
            "required 'reasoning' item: 'rs_9'",
        ),
        ({"input": [THOUGHT, SAID], "store": False}, "input", "Items are not persisted"),
    ],
    ids=[
        "open",
        "output-alone",
        "call-as-id",
        "foreign-id",
        "long-id",
        "null-id",
        "object-args",
        "name",
        "twice",
        "thought-last",
        "thought-then-user",
        "thought-then-output",
        "lost-thought",
        "not-stored",
    ],
)
def test_what_openai_refuses(request_: dict[str, Any], param: str, message: str) -> None:
    """Status, error shape, place and words are the provider's own."""
    refusal = check(request_)
    assert refusal is not None
    error = refusal.body["error"]
    assert (refusal.status, error["type"], error["param"]) == (400, "invalid_request_error", param)
    assert message in error["message"]

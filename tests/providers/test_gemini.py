"""The imitation of Gemini, spoken to by langchain-google-genai."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_google_genai.chat_models import ChatGoogleGenerativeAIError

from .gemini import GeminiServer
from .http import Answer
from .rules.gemini import check
from .scenario import ARGS, NAME, RAW, TOOL, answered, answers, unanswered

CALLS = [(NAME, RAW, "call_a"), (NAME, RAW, "call_b")]
STREAMING = pytest.mark.parametrize("streaming", [True, False], ids=["stream", "whole"])


def client(server: GeminiServer, model: str = "gemini-2.5-flash") -> Any:
    settings: dict[str, Any] = {"api_key": "test", "max_retries": 1, "base_url": server.base_url}
    made: Any = ChatGoogleGenerativeAI(model=model, **settings)
    return made.bind_tools([TOOL])


@STREAMING
@pytest.mark.parametrize("model", ["gemini-2.5-flash", "gemini-3-pro-preview"])
def test_a_call_turn_parses_and_its_answered_history_passes(streaming: bool, model: str) -> None:
    """Text, calls and signatures are read as scripted, and the next turn is taken."""
    with GeminiServer([Answer(text="Here: ", calls=CALLS), Answer(text="Bye.")]) as server:
        said = answers(client(server, model), "plan", streaming=streaming)
        bye = answers(client(server, model), answered(said), streaming=streaming)
    assert said.text == "Here: "
    assert [(call["id"], call["args"]) for call in said.tool_calls] == [
        ("call_a", ARGS),
        ("call_b", ARGS),
    ]
    assert said.response_metadata["finish_reason"] == "STOP"
    assert bye.text == "Bye."
    assert server.refusals == []


@STREAMING
def test_an_unanswered_call_gets_geminis_refusal(streaming: bool) -> None:
    """The client raises the provider's own sentence."""
    with GeminiServer([Answer(calls=CALLS)]) as server:
        said = answers(client(server), "plan", streaming=streaming)
        with pytest.raises(ChatGoogleGenerativeAIError, match="number of function response parts"):
            answers(client(server), unanswered(said), streaming=streaming)


@STREAMING
def test_a_blocked_prompt_and_a_malformed_call_have_no_content(streaming: bool) -> None:
    """Both end without a value, each with the provider's own report."""
    script = [Answer(refusal="SAFETY"), Answer(finish_reason="MALFORMED_FUNCTION_CALL")]
    with GeminiServer(script) as server:
        blocked = answers(client(server), "plan", streaming=streaming)
        malformed = answers(client(server), "plan", streaming=streaming)
    assert blocked.response_metadata["prompt_feedback"]["block_reason"] == "SAFETY"
    assert malformed.response_metadata["finish_reason"] == "MALFORMED_FUNCTION_CALL"
    assert (blocked.content, malformed.content) == ("", "")


USER = {"role": "user", "parts": [{"text": "hi"}]}
SAID = {"role": "model", "parts": [{"text": "ok"}]}
CALL = {"functionCall": {"name": "f", "args": {}}}
SIGNED = {**CALL, "thoughtSignature": "c2ln"}
RESPONSE = {"functionResponse": {"name": "f", "response": {}}}


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


@pytest.mark.parametrize(
    "contents",
    [
        [USER],
        [USER, model(SIGNED, CALL), user(RESPONSE, RESPONSE)],
        [USER, model(SIGNED, CALL), user(RESPONSE), user(RESPONSE), USER],
        [USER, model(CALL), user(RESPONSE), SAID, USER],
        [USER, model(SIGNED), user(RESPONSE), model(SIGNED), user(RESPONSE)],
    ],
    ids=["text", "parallel", "split-responses", "earlier-turn-unsigned", "two-steps"],
)
def test_what_gemini_takes_passes(contents: list[Any]) -> None:
    """No rule is stricter than the provider."""
    assert check({"contents": contents}, "gemini-3-pro") is None


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ([USER, model(SIGNED), USER], "number of function response parts is equal"),
        ([USER, model(SIGNED, CALL), user(RESPONSE)], "number of function response parts is equal"),
        ([USER, SAID, user(RESPONSE)], "function response turn comes immediately after"),
        ([model(SIGNED), user(RESPONSE)], "function call turn comes immediately after a user"),
        ([USER, model(CALL), user(RESPONSE)], "`default_api:f` , position 2."),
        (
            [USER, model(SIGNED), user(RESPONSE), model(CALL), user(RESPONSE)],
            "missing a thought_signature in functionCall parts",
        ),
        ([USER, model(), USER], "contents[1].parts: contents.parts must not be empty."),
        ([USER, model({"thought": True}), USER], "parts[0].data: required oneof field"),
        ([{**USER, "role": "tool"}], "Please use a valid role: user, model."),
    ],
    ids=[
        "open",
        "half-answered",
        "response-alone",
        "call-first",
        "unsigned",
        "second-step-unsigned",
        "no-parts",
        "empty-part",
        "role",
    ],
)
def test_what_gemini_refuses(contents: list[Any], message: str) -> None:
    """Status, error shape, place and words are the provider's own."""
    refusal = check({"contents": contents}, "gemini-3-pro")
    assert refusal is not None
    error = refusal.body["error"]
    assert (refusal.status, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
    assert message in error["message"]


def test_a_bad_function_name_is_refused() -> None:
    """Names may have dots here, but start with a letter or an underscore."""
    tools = [{"functionDeclarations": [{"name": "a.b"}, {"name": "1a"}]}]
    refusal = check({"contents": [USER], "tools": tools})
    assert refusal is not None
    assert "function_declarations[1].name: Invalid function name." in refusal.message


def test_signatures_are_asked_of_gemini_3_only() -> None:
    """An unsigned call is fine for an older model, and after a turn of another provider not."""
    contents = [USER, model(CALL), user(RESPONSE)]
    assert check({"contents": contents}, "gemini-2.5-pro") is None
    assert check({"contents": contents}, "gemini-3-flash") is not None


def test_a_foreign_call_reaches_gemini_3_signed_or_is_refused() -> None:
    """What the client does about a call that another provider made is visible in the request."""
    foreign = AIMessage("", tool_calls=[{"name": NAME, "args": ARGS, "id": "call_a"}])
    with GeminiServer([Answer(text="Bye.")]) as server:
        client(server, "gemini-3-pro-preview").invoke(answered(foreign)[:-1])
    (request,) = server.requests
    assert request["contents"][1]["parts"][0]["thoughtSignature"]

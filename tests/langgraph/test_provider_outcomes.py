from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage

from rendercall import RenderTool, last_render
from rendercall.langgraph import render_graph
from rendercall.langgraph.middleware import RenderMiddleware
from schemas.learning_plan import LearningPlan
from tests.langgraph.provider_clients import PROVIDERS
from tests.langgraph.scripted_graph import CUT, GOOD, NAME
from tests.langgraph.test_providers import STREAM
from tests.providers.http import Answer

CALL = [(NAME, json.dumps(GOOD), "call_1")]
CUT_CALL = [(NAME, CUT, "call_1")]
CHAT, RESPONSES, CLAUDE = "openai chat", "openai responses", "anthropic"
GEMINI, MISTRAL = "gemini", "mistral"


@dataclass(frozen=True)
class Row:
    """What a provider says, and what it is; `whole` where it is another when not streamed."""

    provider: str
    answer: Answer
    status: str
    reason: str | None
    warnings: tuple[str, ...] = ()
    refusal: str | None = None


ROWS: dict[str, Row] = {
    "refused, Responses": Row(RESPONSES, Answer(refusal="No."), "refused", "completed", refusal="No."),
    "refused, Anthropic": Row(CLAUDE, Answer(refusal="No."), "refused", "refusal"),
    "refused in words, Mistral": Row(MISTRAL, Answer(refusal="No."), "absent", None),
    "filtered, chat": Row(CHAT, Answer(text="So", finish_reason="content_filter"), "filtered", "content_filter"),
    "filtered beside a whole call, chat": Row(
        CHAT, Answer(calls=CALL, finish_reason="content_filter"), "filtered", "content_filter"
    ),
    "filtered, Responses": Row(RESPONSES, Answer(calls=CALL, finish_reason="content_filter"), "filtered", "content_filter"),
    "filtered, Gemini": Row(GEMINI, Answer(finish_reason="SAFETY"), "filtered", "SAFETY"),
    "recited beside a whole call, Gemini": Row(GEMINI, Answer(calls=CALL, finish_reason="RECITATION"), "filtered", "RECITATION"),
    "prompt blocked, Gemini": Row(GEMINI, Answer(refusal="PROHIBITED_CONTENT"), "filtered", "PROHIBITED_CONTENT"),
    "prompt blocked for another reason, Gemini": Row(GEMINI, Answer(refusal="OTHER"), "filtered", "prompt_blocked"),
    "malformed call, Gemini": Row(GEMINI, Answer(finish_reason="MALFORMED_FUNCTION_CALL"), "failed", "MALFORMED_FUNCTION_CALL"),
    "unexpected call, Gemini": Row(GEMINI, Answer(finish_reason="UNEXPECTED_TOOL_CALL"), "failed", "UNEXPECTED_TOOL_CALL"),
    "error, Mistral": Row(MISTRAL, Answer(finish_reason="error"), "failed", "error"),
    "nothing, Anthropic": Row(CLAUDE, Answer(), "failed", "end_turn"),
    "two reasons alike, chat": Row(CHAT, Answer(calls=CALL, finish_reason=("tool_calls",) * 2), "ok", "tool_calls"),
    "two reasons alike, Responses": Row(RESPONSES, Answer(calls=CALL, finish_reason=("completed",) * 2), "ok", "completed"),
    "two reasons alike, Anthropic": Row(CLAUDE, Answer(calls=CALL, finish_reason=("tool_use",) * 2), "ok", "tool_use"),
    "two reasons alike, Gemini": Row(GEMINI, Answer(calls=CALL, finish_reason=("STOP",) * 2), "ok", "STOP"),
    "two reasons alike, Mistral": Row(MISTRAL, Answer(calls=CALL, finish_reason=("tool_calls",) * 2), "ok", "tool_calls"),
    "cut twice, chat": Row(CHAT, Answer(calls=CUT_CALL, finish_reason=("length",) * 2), "truncated", "length"),
    "cut, Responses": Row(RESPONSES, Answer(calls=CUT_CALL, finish_reason="max_output_tokens"), "truncated", "max_output_tokens"),
    "cut, Anthropic": Row(CLAUDE, Answer(calls=CUT_CALL, finish_reason="max_tokens"), "truncated", "max_tokens"),
    "cut, Mistral": Row(MISTRAL, Answer(calls=CUT_CALL, finish_reason="length"), "truncated", "length"),
    **{
        f"cut in its words, {name}": Row(
            name, Answer(text="I will", finish_reason=provider.length), "truncated", provider.length
        )
        for name, provider in PROVIDERS.items()
    },
    **{
        f"no reason, {name}": Row(name, Answer(calls=CALL, finish_reason=()), "ok", None, ("no_finish_reason",))
        for name in (CHAT, RESPONSES, CLAUDE, GEMINI, MISTRAL)
    },
}  # fmt: skip


def outcome(row: Row, *, stream: bool) -> Any:
    provider, tool = PROVIDERS[row.provider], RenderTool(LearningPlan)
    with provider.server([row.answer]) as server:
        graph = render_graph(provider.client(server, stream), tool, max_repairs=0)
        return last_render(graph.invoke({"messages": [HumanMessage("plan")]}), tool)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
@STREAM
def test_what_a_provider_reports_keeps_its_own_status(row: Row, stream: bool) -> None:
    """Through the real client, streamed and whole; a warning of the stream only where it streamed."""
    shown = outcome(row, stream=stream)
    assert shown.status == row.status
    assert shown.refusal == row.refusal
    unstreamed = not stream and row.provider == RESPONSES and row.reason is None
    assert shown.finish_reason == ("completed" if unstreamed else row.reason)
    assert [notice.code for notice in shown.warnings] == [*(row.warnings if stream else ())]


def refusals() -> Iterator[Answer]:
    while True:
        yield Answer(refusal="I cannot help with that.")


def agent(model: Any, tool: RenderTool[Any], max_repairs: int) -> Any:
    return create_agent(model, middleware=[RenderMiddleware(tool, max_repairs=max_repairs)])


def hand_built(model: Any, tool: RenderTool[Any], max_repairs: int) -> Any:
    return render_graph(model, tool, max_repairs=max_repairs)


@pytest.mark.parametrize("build", [hand_built, agent])
@pytest.mark.parametrize("max_repairs", [0, 2])
def test_a_refusal_that_the_stream_of_openai_chat_drops(max_repairs: int, build: Any) -> None:
    """langchain-openai's stream leaves an empty message; asked again, it comes whole and is kept.

    Without a repair to ask again with, the empty message is a failure, never silence.
    """
    tool = RenderTool(LearningPlan)
    provider, answers = PROVIDERS[CHAT], refusals()
    with provider.server(lambda _request: next(answers)) as server:
        graph = build(provider.client(server, True), tool, max_repairs)
        shown = last_render(graph.invoke({"messages": [HumanMessage("plan")]}), tool)
    assert [one["stream"] for one in server.requests] == [True, False][: 1 + bool(max_repairs)]
    expected = ("refused", "I cannot help with that.") if max_repairs else ("failed", None)
    assert (shown.status, shown.refusal) == expected

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from rendercall import RenderTool, last_render
from rendercall.langgraph import render_graph
from schemas.learning_plan import LearningPlan
from tests.langgraph.provider_clients import PROVIDERS, Provider
from tests.langgraph.scripted_graph import BAD, CUT, GOOD, NAME, search_docs
from tests.providers.http import Answer

STREAM = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
EACH = pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)


def calls(*pairs: tuple[str, Any], start: int = 0) -> list[tuple[str, str, str]]:
    return [
        (name, args if isinstance(args, str) else json.dumps(args), f"call_{start + n}")
        for n, (name, args) in enumerate(pairs)
    ]


def turns(provider: Provider) -> list[tuple[str, list[Answer]]]:
    """The outcome of each turn, and what the model answers in it."""
    return [
        ("ok", [Answer(calls=calls((NAME, GOOD), start=10))]),
        ("ok", [Answer(calls=calls((NAME, BAD), start=20)), Answer(calls=calls((NAME, GOOD), start=30))]),
        cut_turn(provider),
        ("ok", [
            Answer(text="First a look.", calls=calls(("search_docs", {"query": "x"}), start=50)),
            Answer(text="Here.", calls=calls((NAME, GOOD), start=60)),
        ]),
        ("ok", [
            Answer(calls=calls((NAME, GOOD), ("search_docs", {"query": "y"}), start=70)),
            Answer(calls=calls((NAME, GOOD), start=80)),
        ]),
        ("absent", [Answer(text="You are welcome.")]),
    ]  # fmt: skip


def cut_turn(provider: Provider) -> tuple[str, list[Answer]]:
    """Twice cut off; Gemini's calls are no text, so that it can only report a malformed one."""
    if provider.malformed:
        return "failed", [Answer(finish_reason=provider.malformed)] * 2
    answers = [
        Answer(calls=calls((NAME, CUT), start=40 + n), finish_reason=provider.length)
        for n in range(2)
    ]
    return "truncated", answers


@EACH
@STREAM
async def test_turn_after_turn_works_at_every_provider(
    provider: Provider, stream: bool, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Shown, wrong, cut, mixed and answered calls behind it: the next request is never refused."""
    planned = turns(provider)
    script = [answer for _, answers in planned for answer in answers]
    with provider.server(script) as server:
        graph = render_graph(
            provider.client(server, stream), plan_tool, tools=[search_docs],
            max_repairs=1, checkpointer=InMemorySaver(),
        )  # fmt: skip
        config = {"configurable": {"thread_id": "1"}}
        outcomes = []
        for turn, _ in enumerate(planned):
            state = await graph.ainvoke({"messages": [HumanMessage(f"turn {turn}")]}, config)
            outcomes.append(last_render(state, plan_tool).status)
    assert server.refusals == []
    assert outcomes == [outcome for outcome, _ in planned]
    assert len(server.requests) == len(script)

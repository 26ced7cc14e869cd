from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import replace
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
from tests.providers.openai_responses import OpenAIResponsesServer

STREAM = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
EACH = pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)
THREAD: Any = {"configurable": {"thread_id": "1"}}
Turn = tuple[str, list[Answer]]


def calls(*pairs: tuple[str, Any], start: int = 0) -> list[tuple[str, str, str]]:
    return [
        (name, args if isinstance(args, str) else json.dumps(args), f"call_{start + n}")
        for n, (name, args) in enumerate(pairs)
    ]


def turns(provider: Provider) -> list[Turn]:
    """The outcome of each turn, and what the model answers in it."""
    planned: list[Turn] = [
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
    if not provider.reasons:
        return planned
    return [
        (outcome, [replace(one, reasoning="Because.") for one in answers])
        for outcome, answers in planned
    ]


def cut_turn(provider: Provider) -> Turn:
    """Twice cut off; Gemini's calls are no text, so that it can only report a malformed one."""
    if provider.malformed:
        return "failed", [Answer(finish_reason=provider.malformed)] * 2
    answers = [
        Answer(calls=calls((NAME, CUT), start=40 + n), finish_reason=provider.length)
        for n in range(2)
    ]
    return "truncated", answers


def graph_of(provider: Provider, server: Any, stream: bool, saver: InMemorySaver) -> Any:
    return render_graph(
        provider.client(server, stream), RenderTool(LearningPlan), tools=[search_docs],
        max_repairs=1, checkpointer=saver,
    )  # fmt: skip


async def play(
    provider: Provider, planned: list[Turn], saver: InMemorySaver, *, stream: bool
) -> tuple[list[str], Any]:
    """Run the turns in one thread; the outcomes, and the server."""
    script = [answer for _, answers in planned for answer in answers]
    outcomes = []
    with provider.server(script) as server:
        graph = graph_of(provider, server, stream, saver)
        for turn, _ in enumerate(planned):
            state = await graph.ainvoke({"messages": [HumanMessage(f"turn {turn}")]}, THREAD)
            outcomes.append(last_render(state, RenderTool(LearningPlan)).status)
    assert len(server.requests) == len(script)
    return outcomes, server


@EACH
@STREAM
async def test_turn_after_turn_works_at_every_provider(provider: Provider, stream: bool) -> None:
    """Shown, wrong, cut, mixed and answered calls behind it: the next request is never refused.

    Reasoning goes back as it came, with its signature.
    """
    planned = turns(provider)
    outcomes, server = await play(provider, planned, InMemorySaver(), stream=stream)
    assert server.refusals == []
    assert outcomes == [outcome for outcome, _ in planned]
    assert provider.sealed in json.dumps(server.requests[-1])


@EACH
async def test_a_cancelled_run_leaves_a_thread_that_goes_on(provider: Provider) -> None:
    """Stopped in mid-stream, before and after a whole turn: the next turn is answered."""
    good = Answer(calls=calls((NAME, GOOD)))
    slow = Answer(text="Let me think about it.", calls=calls((NAME, GOOD), start=1), delay=0.05)
    script = [slow, good, replace(slow, calls=calls((NAME, GOOD), start=2)), good]
    tool = RenderTool(LearningPlan)
    with provider.server(script) as server:
        graph = graph_of(provider, server, True, InMemorySaver())
        for turn in range(2):
            ask = {"messages": [HumanMessage(f"turn {turn}")]}
            await cancel_in_mid_stream(graph, ask)
            stopped = await graph.aget_state(THREAD)
            assert last_render(stopped, tool).status == "absent"
            state = await graph.ainvoke({"messages": [HumanMessage("again")]}, THREAD)
            assert last_render(state, tool).status == "ok"
            server.hung_up.clear()
    assert server.refusals == []


async def cancel_in_mid_stream(graph: Any, ask: Any) -> None:
    seen = asyncio.Event()

    async def run() -> None:
        async for _ in graph.astream(ask, THREAD, stream_mode="messages"):
            seen.set()

    task = asyncio.create_task(run())
    await asyncio.wait_for(seen.wait(), 20)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("first", PROVIDERS.values(), ids=PROVIDERS)
async def test_a_thread_goes_on_with_any_other_provider(
    first: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls, ids, reasoning and cut calls of one are taken by each other, and by the first again."""
    saver = InMemorySaver()
    await play(first, turns(first), saver, stream=True)
    for number, second in enumerate([*PROVIDERS.values(), first], 2):
        monkeypatch.setattr(OpenAIResponsesServer, "first", 1000 * number)
        outcomes, server = await play(second, [turns(second)[3]], saver, stream=True)
        assert server.refusals == []
        assert outcomes == ["ok"]

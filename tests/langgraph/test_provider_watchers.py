from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from rendercall import RenderStream, RenderTool, last_render
from rendercall.langgraph import render_graph
from schemas.learning_plan import LearningPlan
from tests.langgraph.provider_clients import PROVIDERS, Provider
from tests.langgraph.scripted_graph import ASK, BAD, CUT, GOOD, NAME, search_docs
from tests.langgraph.watchers import WATCHERS
from tests.providers.http import Answer

TOOL = RenderTool(LearningPlan)
SEARCH = [("search_docs", '{"query": "x"}', "call_1")]
WAYS = ["ainvoke", "messages", "async messages", "custom", "v3 events", "async v3 events"]


def script(provider: Provider) -> list[Answer]:
    """A search, a wrong plan, a cut one where the provider can cut, and a right one."""
    plans = [BAD, GOOD] if provider.malformed else [BAD, CUT, GOOD]
    texts = [plan if isinstance(plan, str) else json.dumps(plan) for plan in plans]
    reasoning = "Because." if provider.reasons else ""
    return [
        Answer(calls=SEARCH, reasoning=reasoning),
        *(
            Answer(
                text="Here.", calls=[(NAME, text, f"call_{number}")], reasoning=reasoning,
                finish_reason=provider.length if text == CUT else None,
            )
            for number, text in enumerate(texts, 2)
        ),
    ]  # fmt: skip


async def messages_by(provider: Provider, way: str, answers: list[Answer]) -> list[BaseMessage]:
    with provider.server(answers) as server:
        graph = render_graph(provider.client(server, True), TOOL, tools=[search_docs])
        return await WATCHERS[way](graph, ASK)


def bare(messages: list[BaseMessage]) -> list[dict[str, Any]]:
    """Messages less what one way of watching cannot know: LangChain's ids, and the usage."""
    dumped = [one.model_dump(exclude={"id", "usage_metadata"}) for one in messages]
    for one in dumped:
        one["response_metadata"].get("rendercall", {}).pop("cost", None)  # counts the usage
    return dumped


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)
async def test_the_state_is_the_same_however_a_real_client_is_watched(provider: Provider) -> None:
    """Content, reasoning, calls and metadata, whichever events the client's stream is made into."""
    answers = script(provider)
    if provider is PROVIDERS["mistral"]:  # see the next test
        answers = [replace(one, reasoning="") for one in answers]
    expected = await messages_by(provider, "invoke", answers)
    assert last_render(expected, TOOL).value == LearningPlan.model_validate(GOOD)
    for way in WAYS:
        assert bare(await messages_by(provider, way, answers)) == bare(expected), way


async def test_v3_events_put_mistrals_reasoning_after_its_text() -> None:
    """A limit of langchain-core's event bridge: the same blocks, in another order; the plan is the same."""
    provider = PROVIDERS["mistral"]
    answers = script(provider)[-1:]
    (_, plain), (_, watched) = [
        await messages_by(provider, way, answers) for way in ("invoke", "v3 events")
    ]
    kinds = [[block["type"] for block in one.content] for one in (plain, watched)]  # type: ignore[index]
    assert kinds == [["reasoning", "text", "tool_call"], ["text", "reasoning", "tool_call"]]
    assert last_render([watched], TOOL).value == last_render([plain], TOOL).value


@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")
@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)
@pytest.mark.parametrize("version", ["v1", "v3"])
def test_a_stream_of_a_real_client_ends_as_its_message(provider: Provider, version: str) -> None:
    """Fragments arrive one by one where the provider sends them, and the verdict is the state's."""
    stream = RenderStream(TOOL)
    steps = 0
    with provider.server(script(provider)) as server:
        graph = render_graph(provider.client(server, True), TOOL, tools=[search_docs])
        parts: Any = (
            graph.stream_events(ASK, version="v3")
            if version == "v3"
            else graph.stream(ASK, stream_mode="messages")
        )
        for part in parts:
            steps += stream.feed(part) is not None
    whole_calls = provider.malformed or provider is PROVIDERS["mistral"]
    assert steps >= (2 if whole_calls else 40)
    assert stream.finish().value == LearningPlan.model_validate(GOOD)

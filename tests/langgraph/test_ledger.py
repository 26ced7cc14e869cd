"""What a turn has cost, in characters here and in tokens where the provider counts them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages.ai import UsageMetadata

from rendercall import Cost, RenderTool, last_render
from rendercall.langgraph.notes import note_of
from rendercall.models import Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.agents import AGENTS
from tests.langgraph.provider_clients import PROVIDERS
from tests.langgraph.repair_table import RIGHT, patch
from tests.langgraph.scripted_graph import ASK, BAD, NAME, TEXT, last_ai, render
from tests.providers.http import Answer

EACH_AGENT = pytest.mark.parametrize("agent", AGENTS)


def used(reply: Reply, tokens: int) -> Reply:
    """The reply with the tokens that a provider reports."""
    usage = UsageMetadata(input_tokens=100, output_tokens=tokens, total_tokens=100 + tokens)
    return Reply(calls=reply.calls, usage=usage)


@EACH_AGENT
def test_a_patched_turn_tells_its_cost(agent: str, plan_tool: RenderTool[Any]) -> None:
    """Characters, calls, time and tokens; the graph's own message costs nothing."""
    replies = [used(render(BAD), 90), used(patch(*RIGHT), 20)]
    graph = AGENTS[agent](ScriptedChatModel(script=list(replies)), [plan_tool], [])
    state = graph.invoke(ASK)
    cost = last_render(state, plan_tool).cost
    assert cost is not None
    sizes = [len(json.dumps(one.calls[0].args)) for one in replies]
    assert (cost.calls, cost.written, cost.repaired, cost.saved) == (2, sum(sizes), sizes[1], 0)
    assert (cost.input_tokens, cost.output_tokens) == (200, 110)
    assert cost.first_field is not None
    assert 0 < cost.first_field <= cost.seconds
    noted = note_of(last_ai(state["messages"]))["cost"]
    assert Cost.of_note({"cost": json.loads(json.dumps(noted))}) == cost


@EACH_AGENT
def test_a_model_that_reports_no_tokens_has_none(agent: str, plan_tool: RenderTool[Any]) -> None:
    """None is not zero; a turn that is over begins again at nothing."""
    graph = AGENTS[agent](ScriptedChatModel(script=[render()]), [plan_tool], [])
    cost = last_render(graph.invoke(ASK), plan_tool).cost
    assert cost is not None
    assert (cost.input_tokens, cost.output_tokens, cost.repaired) == (None, None, 0)


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("name", ["openai responses", "anthropic", "gemini", "mistral"])
def test_tokens_are_those_that_the_provider_reported(name: str, stream: bool) -> None:
    """Streamed or whole, by the real clients."""
    tool = RenderTool(LearningPlan)
    provider = PROVIDERS[name]
    with provider.server([Answer(calls=[(NAME, TEXT, "c1")])]) as server:
        model: Any = provider.client(server, stream)
        state = AGENTS["render_graph"](model, [tool], []).invoke(ASK)
    shown = last_render(state, tool)
    usage = last_ai(state["messages"]).usage_metadata
    assert shown.cost is not None
    assert usage is not None
    assert shown.cost.input_tokens == usage["input_tokens"]
    assert shown.cost.output_tokens == usage["output_tokens"] > 0
    assert shown.cost.written in {len(TEXT), len(shown.args_text or "")}

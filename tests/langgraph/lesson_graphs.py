"""A graph that gets every outcome of `inspect_lesson` in one batch, and then renders its plan.

Its model is a script, or a provider's client package in front of the imitation server.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from rendercall import RenderTool
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.provider_clients import PROVIDERS
from tests.langgraph.scripted_graph import GOOD, NAME, render
from tests.providers.http import Answer
from tests.results.lessons import inspect_lesson

__all__ = ["CALLS", "IDS", "MODELS", "answered", "graph_of", "lesson_graph", "scripted_model"]

IDS = ("ok", "empty", "truncated", "missing", "wrong", "error", "raises")
PLAN = RenderTool(LearningPlan)
MODELS = ("scripted", "openai chat", "openai responses", "anthropic")
BATCH = Reply(calls=[Call("inspect_lesson", {"lesson_id": one}, f"call_{one}") for one in IDS])
CALLS = [("inspect_lesson", json.dumps({"lesson_id": one}), f"call_{one}") for one in IDS]


@contextmanager
def lesson_graph(name: str, *, stream: bool = True, **options: Any) -> Iterator[Any]:
    """The graph with the model of that name, while its server is there."""
    if name == "scripted":
        yield graph_of(scripted_model(stream), **options)
        return
    provider = PROVIDERS[name]
    with provider.server(answered) as server:
        yield graph_of(provider.client(server, stream), **options)


def graph_of(model: BaseChatModel, **options: Any) -> Any:
    return render_graph(model, PLAN, tools=[inspect_lesson], **options)


def scripted_model(stream: bool) -> ScriptedChatModel:
    return ScriptedChatModel(script=[played], repeat_last=True, disable_streaming=not stream)


def played(messages: Sequence[BaseMessage]) -> Reply:
    return render() if any(isinstance(one, AIMessage) for one in messages) else BATCH


def answered(body: dict[str, Any]) -> Answer:
    if "call_ok" in json.dumps(body):
        return Answer(calls=[(NAME, json.dumps(GOOD), "call_plan")])
    return Answer(calls=CALLS)

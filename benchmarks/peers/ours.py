"""rendercall: a render graph, and the middleware in create_agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain.agents import create_agent

from benchmarks.peers.agent import model_of, state_of
from benchmarks.peers.script import Ended, Quiz, Script, ordinary_tools
from rendercall import RenderTool, last_render
from rendercall.langgraph import RenderMiddleware, render_graph
from schemas.learning_plan import LearningPlan

__all__ = ["render_graph_peer", "render_middleware_peer"]

RENDERS: list[RenderTool[Any]] = [RenderTool(LearningPlan), RenderTool(Quiz)]


def render_graph_peer(script: Script) -> Ended:
    """`render_graph`, with an answer required, as the others require it."""
    return _run(
        lambda model: render_graph(model, RENDERS, tools=ordinary_tools(), required=True), script
    )


def render_middleware_peer(script: Script) -> Ended:
    """`RenderMiddleware` in create_agent, the same way."""
    middleware = [RenderMiddleware(RENDERS, required=True)]
    return _run(lambda model: create_agent(model, ordinary_tools(), middleware=middleware), script)


def _run(make: Callable[[Any], Any], script: Script) -> Ended:
    state = state_of(make(model_of(script)), stream=script.stream)
    shown = last_render(state, RENDERS)
    if shown.status != "ok":
        return Ended(error=shown.status)
    return Ended(shown.require().model_dump(mode="json"))

"""rendercall: a render graph over a real client, in each of its ways to repair."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from benchmarks.peers.script import Ended
from rendercall import RenderTool, last_render
from rendercall.langgraph import RenderMiddleware, render_graph
from schemas.learning_plan import LearningPlan

__all__ = ["abort_patch", "abort_reask", "chat_openai", "middleware_patch", "patch", "reask"]

TOOL = RenderTool(LearningPlan)
ASK = "Plan a course on SQL window functions."


def chat_openai(base_url: str, *, stream: bool = False) -> ChatOpenAI:
    """langchain-openai's client for a server on this machine."""
    return ChatOpenAI(
        model="gpt-4o", base_url=base_url, api_key=SecretStr("test"), max_retries=0,
        use_responses_api=False, disable_streaming=not stream,
    )  # fmt: skip


def patch(base_url: str) -> Ended:
    """A wrong call is patched."""
    return _run(render_graph(chat_openai(base_url, stream=True), TOOL, repair="patch"))


def middleware_patch(base_url: str) -> Ended:
    """The same in create_agent."""
    middleware = [RenderMiddleware(TOOL, repair="patch")]
    return _run(create_agent(chat_openai(base_url, stream=True), middleware=middleware))


def abort_patch(base_url: str) -> Ended:
    """A wrong call is stopped, patched and continued."""
    model = chat_openai(base_url, stream=True)
    return _run(render_graph(model, TOOL, repair="patch", on_error="abort_and_continue"))


def reask(base_url: str) -> Ended:
    """A wrong call is written again."""
    return _run(render_graph(chat_openai(base_url, stream=True), TOOL, repair="reask"))


def abort_reask(base_url: str) -> Ended:
    """A wrong call is stopped, and written again."""
    model = chat_openai(base_url, stream=True)
    return _run(render_graph(model, TOOL, repair="reask", on_error="abort_and_continue"))


def _run(graph: Any) -> Ended:
    shown = last_render(graph.invoke({"messages": [("human", ASK)]}), TOOL)
    if shown.status != "ok":
        return Ended(error=shown.status)
    return Ended(shown.require().model_dump(mode="json"))

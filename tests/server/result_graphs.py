"""A graph for the tests of tool results on the server: every outcome in one batch of calls."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from rendercall import RenderTool
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import render
from tests.results.lessons import inspect_lesson

__all__ = ["IDS", "results"]

IDS = ["ok", "empty", "truncated", "missing", "wrong", "error", "raises"]
BATCH = Reply(calls=[Call("inspect_lesson", {"lesson_id": one}, f"call_{one}") for one in IDS])


def played(messages: Sequence[BaseMessage]) -> Reply:
    """The batch, and after it the plan."""
    return render() if any(isinstance(one, AIMessage) for one in messages) else BATCH


results = render_graph(
    ScriptedChatModel(script=[played], repeat_last=True),
    RenderTool(LearningPlan),
    tools=[inspect_lesson],
)

from __future__ import annotations

from typing import Annotated, Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.types import Command

from rendercall import RenderTool
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import ASK, render


def message(call_id: str) -> ToolMessage:
    return ToolMessage("done", tool_call_id=call_id, status="error")


ANSWERS: dict[str, Any] = {
    "a message": message,
    "a command": lambda one: Command(update={"messages": [message(one)]}),
    "a command, more messages": lambda one: Command(
        update={"messages": [HumanMessage("by the way"), message(one)]}
    ),
    "a command and a message": lambda one: [Command(update={}), message(one)],
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("how", ["sync", "async"])
async def test_every_call_ends_once(
    answer: Any, how: str, plan_tool: RenderTool[LearningPlan]
) -> None:
    """However a tool answers, people are told that it is over, and how it went."""

    @tool
    def act(call_id: Annotated[str, InjectedToolCallId]) -> Any:
        """Act."""
        return answer(call_id)

    model = ScriptedChatModel(script=[Reply(calls=[Call("act", {}, "c1")]), render()])
    graph = render_graph(model, plan_tool, tools=[act])
    if how == "sync":
        parts = list(graph.stream(ASK, stream_mode="custom"))
    else:
        parts = [one async for one in graph.astream(ASK, stream_mode="custom")]
    events = [one for one in parts if one["type"] == "tool_event"]
    assert [(one["event"], one["summary"]["status"]) for one in events] == [
        ("start", "running"), ("end", "error"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("metadata", "title"),
    [(None, "act"), ({"owner": "us"}, "act"), ({"label": {"en": "Act", "zh": "行动"}}, "Act")],
    ids=["no metadata", "none of ours", "a label"],
)
def test_a_plain_tool_may_have_a_label(
    metadata: dict[str, Any] | None, title: str, plan_tool: RenderTool[LearningPlan]
) -> None:
    """People read a name of theirs instead of the model's, from the beginning to the end."""

    @tool
    def act() -> str:
        """Act."""
        return "done"

    act.metadata = metadata
    model = ScriptedChatModel(script=[Reply(calls=[Call("act", {}, "c1")]), render()])
    parts = render_graph(model, plan_tool, tools=[act]).stream(ASK, stream_mode="custom")
    events = [one for one in parts if one["type"] == "tool_event"]
    assert [one["summary"]["title"]["en"] for one in events] == [title, title]

"""The teaching graph: no model, one node, and the whole render contract.

The node ends the run on an `AIMessage` whose tool call carries the plan in its `args`. Nobody
executes that call: a front end reads it from the last message and shows it.
"""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AIMessage, ToolCall
from langgraph.graph import END, START, MessagesState, StateGraph

from graphs.parts.request import read_request
from rendercall import RenderTool
from schemas.learning_plan import LearningPlan

__all__ = ["graph", "plan_tool"]

plan_tool = RenderTool(LearningPlan)


def fixed_args(topic: str) -> dict[str, Any]:
    """The args of the call: the same three lessons for every topic."""
    return {
        "topic": topic,
        "level": "beginner",
        "objectives": [f"Explain the idea of {topic}.", f"Use {topic} in a small example."],
        "lessons": [
            {"title": f"{topic}: the idea", "duration_minutes": 15},
            {"title": f"{topic}: a first example", "duration_minutes": 25},
            {"title": f"{topic}: an exercise of your own", "duration_minutes": 20},
        ],
        "total_minutes": 60,
    }


def plan(state: MessagesState) -> dict[str, list[AIMessage]]:
    """Answer the last message with a render call."""
    messages = state["messages"]
    topic = read_request(str(messages[-1].text)).topic if messages else ""
    call = ToolCall(
        name=plan_tool.name,
        args=fixed_args(topic or "this topic"),
        id=f"plan-{len(messages)}",  # unique in its thread
    )
    return {"messages": [AIMessage(content="", tool_calls=[call])]}


builder = StateGraph(MessagesState)
builder.add_node("plan", plan)
builder.add_edge(START, "plan")
builder.add_edge("plan", END)

graph = builder.compile()

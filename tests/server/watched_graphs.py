"""Graphs for the tests of watchers: the human's words name the script that the model plays."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph

from rendercall import RenderTool
from rendercall.langgraph import EnableCustom, render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import BAD, CUT, GOOD, NAME, render, search_docs

__all__ = ["SCRIPTS", "child", "inside", "plan_tool", "slow"]

SCRIPTS: dict[str, list[Reply]] = {
    "right": [Reply("Here it is.", calls=[Call(NAME, GOOD, "c1")])],
    "search, wrong, right": [
        Reply(calls=[Call("search_docs", {"query": "rank"}, "c2")]),
        render(BAD, "c3"),
        render(GOOD, "c4"),
    ],
    "cut": [render(CUT, "c5", finish_reason="length")],
}


def played(messages: Sequence[BaseMessage]) -> Reply:
    """The next reply of the script; the last one again and again."""
    asked = max(place for place, one in enumerate(messages) if isinstance(one, HumanMessage))
    script = SCRIPTS[str(messages[asked].text)]
    step = sum(isinstance(one, AIMessage) for one in messages[asked:])
    return script[min(step, len(script) - 1)]


def graph(delay: float, **options: Any) -> Any:
    model = ScriptedChatModel(script=[played], repeat_last=True, delay=delay, chunk_size=8)
    return render_graph(model, plan_tool, tools=[search_docs], max_repairs=1, **options)


plan_tool = RenderTool(LearningPlan)
root = graph(0.005)
slow = graph(float(os.environ.get("WATCHED_DELAY", "0.05")), frame_interval=0.0)


async def plan(state: MessagesState, config: RunnableConfig) -> dict[str, Any]:
    """Call the graph as a function calls another."""
    return {"messages": (await root.ainvoke(state, config))["messages"]}


def parent(node: Any) -> Any:
    """A graph with the render graph as a node of its own, or inside one."""
    builder = StateGraph(MessagesState)
    builder.add_node("plan", node)
    builder.add_edge(START, "plan")
    builder.add_edge("plan", END)
    return builder.compile(transformers=[EnableCustom])


child = parent(root)
inside = parent(plan)

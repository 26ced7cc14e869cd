"""What the graph tests share: plans, a search tool, and scripted replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.graph.state import CompiledStateGraph

from rendercall.models import Call, Reply, ScriptedChatModel

NAME = "render_learning_plan"
GOOD: dict[str, Any] = {
    "topic": "SQL window functions",
    "level": "beginner",
    "objectives": ["Explain OVER"],
    "lessons": [{"title": "Frames", "duration_minutes": 30}],
    "total_minutes": 30,
}
BAD = {**GOOD, "level": "easy", "total_minutes": 0}
# Cut inside 30: a lenient parser makes a valid plan of 3 minutes out of it.
TEXT = json.dumps(GOOD)
CUT = TEXT[: TEXT.rindex("30") + 1]
ASK = {"messages": [HumanMessage("Plan SQL", id="h1")]}


@tool
def search_docs(query: str) -> str:
    """Search the documentation."""
    return f"hits for {query}"


@dataclass(frozen=True)
class Scripted:
    """A graph and the scripted model in it."""

    graph: CompiledStateGraph[Any, Any, Any, Any]
    model: ScriptedChatModel

    @property
    def calls(self) -> int:
        """How often the model was called."""
        return len(self.model.requests)


MakeGraph = Callable[..., Scripted]


def render(args: Any = None, call_id: str | None = None, **fields: Any) -> Reply:
    """A reply with one render call."""
    return Reply(calls=[Call(NAME, GOOD if args is None else args, call_id)], **fields)


def search(query: str = "rank") -> Call:
    """An ordinary call."""
    return Call("search_docs", {"query": query})


def answers(messages: Sequence[Any]) -> list[tuple[str, str]]:
    """Name and status of every tool message."""
    return [(one.name, one.status) for one in messages if one.type == "tool"]


def last_ai(messages: Sequence[Any]) -> AIMessage:
    """The last AI message."""
    return next(one for one in reversed(messages) if isinstance(one, AIMessage))

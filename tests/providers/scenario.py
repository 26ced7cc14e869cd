"""The conversation that every provider's test has: a plan is asked for, shown, and thanked for."""

from __future__ import annotations

import json
import operator
from functools import reduce
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ARGS", "NAME", "RAW", "TOOL", "answered", "answers", "merged", "unanswered"]

NAME = "render_plan"
ARGS = {"topic": "SQL window functions", "minutes": 20}
RAW = json.dumps(ARGS)
TOOL = {
    "name": NAME,
    "description": "Shows the plan.",
    "parameters": {
        "type": "object",
        "properties": {"topic": {"type": "string"}, "minutes": {"type": "integer"}},
        "required": ["topic", "minutes"],
    },
}


def merged(chunks: Iterable[Any]) -> Any:
    """The chunks of a client's stream as one message."""
    return reduce(operator.add, chunks)


def answers(model: Any, messages: Any, *, streaming: bool) -> Any:
    """The message that the client makes of the answer, streamed or whole."""
    return merged(model.stream(messages)) if streaming else model.invoke(messages)


def unanswered(said: AIMessage) -> list[BaseMessage]:
    """A second turn that leaves the calls of the first one open."""
    return [HumanMessage("Plan SQL window functions"), said, HumanMessage("Thanks")]


def answered(said: AIMessage, bridge: str = "") -> list[BaseMessage]:
    """The same turn with every call answered; `bridge` is what the assistant says after that."""
    first, _, last = unanswered(said)
    shown = [ToolMessage("shown", tool_call_id=str(call["id"])) for call in said.tool_calls]
    said_after = [AIMessage(bridge)] if bridge else []
    return [first, said, *shown, *said_after, last]

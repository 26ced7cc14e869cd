"""The edges of a render graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.types import Send

from rendercall.langgraph.notes import note_of
from rendercall.langgraph.tool_calls import batch_terminates

__all__ = ["route_after_model", "route_after_tools"]


def route_after_model(
    state: Mapping[str, Any],
) -> list[Send] | Literal["model", "__end__"]:
    """Go where the model node decided: to the tools, to the model again, or to the end.

    Ordinary calls are sent to the node `tools` one by one: a stock `ToolNode` that read the
    message itself would answer the render call too, with an error.

    Args:
        state: with `messages`, the last AI message written by a `ModelNode`. A message that
            somebody edited keeps its decision; a foreign one ends the run.
    """
    message = _last_ai(state["messages"])
    note = note_of(message) if message else {}
    if message is None or note.get("next") not in {"model", "tools"}:
        return "__end__"
    if note["next"] == "model":
        return "model"
    return [
        Send("tools", {"__type": "tool_call_with_context", "tool_call": call, "state": dict(state)})
        for call in message.tool_calls
        if call["id"] in note["run"]
    ]


def route_after_tools(state: Mapping[str, Any]) -> Literal["model", "__end__"]:
    """Go back to the model, or to the end.

    It ends where a shown call only waited for the tools, and where every result of the batch
    says so. Each call is a task of its own: the run goes on if any of them asks for it.
    """
    message = _last_ai(state["messages"])
    waited = message is not None and note_of(message).get("after_tools") == "end"
    ends = waited or batch_terminates(state["messages"])
    return "__end__" if ends else "model"


def _last_ai(messages: list[AnyMessage]) -> AIMessage | None:
    return next((one for one in reversed(messages) if isinstance(one, AIMessage)), None)

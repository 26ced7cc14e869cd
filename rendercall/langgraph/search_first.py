"""A search before the model speaks, for models that cannot choose tools themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from langchain_core.messages import AIMessage, HumanMessage, ToolCall
from langchain_core.tools import BaseTool
from langgraph.graph import MessagesState
from langgraph.runtime import Runtime

from rendercall.errors import GraphDefinitionError
from rendercall.langgraph.model_node import ModelNode
from rendercall.langgraph.notes import with_note
from rendercall.langgraph.provider_rules import calls_tools

__all__ = ["SearchFirst"]


class SearchFirst:
    """Writes the call of a search tool in the model's place, once a turn.

    Args:
        tool: an ordinary tool with one argument, which is given the human's text.
        model_node: where the run's model is found.
        skill: the name of the skill that brings the tool; it is activated with it.

    Raises:
        GraphDefinitionError: the tool does not take exactly one argument.
    """

    def __init__(self, tool: BaseTool, model_node: ModelNode, skill: str | None = None) -> None:
        if len(tool.args) != 1:
            raise GraphDefinitionError(
                f"search_first takes a tool with one argument; {tool.name} has {len(tool.args)}"
            )
        self._tool = tool
        self._argument = next(iter(tool.args))
        self._activated = {"active_skills": [skill]} if skill else {}
        self._model: Callable[[Runtime[Any]], object] = model_node.model

    def route(
        self, state: MessagesState, runtime: Runtime[Any]
    ) -> Literal["search_first", "model"]:
        """Search first where the model says that it cannot call tools."""
        del state
        return "model" if calls_tools(self._model(runtime)) else "search_first"

    def __call__(self, state: MessagesState) -> dict[str, Any]:
        """Call the tool on the last human message's text."""
        human = next(one for one in reversed(state["messages"]) if isinstance(one, HumanMessage))
        call = ToolCall(
            name=self._tool.name,
            args={self._argument: str(human.text)},
            id=f"search-{human.id}",
            type="tool_call",
        )
        message = AIMessage("", id=f"search-first-{human.id}", tool_calls=[call])
        note = {"search_first": True, "next": "tools", "run": [call["id"]]}
        return {"messages": [with_note(message, **note)], **self._activated}

"""The four ways in which a user has an agent that ends on a render call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from deepagents import create_deep_agent
from langchain.agents import create_agent
from langchain_core.tools import BaseTool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from rendercall import RenderTool
from rendercall.langgraph import (
    ModelNode,
    Policy,
    RenderMiddleware,
    render_graph,
    route_after_model,
    route_after_tools,
)
from rendercall.models import ScriptedChatModel

Renders = Sequence[RenderTool[Any]]
Tools = Sequence[BaseTool]


def by_render_graph(
    model: ScriptedChatModel, renders: Renders, tools: Tools, **options: Any
) -> Any:
    return render_graph(model, renders, tools=tools, **options)


def by_hand(
    model: ScriptedChatModel,
    renders: Renders,
    tools: Tools,
    *,
    tool_choice: str | None = None,
    checkpointer: Any = None,
    **options: Any,
) -> Any:
    names = frozenset(tool.name for tool in tools)
    policy = Policy(renders=tuple(renders), tool_names=names, **options)
    node = ModelNode(model, policy, tools=tools, tool_choice=tool_choice)
    graph = StateGraph(MessagesState)
    graph.add_node("model", node.node())
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", route_after_model, ["model", "tools", "__end__"])
    graph.add_conditional_edges("tools", route_after_tools, ["model", "__end__"])
    return graph.compile(checkpointer=checkpointer)


def by_create_agent(
    model: ScriptedChatModel,
    renders: Renders,
    tools: Tools,
    *,
    checkpointer: Any = None,
    **options: Any,
) -> Any:
    middleware = [RenderMiddleware(renders, **options)]
    return create_agent(model, tools, middleware=middleware, checkpointer=checkpointer)


def by_deepagents(
    model: ScriptedChatModel,
    renders: Renders,
    tools: Tools,
    *,
    checkpointer: Any = None,
    **options: Any,
) -> Any:
    middleware = [RenderMiddleware(renders, **options)]
    return create_deep_agent(
        model=model, tools=tools, middleware=middleware, checkpointer=checkpointer
    )


AGENTS: dict[str, Callable[..., Any]] = {
    "render_graph": by_render_graph,
    "by hand": by_hand,
    "create_agent": by_create_agent,
    "deepagents": by_deepagents,
}

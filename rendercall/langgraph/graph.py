"""A whole graph that finishes on a render call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.managed import RemainingSteps
from langgraph.store.base import BaseStore
from langgraph.types import Checkpointer

from rendercall.contract import RenderTool
from rendercall.errors import GraphDefinitionError
from rendercall.langgraph.frames import EnableCustom
from rendercall.langgraph.model_call import STEPS_PER_CALL
from rendercall.langgraph.model_node import ModelNode, ModelSource
from rendercall.langgraph.policy import Ack, Mixed, OnError, Policy, Repair, as_tuple
from rendercall.langgraph.routing import route_after_model, route_after_tools
from rendercall.langgraph.search_first import SearchFirst
from rendercall.langgraph.skill import Skill
from rendercall.langgraph.skill_registry import SkillRegistry
from rendercall.langgraph.tool_calls import tool_node
from rendercall.langgraph.use_skill import merge_active

__all__ = ["RenderState", "SkillState", "render_graph"]


class RenderState(MessagesState):
    """The state: the messages, and how many steps LangGraph still allows."""

    remaining_steps: RemainingSteps


class SkillState(RenderState):
    """The state of a graph with skills: also the names of those that are active.

    An update is a list too: names to activate, and `-name` to deactivate one.
    """

    active_skills: Annotated[list[str], merge_active]


def render_graph(
    model: ModelSource,
    render: RenderTool[Any] | Sequence[RenderTool[Any]],
    *,
    tools: Sequence[BaseTool] = (),
    skills: Sequence[Skill] | SkillRegistry = (),
    prompt: str | None = None,
    mixed: Mixed = "rerender",
    max_repairs: int = 2,
    max_model_calls: int = 10,
    required: bool = False,
    search_first: BaseTool | None = None,
    ack: Ack = "request",
    repair: Repair = "patch",
    on_error: OnError = "finish_then_patch",
    tool_choice: str | None = None,
    frame_interval: float = 0.04,
    context_schema: type[Any] | None = None,
    checkpointer: Checkpointer = None,
    store: BaseStore | None = None,
    name: str = "render_graph",
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build a graph that ends on a display-only render call.

    The model may call ordinary `tools`, which are run, and `render` tools, which are not:
    a right render call ends the run, and stands in the last `AIMessage` of the state. Read
    it with `last_render`. A wrong one is answered with its errors, and the model is asked
    again. The graph always ends.

    Args:
        model: a chat model, `"provider:name"`, or a function of the run's `Runtime` that
            gives the model (with `context_schema`).
        render: the render tool, or several; with skills that bring some, it may be none.
        tools: ordinary tools.
        skills: what a run may take up when it needs it, see `rendercall.langgraph.skills`.
        prompt: a system message put before every request; it is not stored.
        mixed: a render call beside ordinary calls: `"rerender"` runs them and has the model
            render again with their results, `"finish"` runs them and ends.
        max_repairs: how often the model may be asked again in one turn, after a wrong, cut
            or missing answer.
        max_model_calls: model calls in one turn: tools, mixed turns and repairs together.
        required: remind a model that answers with text only; it counts as a repair.
        search_first: one of `tools` or of a skill's, with one argument. For a model whose
            `profile` says that it cannot call tools, the graph calls this one with the human's
            text before the model speaks, and activates its skill. Models that can call tools
            choose for themselves.
        ack: `"request"` answers a shown call in the next request only; `"state"` stores the
            answer, for threads that are shared with other graphs.
        repair: `"patch"` offers the model, after a wrong call, a small tool that corrects it by
            JSON Patch operations; the graph then makes the corrected render call itself.
            Twice without success, and it asks for the whole. `"reask"` always does.
        on_error: `"finish_then_patch"` lets the model finish a call that is definitely wrong.
            `"abort_and_continue"` stops it at the first such error and closes the connection;
            what came before is kept, and corrected and continued by the patch. In
            `benchmarks/repair.py` finishing wrote less in all and ended right more often, since
            the model is told all errors at once; stopping is for long calls whose rest is dear.
            With Anthropic's thinking on, and where calls come whole, nothing is stopped.
        tool_choice: passed to the model's `bind_tools`, e.g. `"any"`.
        frame_interval: seconds between two render frames of a call, which are written to the
            run's `custom` stream; see `rendercall.langgraph.frames`.
        context_schema: the run's context, as `StateGraph` takes it.
        checkpointer: where threads are kept.
        store: LangGraph's store for the tools.
        name: the graph's name.

    Returns:
        The compiled graph, sync and async; its state has `messages`, and with skills
        `active_skills`.

    Raises:
        GraphDefinitionError: a render tool among `tools`, no render tool, equal names,
            limits below their minimum, or a `search_first` that is none of `tools`.
        SkillRefused: a skill's tool has the name of another.
        ModelError: the named model cannot be found.
    """
    _refuse_render_tools(tools)
    registry = _registry(skills)
    policy = Policy(
        renders=as_tuple(render),
        dormant=registry.renders if registry else (),
        tool_names=frozenset(tool.name for tool in tools),
        mixed=mixed,
        max_repairs=max_repairs,
        max_model_calls=max_model_calls,
        required=required,
        ack=ack,
        repair=repair,
        on_error=on_error,
    )
    model_node = ModelNode(
        model,
        policy,
        tools=tools,
        prompt=prompt,
        tool_choice=tool_choice,
        frame_interval=frame_interval,
        skills=registry,
    )
    if registry:
        _refuse_clashes(registry, policy)
        tools = [*tools, *registry.tools]
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(
        SkillState if registry else RenderState, context_schema=context_schema
    )
    builder.add_node("model", model_node.node())
    ends = ["model", "__end__"]
    if tools:
        builder.add_node("tools", tool_node(tools))
        builder.add_conditional_edges("tools", route_after_tools, ends)
        ends = ["tools", *ends]
    builder.add_conditional_edges("model", route_after_model, ends)
    _add_start(builder, search_first, tools, model_node, registry)
    graph = builder.compile(
        checkpointer=checkpointer, store=store, name=name, transformers=[EnableCustom]
    )
    return graph.with_config(recursion_limit=STEPS_PER_CALL * max_model_calls + 3)


def _add_start(
    builder: StateGraph[Any, Any, Any, Any],
    search_first: BaseTool | None,
    tools: Sequence[BaseTool],
    model_node: ModelNode,
    registry: SkillRegistry | None,
) -> None:
    if search_first is None:
        builder.add_edge(START, "model")
        return
    if search_first not in tools:
        raise GraphDefinitionError(
            f"search_first={search_first.name} must be one of tools=, or of a skill's"
        )
    owner = registry.owner(search_first) if registry else None
    search = SearchFirst(search_first, model_node, owner.name if owner else None)
    builder.add_node("search_first", search)
    builder.add_conditional_edges(START, search.route, ["search_first", "model"])
    builder.add_conditional_edges("search_first", route_after_model, ["tools"])


def _registry(skills: Sequence[Skill] | SkillRegistry) -> SkillRegistry | None:
    if isinstance(skills, SkillRegistry):
        return skills
    return SkillRegistry(skills) if skills else None


def _refuse_clashes(registry: SkillRegistry, policy: Policy) -> None:
    """Refuse at once what would only be found when the skills become active."""
    taken = {*policy.tool_names, *(tool.name for tool in policy.renders)}
    registry.refuse_clashes(dict.fromkeys(taken, "the graph itself"))
    registry.policy(policy, [skill.name for skill in registry.skills])


def _refuse_render_tools(tools: Sequence[object]) -> None:
    for tool in tools:
        if isinstance(tool, RenderTool):
            raise GraphDefinitionError(
                f"{tool.name} is a render tool: it is never executed, so it does not belong "
                "among tools=. Pass it as the second argument, render."
            )

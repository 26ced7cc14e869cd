"""A human looks at a render call that the graph itself made of a patch, before it is shown."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, interrupt

from rendercall import RenderTool, last_render
from rendercall.langgraph import RenderMiddleware, is_final, render_graph
from rendercall.langgraph.notes import note_of
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.provider_clients import Provider
from tests.langgraph.repair_table import PATCH, RIGHT, patch
from tests.langgraph.scripted_graph import (
    ASK,
    BAD,
    GOOD,
    NAME,
    last_ai,
    render,
    search,
    search_docs,
)
from tests.langgraph.test_providers import EACH
from tests.providers.http import Answer

CONFIG: Any = {"configurable": {"thread_id": "1"}}
AGAIN: Any = {"messages": [HumanMessage("Thanks", id="h2")]}
ALL: Any = {"allowed_decisions": ["approve", "edit", "reject"]}
EDITED = {**GOOD, "topic": "Edited by a human"}


def in_render_graph(model: BaseChatModel, tool: RenderTool[Any]) -> Any:
    """A render graph in a parent graph, whose next node asks a human."""

    def review(state: MessagesState) -> Command[Literal["planner", "__end__"]]:
        message = last_ai(state["messages"])
        (call,) = message.tool_calls
        decision = interrupt(call["args"])
        if decision["type"] == "reject":
            answer = ToolMessage(decision["message"], tool_call_id=call["id"], status="error")
            return Command(goto="planner", update={"messages": [answer]})
        args = decision.get("edited_action", call)["args"]
        edited = message.model_copy(update={"tool_calls": [{**call, "args": args}]})
        return Command(goto=END, update={"messages": [edited]})

    graph = StateGraph(MessagesState)
    graph.add_node("planner", render_graph(model, tool, tools=[search_docs]))
    graph.add_node("review", review)
    graph.add_edge(START, "planner")
    graph.add_edge("planner", "review")
    return graph.compile(checkpointer=InMemorySaver())


def in_create_agent(model: BaseChatModel, tool: RenderTool[Any]) -> Any:
    """An agent of langchain, whose own middleware asks a human."""
    review = HumanInTheLoopMiddleware(interrupt_on={NAME: {**ALL, "when": is_final}})
    return create_agent(
        model,
        [search_docs],
        middleware=[RenderMiddleware(tool), review],
        checkpointer=InMemorySaver(),
    )


REVIEWS = pytest.mark.parametrize(
    "make", [in_render_graph, in_create_agent], ids=["render_graph", "create_agent"]
)


def decide(graph: Any, **decision: Any) -> Any:
    """Resume with a human's word, in the form that each graph asks for it."""
    (asked,) = graph.get_state(CONFIG).interrupts
    several = "action_requests" in asked.value
    return graph.invoke(Command(resume={"decisions": [decision]} if several else decision), CONFIG)


def edit(graph: Any, args: Any) -> Any:
    return decide(graph, type="edit", edited_action={"name": NAME, "args": args})


def waiting(make: Any, tool: RenderTool[Any], *more: Reply) -> tuple[Any, ScriptedChatModel]:
    """A graph that waits for a human's word about a patched call."""
    model = ScriptedChatModel(script=[render(BAD), patch(*RIGHT), *more])
    graph = make(model, tool)
    state = graph.invoke(ASK, CONFIG)
    made = last_ai(state["messages"])
    assert note_of(made)["patched"]
    assert made.tool_calls[0]["args"] == GOOD
    assert "Shown" not in str(state["messages"])
    return graph, model


@REVIEWS
def test_a_patched_call_is_approved(make: Any, plan_tool: RenderTool[LearningPlan]) -> None:
    """It is what the human saw."""
    graph, model = waiting(make, plan_tool)
    shown = last_render(decide(graph, type="approve"), plan_tool)
    assert shown.require() == LearningPlan.model_validate(GOOD)
    assert len(model.requests) == 2


@REVIEWS
def test_a_patched_call_is_edited(make: Any, plan_tool: RenderTool[LearningPlan]) -> None:
    """The edited plan is the result, judged like any other, and what the next turn knows."""
    graph, model = waiting(make, plan_tool, Reply("You are welcome."))
    state = edit(graph, EDITED)
    assert last_render(state, plan_tool).require().topic == "Edited by a human"
    graph.invoke(AGAIN, CONFIG) if make is in_create_agent else _next_turn(graph)
    assert last_ai(model.requests[-1].messages).tool_calls[0]["args"] == EDITED

    graph, _ = waiting(make, plan_tool)
    assert last_render(edit(graph, BAD), plan_tool).status == "invalid"


def _next_turn(graph: Any) -> None:
    """Its review looks at calls, and the next turn has none."""
    with pytest.raises(ValueError, match="unpack"):
        graph.invoke(AGAIN, CONFIG)


@REVIEWS
@pytest.mark.parametrize(
    "after",
    [[render(EDITED)], [render({**BAD, "topic": EDITED["topic"]}), patch(*RIGHT)]],
    ids=["right", "wrong, and patched again"],
)
def test_a_patched_call_is_rejected(
    make: Any, after: list[Reply], plan_tool: RenderTool[LearningPlan]
) -> None:
    """The model reads why and renders again; nothing of the earlier call is patched any more."""
    graph, model = waiting(make, plan_tool, *after)
    decide(graph, type="reject", message="Too short.")
    request = model.requests[2]
    assert "Too short." in request.messages[-1].text
    assert PATCH not in str(request.tools)
    called = [call["id"] for one in request.messages if isinstance(one, AIMessage) for call in one.tool_calls]  # fmt: skip
    assert called == [one.tool_call_id for one in request.messages if one.type == "tool"]
    state = decide(graph, type="approve")
    assert last_render(state, plan_tool).require().topic == "Edited by a human"


def provider_script(provider: Provider) -> list[Answer]:
    thought = "Because." if provider.reasons else ""
    written = [(NAME, BAD), (PATCH, {"ops": RIGHT}), (NAME, EDITED)]
    return [
        Answer(calls=[(name, json.dumps(args), f"c{n}")], reasoning=thought)
        for n, (name, args) in enumerate(written)
    ]


@REVIEWS
@EACH
@pytest.mark.parametrize("word", ["edit", "reject"])
def test_every_provider_takes_and_is_told_a_humans_word(
    make: Any, provider: Provider, word: str, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Also those who are sent no call that the graph made: signed and paired reasoning stays so."""
    with provider.server(provider_script(provider)) as server:
        graph = make(provider.client(server, True), plan_tool)
        graph.invoke(ASK, CONFIG)
        if word == "edit":
            edit(graph, {**GOOD, "topic": "Edges of SQL"})
            graph.invoke(AGAIN, CONFIG)
        else:
            decide(graph, type="reject", message="Too short.")
        state = decide(graph, type="approve")
    assert last_render(state, plan_tool).require().topic == "Edited by a human"
    assert server.refusals == []
    sent = json.dumps(server.requests[2])
    assert ("Edges of SQL" if word == "edit" else "Too short.") in sent


@pytest.mark.parametrize("ack", ["state", "request"])
def test_a_wrong_call_that_a_human_corrects_is_right(
    ack: Any, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Where the review is asked about wrong calls too; nothing is asked of the model again."""
    review = HumanInTheLoopMiddleware(interrupt_on={NAME: True})
    model = ScriptedChatModel(script=[render(BAD, "c1"), patch(*RIGHT)])
    stack = [RenderMiddleware(plan_tool, ack=ack), review]
    graph = create_agent(model, middleware=stack, checkpointer=InMemorySaver())  # type: ignore[arg-type]
    graph.invoke(ASK, CONFIG)  # type: ignore[arg-type]
    state = edit(graph, EDITED)
    assert last_render(state, plan_tool).require().topic == "Edited by a human"
    assert [one.status for one in state["messages"] if one.type == "tool"] == ["success"]
    assert len(model.requests) == 1


def test_a_wrong_call_that_a_human_approves_is_corrected_all_the_same(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """And the human is asked about what came of it."""
    review = HumanInTheLoopMiddleware(interrupt_on={NAME: True})
    model = ScriptedChatModel(script=[render(BAD, "c1"), patch(*RIGHT)])
    stack = [RenderMiddleware(plan_tool), review]
    graph = create_agent(model, middleware=stack, checkpointer=InMemorySaver())  # type: ignore[arg-type]
    graph.invoke(ASK, CONFIG)  # type: ignore[arg-type]
    decide(graph, type="approve")
    state = decide(graph, type="approve")
    assert last_render(state, plan_tool).require() == LearningPlan.model_validate(GOOD)


def test_a_human_is_asked_about_what_is_shown_only(plan_tool: RenderTool[LearningPlan]) -> None:
    """Neither about a plan that the model corrects, nor about one that comes again."""
    beside = Reply(calls=[Call(NAME, GOOD), search()])
    model = ScriptedChatModel(script=[beside, render(BAD), patch(*RIGHT)])
    graph = in_create_agent(model, plan_tool)
    graph.invoke(ASK, CONFIG)
    assert len(model.requests) == 3
    assert last_render(decide(graph, type="approve"), plan_tool).status == "ok"


def test_a_review_that_waits_for_the_execution_is_not_asked(plan_tool: RenderTool[Any]) -> None:
    """Limit: a render call is never executed."""
    review = HumanInTheLoopMiddleware(interrupt_on={NAME: True}, interrupt_mode="per_call")
    stack = [RenderMiddleware(plan_tool), review]
    graph = create_agent(
        ScriptedChatModel(script=[render()]),
        middleware=stack,  # type: ignore[arg-type]
        checkpointer=InMemorySaver(),
    )
    assert "__interrupt__" not in graph.invoke(ASK, CONFIG)  # type: ignore[arg-type]

"""The parts beside what else LangGraph has: subgraphs, interrupts, Command and Send."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, Send, interrupt
from typing_extensions import TypedDict

from rendercall import RenderTool, last_render
from rendercall.langgraph import ModelNode, Policy, route_after_model, route_after_tools
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.agents import AGENTS
from tests.langgraph.scripted_graph import ASK, BAD, GOOD, last_ai, render, search, search_docs

CONFIG: Any = {"configurable": {"thread_id": "1"}}
EDITED = {**GOOD, "topic": "Edited by a human"}
EACH = pytest.mark.parametrize("make", AGENTS.values(), ids=AGENTS)
Make = Callable[..., Any]


def model(*script: Any) -> ScriptedChatModel:
    return ScriptedChatModel(script=list(script), repeat_last=True)


def edit(message: AIMessage, args: dict[str, Any]) -> AIMessage:
    """The message with other args in its only call; its id stays, so it replaces the old one."""
    (call,) = message.tool_calls
    return message.model_copy(update={"tool_calls": [{**call, "args": args}]})


@EACH
def test_as_a_subgraph(make: Make, plan_tool: RenderTool[LearningPlan]) -> None:
    """Its messages go to the parent's state, and its fragments to the parent's watchers."""
    graph = StateGraph(MessagesState)
    graph.add_node("planner", make(model(render(BAD), render()), [plan_tool], [search_docs]))
    graph.add_edge(START, "planner")
    parent = graph.compile()
    chunks = [
        part for _, (part, _) in parent.stream(ASK, stream_mode="messages", subgraphs=True)  # type: ignore[misc, arg-type]
        if isinstance(part, AIMessageChunk)
    ]  # fmt: skip
    assert len(chunks) > 40
    assert last_render(parent.invoke(ASK), plan_tool).status == "ok"  # type: ignore[arg-type]


def reviewing(plan_tool: RenderTool[Any], script: ScriptedChatModel, review: Any) -> Any:
    """A graph in which a human sees every plan before it is shown."""
    policy = Policy(renders=(plan_tool,), tool_names=frozenset({"search_docs"}))
    node = ModelNode(script, policy, tools=[search_docs])

    def route(state: MessagesState) -> Any:
        to = route_after_model(state)
        return "review" if to == END else to

    graph = StateGraph(MessagesState)
    graph.add_node("model", node.node())
    graph.add_node("tools", ToolNode([search_docs]))
    graph.add_node("review", review)
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", route, ["model", "tools", "review"])
    graph.add_conditional_edges("tools", route_after_tools, ["model", END])
    return graph


def ask_a_human(state: MessagesState) -> dict[str, Any]:
    """Show the args, and take them back edited."""
    message = last_ai(state["messages"])
    args = interrupt(message.tool_calls[0]["args"])
    return {"messages": [edit(message, args)]}


def test_interrupt_edit_and_resume(plan_tool: RenderTool[LearningPlan]) -> None:
    """A human edits the plan before it is shown: the edited plan is the result."""
    script = model(Reply(calls=[search()]), render(BAD), render())
    graph = reviewing(plan_tool, script, ask_a_human).compile(checkpointer=InMemorySaver())
    waiting = graph.invoke(ASK, CONFIG)
    assert waiting["__interrupt__"][0].value == GOOD
    state = graph.invoke(Command(resume=EDITED), CONFIG)
    assert last_render(state, plan_tool).require().topic == "Edited by a human"
    assert last_render(graph.get_state(CONFIG).values, plan_tool).status == "ok"


def test_an_edit_is_judged_like_any_call(plan_tool: RenderTool[LearningPlan]) -> None:
    """A human's mistake is no value either."""
    graph = reviewing(plan_tool, model(render()), ask_a_human).compile(checkpointer=InMemorySaver())
    graph.invoke(ASK, CONFIG)
    assert last_render(graph.invoke(Command(resume=BAD), CONFIG), plan_tool).status == "invalid"


def test_a_human_sends_the_model_back(plan_tool: RenderTool[LearningPlan]) -> None:
    """A node may answer the call itself and go on with `Command`."""

    def review(state: MessagesState) -> Command[Literal["model", "__end__"]]:
        call = last_ai(state["messages"]).tool_calls[0]
        wish = interrupt(call["args"])
        if not wish:
            return Command(goto=END)
        answer = ToolMessage(wish, tool_call_id=call["id"], status="error")
        return Command(goto="model", update={"messages": [answer]})

    script = model(render(), render(EDITED))
    graph = reviewing(plan_tool, script, review).compile(checkpointer=InMemorySaver())
    graph.invoke(ASK, CONFIG)
    graph.invoke(Command(resume="Longer, please."), CONFIG)
    assert script.requests[1].messages[-1].text == "Longer, please."
    state = graph.invoke(Command(resume=""), CONFIG)
    assert last_render(state, plan_tool).require().topic == "Edited by a human"


@EACH
def test_update_state_edits_the_plan(make: Make, plan_tool: RenderTool[LearningPlan]) -> None:
    """An edit by the message's id, at the end of a run; the next turn is sent the edited plan."""
    script = model(render(), Reply("You are welcome."))
    graph = make(script, [plan_tool], [search_docs], checkpointer=InMemorySaver())
    state = graph.invoke(ASK, CONFIG)
    graph.update_state(CONFIG, {"messages": [edit(last_ai(state["messages"]), EDITED)]})
    assert (
        last_render(graph.get_state(CONFIG).values, plan_tool).require().topic
        == "Edited by a human"
    )
    graph.invoke({"messages": [HumanMessage("Thanks")]}, CONFIG)
    sent = last_ai(script.requests[1].messages)
    assert sent.tool_calls[0]["args"] == EDITED


def test_interrupt_before_edit_and_go_on(plan_tool: RenderTool[LearningPlan]) -> None:
    """A breakpoint, `update_state` and `invoke(None)`: the edited plan is the result."""
    graph = reviewing(plan_tool, model(render()), lambda _: {}).compile(
        checkpointer=InMemorySaver(), interrupt_before=["review"]
    )
    state = graph.invoke(ASK, CONFIG)
    graph.update_state(CONFIG, {"messages": [edit(last_ai(state["messages"]), EDITED)]}, "model")
    state = graph.invoke(None, CONFIG)
    assert last_render(state, plan_tool).require().topic == "Edited by a human"
    assert graph.get_state(CONFIG).next == ()


@EACH
def test_a_tool_that_gives_a_command(make: Make, plan_tool: RenderTool[LearningPlan]) -> None:
    """An ordinary tool may update the state itself."""

    @tool
    def note(text: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
        """Keep a note."""
        return Command(
            update={"messages": [ToolMessage(f"noted {text}", tool_call_id=tool_call_id)]}
        )

    script = model(Reply(calls=[Call("note", {"text": "a"})]), render())
    state = make(script, [plan_tool], [note]).invoke(ASK)
    assert last_render(state, plan_tool).status == "ok"
    assert script.requests[1].messages[-1].text == "noted a"


class Topics(TypedDict):
    topics: list[str]
    plans: Annotated[list[str], operator.add]


@EACH
def test_one_run_a_topic_with_send(make: Make, plan_tool: RenderTool[LearningPlan]) -> None:
    """Runs side by side do not touch one another."""

    def answer(messages: Any) -> Reply:
        return render({**GOOD, "topic": messages[-1].text})

    planner = make(model(answer), [plan_tool], [search_docs])

    def plan(state: Mapping[str, str]) -> dict[str, Any]:
        shown = last_render(planner.invoke({"messages": [HumanMessage(state["topic"])]}), plan_tool)
        return {"plans": [shown.require().topic]}

    graph = StateGraph(Topics)
    graph.add_node("plan", plan)
    graph.add_conditional_edges(
        START, lambda state: [Send("plan", {"topic": one}) for one in state["topics"]], ["plan"]
    )
    topics = ["SQL", "Rust", "Go"]
    assert graph.compile().invoke({"topics": topics, "plans": []})["plans"] == topics

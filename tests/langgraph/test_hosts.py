"""What create_agent and deepagents make of it: a human's word, and the limits that docs/agents.md names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from deepagents import create_deep_agent
from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    HumanInTheLoopMiddleware,
    ModelCallLimitMiddleware,
    SummarizationMiddleware,
)
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.types import Command

from rendercall import RenderTool, last_render, scan_renders
from rendercall.langgraph import RenderMiddleware
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import (
    ASK,
    BAD,
    CUT,
    GOOD,
    NAME,
    Scripted,
    answers,
    render,
    search,
    search_docs,
)

CONFIG: Any = {"configurable": {"thread_id": "1"}}
AGAIN: Any = {"messages": [HumanMessage("Thanks", id="h2")]}
EDITED = {**GOOD, "topic": "Edited by a human"}
MAKERS = pytest.mark.parametrize("make", [create_agent, create_deep_agent])


def agent(
    make: Any, plan_tool: RenderTool[Any], *script: Any, tools: Any = (search_docs,), **options: Any
) -> Scripted:
    """An agent with a thread, whose model plays a script."""
    model = ScriptedChatModel(script=list(script), repeat_last=True)
    middleware = [RenderMiddleware(plan_tool, **options)]
    graph = make(model=model, tools=tools, middleware=middleware, checkpointer=InMemorySaver())
    return Scripted(graph, model)


def reviewed(
    plan_tool: RenderTool[Any], *script: Any, review_first: bool = False, **options: Any
) -> tuple[Any, ScriptedChatModel]:
    """An agent whose render calls a human reviews."""
    model = ScriptedChatModel(script=list(script), repeat_last=True)
    review = HumanInTheLoopMiddleware(interrupt_on={NAME: True})
    middleware: Sequence[AgentMiddleware[Any, Any, Any]] = [
        RenderMiddleware(plan_tool, **options),
        review,
    ]
    if review_first:
        middleware = middleware[::-1]
    return create_agent(
        model, [search_docs], middleware=middleware, checkpointer=InMemorySaver()
    ), model


def resume(*decisions: dict[str, Any]) -> Command[Any]:
    return Command(resume={"decisions": list(decisions)})


def test_a_human_approves(plan_tool: RenderTool[LearningPlan]) -> None:
    """Nothing says that the plan was shown before the human has said so."""
    graph, _ = reviewed(plan_tool, render())
    waiting = graph.invoke(ASK, CONFIG)
    assert waiting["__interrupt__"][0].value["action_requests"][0]["args"] == GOOD
    assert answers(waiting["messages"]) == []
    state = graph.invoke(resume({"type": "approve"}), CONFIG)
    assert last_render(state, plan_tool).status == "ok"
    assert answers(state["messages"]) == [(NAME, "success")]


def test_a_human_edits(plan_tool: RenderTool[LearningPlan]) -> None:
    """The edited plan is what `last_render` gives, and it is judged like any other."""
    graph, _ = reviewed(plan_tool, render())
    graph.invoke(ASK, CONFIG)
    edit = {"type": "edit", "edited_action": {"name": NAME, "args": EDITED}}
    state = graph.invoke(resume(edit), CONFIG)
    assert last_render(state, plan_tool).require().topic == "Edited by a human"
    state = graph.invoke(AGAIN, CONFIG)
    edit["edited_action"] = {"name": NAME, "args": BAD}
    state = graph.invoke(resume(edit), CONFIG)
    assert last_render(state, plan_tool).status == "invalid"


def test_a_human_rejects(plan_tool: RenderTool[LearningPlan]) -> None:
    """The model reads why, and renders again."""
    graph, model = reviewed(plan_tool, render(), render(EDITED))
    graph.invoke(ASK, CONFIG)
    graph.invoke(resume({"type": "reject", "message": "Too short."}), CONFIG)
    assert "Too short." in model.requests[1].messages[-1].text
    state = graph.invoke(resume({"type": "approve"}), CONFIG)
    assert last_render(state, plan_tool).require().topic == "Edited by a human"


def test_rejections_end_too(plan_tool: RenderTool[LearningPlan]) -> None:
    """A human who rejects the last model call's plan ends the run."""
    graph, model = reviewed(plan_tool, render(), max_model_calls=1)
    graph.invoke(ASK, CONFIG)
    state = graph.invoke(resume({"type": "reject", "message": "No."}), CONFIG)
    assert last_render(state, plan_tool).status == "failed"
    assert len(model.requests) == 1


def test_a_review_listed_before_is_not_asked(plan_tool: RenderTool[LearningPlan]) -> None:
    """Limit: a jump leaves out the `after_model` of what is listed before."""
    graph, _ = reviewed(plan_tool, render(), review_first=True)
    assert "__interrupt__" not in graph.invoke(ASK, CONFIG)


@MAKERS
@pytest.mark.parametrize("first", [render(), render(CUT), render(BAD)], ids=["ok", "cut", "wrong"])
def test_the_next_turn_changes_no_stored_message(
    make: Any, first: Reply, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Every call has our answer in the state, so that the host finds nothing to patch."""
    made = agent(make, plan_tool, first, Reply("You are welcome."), max_repairs=0)
    before = made.graph.invoke(ASK, CONFIG)["messages"]
    after = made.graph.invoke(AGAIN, CONFIG)["messages"]
    assert after[: len(before)] == before


def test_create_agent_patches_a_cut_call_that_is_not_answered_in_the_state(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """Limit of `ack="request"`: the next turn writes the host's own answer into the history."""
    made = agent(
        create_agent, plan_tool, render(CUT), Reply("Sorry."), max_repairs=0, ack="request"
    )
    before = made.graph.invoke(ASK, CONFIG)["messages"]
    assert isinstance(before[-1], AIMessage)
    after = made.graph.invoke(AGAIN, CONFIG)["messages"]
    assert [one.type for one in after] == ["human", "ai", "tool", "human", "ai"]


def test_deepagents_calls_a_shown_plan_cancelled_that_is_not_answered_in_the_state(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """Limit of `ack="request"`: PatchToolCallsMiddleware answers it with an error."""
    made = agent(create_deep_agent, plan_tool, render(), Reply("Bye."), ack="request")
    assert last_render(made.graph.invoke(ASK, CONFIG), plan_tool).status == "ok"
    state = made.graph.invoke(AGAIN, CONFIG)
    assert "may have been cancelled" in next(
        one.text for one in state["messages"] if isinstance(one, ToolMessage)
    )
    assert [one.status for one in scan_renders(state, plan_tool)] == ["failed"]


def test_a_deep_agents_own_tools_are_ordinary_ones(plan_tool: RenderTool[LearningPlan]) -> None:
    """They run beside ours, and are named to a model that calls something else."""
    write = Call("write_file", {"file_path": "/notes.md", "content": "x"})
    made = agent(create_deep_agent, plan_tool, Reply(calls=[write, Call(NAME, GOOD)]), render())
    state = made.graph.invoke(ASK, CONFIG)
    assert last_render(state, plan_tool).status == "ok"
    assert answers(state["messages"]) == [
        (NAME, "error"), ("write_file", "success"), (NAME, "success"),
    ]  # fmt: skip
    assert list(state["files"]) == ["/notes.md"]


def test_a_tool_that_returns_directly_ends_a_mixed_turn(plan_tool: RenderTool[Any]) -> None:
    """Limit: the host ends the run after it; the result is typed, and says that it is not shown."""

    @tool(return_direct=True)
    def stop() -> str:
        """Stop."""
        return "stopped"

    mixed = Reply(calls=[Call(NAME, GOOD), Call("stop", {})])
    shown = last_render(
        agent(create_agent, plan_tool, mixed, tools=[stop]).graph.invoke(ASK, CONFIG), plan_tool
    )
    assert shown.status == "failed"
    assert [issue.code for issue in shown.errors] == ["not_shown"]


def test_a_tool_that_raises_ends_the_run_but_not_the_thread(plan_tool: RenderTool[Any]) -> None:
    """Limit: the host raises a tool's exception; the next turn's request is valid all the same."""

    @tool
    def leaky() -> str:
        """Fail."""
        raise RuntimeError("sk-secret")

    made = agent(
        create_agent, plan_tool, Reply(calls=[Call("leaky", {}, "c1")]), render(), tools=[leaky]
    )
    with pytest.raises(RuntimeError):
        made.graph.invoke(ASK, CONFIG)
    assert last_render(made.graph.invoke(AGAIN, CONFIG), plan_tool).status == "ok"
    answer = made.model.requests[1].messages[2]
    assert isinstance(answer, ToolMessage)
    assert answer.tool_call_id == "c1"
    assert "secret" not in answer.text


def test_a_recursion_limit_below_the_model_calls_raises(plan_tool: RenderTool[Any]) -> None:
    """Limit: a middleware cannot know how many steps the other ones take between two calls."""
    made = agent(create_agent, plan_tool, Reply(calls=[search()]), max_model_calls=5)
    with pytest.raises(GraphRecursionError):
        made.graph.invoke(ASK, {**CONFIG, "recursion_limit": 10})
    state = made.graph.invoke(AGAIN, {**CONFIG, "recursion_limit": 4 * 5})
    assert last_render(state, plan_tool).status == "failed"


def test_summaries_in_the_state_begin_the_count_again(plan_tool: RenderTool[Any]) -> None:
    """Limit: what is removed cannot be counted; langchain's own call limit bounds the run then."""
    model = ScriptedChatModel(script=[Reply(calls=[search()])], repeat_last=True)
    writer = ScriptedChatModel(script=[Reply("A summary.")], repeat_last=True)
    summary = SummarizationMiddleware(writer, trigger=("messages", 6), keep=("messages", 2))
    stack = [summary, RenderMiddleware(plan_tool, max_model_calls=5)]
    agent = create_agent(model, [search_docs], middleware=stack)
    with pytest.raises(GraphRecursionError):
        agent.invoke(ASK, {"recursion_limit": 60})  # type: ignore[arg-type]
    before = len(model.requests)
    stack.append(ModelCallLimitMiddleware(run_limit=12))
    agent = create_agent(model, [search_docs], middleware=stack)
    state = agent.invoke(ASK)  # type: ignore[arg-type]
    assert len(model.requests) - before == 12
    assert last_render(state, plan_tool).status == "absent"

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.runtime import Runtime

from rendercall import RenderTool, last_render
from rendercall.errors import GraphDefinitionError, ModelError
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.agents import AGENTS
from tests.langgraph.scripted_graph import (
    ASK,
    BAD,
    CUT,
    GOOD,
    NAME,
    TEXT,
    MakeGraph,
    answers,
    render,
    search,
    search_docs,
)

OUTCOMES: dict[str, tuple[list[Any], dict[str, Any], str, int, list[tuple[str, str]]]] = {
    # script, options: (status, model calls, tool messages)
    "a right call": ([render()], {}, "ok", 1, []),
    "search, then render": (
        [Reply(calls=[search()]), render()], {}, "ok", 2, [("search_docs", "success")],
    ),
    "wrong, then right": ([render(BAD), render()], {}, "ok", 2, [(NAME, "error")]),
    "always wrong": ([render(BAD)], {}, "invalid", 3, [(NAME, "error")] * 2),
    "wrong without repairs": ([render(BAD)], {"max_repairs": 0}, "invalid", 1, []),
    "wrong at the last model call": ([render(BAD)], {"max_model_calls": 1}, "invalid", 1, []),
    "cut, then right": ([render(CUT), render()], {}, "ok", 2, [(NAME, "error")]),
    "always cut": ([render(CUT, finish_reason="length")], {}, "truncated", 3, [(NAME, "error")] * 2),
    "cut, said to be finished": ([render(CUT)], {}, "truncated", 3, [(NAME, "error")] * 2),
    "no JSON": ([render("{'a': 1}")], {}, "invalid", 3, [(NAME, "error")] * 2),
    "no args": ([render("")], {}, "invalid", 3, [(NAME, "error")] * 2),
    "mixed": (
        [Reply(calls=[Call(NAME, GOOD), search()]), render()], {}, "ok", 2,
        [(NAME, "error"), ("search_docs", "success")],
    ),
    "always mixed": (
        [Reply(calls=[Call(NAME, GOOD), search()])], {"max_model_calls": 4}, "failed", 4,
        [(NAME, "error"), ("search_docs", "success")] * 3 + [(NAME, "error"), ("search_docs", "error")],
    ),
    "mixed, to be finished": (
        [Reply(calls=[Call(NAME, GOOD), search()])], {"mixed": "finish"}, "ok", 1,
        [("search_docs", "success")],
    ),
    "wrong and mixed": (
        [Reply(calls=[Call(NAME, BAD), search()]), render()], {"mixed": "finish"}, "ok", 2,
        [(NAME, "error"), ("search_docs", "success")],
    ),
    "always searching": (
        [Reply(calls=[search()])], {"max_model_calls": 3}, "failed", 3,
        [("search_docs", "success")] * 2 + [("search_docs", "error")],
    ),
    "an unknown tool": ([Reply(calls=[Call("render_plan", {})]), render()], {}, "ok", 2, [("render_plan", "error")]),
    "always unknown": (
        [Reply(calls=[Call("nope", {})])], {}, "failed", 3, [("nope", "error")] * 3,
    ),
    "right beside unknown": (
        [Reply(calls=[Call(NAME, GOOD), Call("nope", {})]), render()], {}, "ok", 2,
        [(NAME, "error"), ("nope", "error")],
    ),
    "broken ordinary args": (
        [Reply(calls=[Call("search_docs", '{"query"')]), render()], {}, "ok", 2, [("search_docs", "error")],
    ),
    "two render calls": ([Reply(calls=[Call(NAME, BAD), Call(NAME, GOOD)])], {}, "ok", 1, []),
    "two, the last one wrong": (
        [Reply(calls=[Call(NAME, GOOD), Call(NAME, BAD)]), render()], {}, "ok", 2, [(NAME, "error")] * 2,
    ),
    "a wrapped name": ([Reply(calls=[Call(NAME + "<|channel|>commentary", GOOD)])], {}, "ok", 1, []),
    "a wrapped ordinary name": (
        [Reply(calls=[Call("functions.search_docs", {"query": "x"})]), render()], {}, "ok", 2,
        [("search_docs", "success")],
    ),
    "text only": ([Reply("done")], {}, "absent", 1, []),
    "text only, though required": ([Reply("done")], {"required": True}, "absent", 3, []),
    "reminded": ([Reply("done"), render()], {"required": True}, "ok", 2, []),
    "nothing": ([Reply()], {}, "failed", 3, []),
    "nothing, then right": ([Reply(), render()], {}, "ok", 2, []),
    "malformed, then right": ([Reply(finish_reason="MALFORMED_FUNCTION_CALL"), render()], {}, "ok", 2, []),
    "refused": ([Reply(refusal="no")], {}, "refused", 1, []),
    "filtered": ([Reply(finish_reason="content_filter")], {}, "filtered", 1, []),
    "filtered in mid-call": ([render(CUT, finish_reason="content_filter")], {}, "filtered", 1, []),
    "refused in mid-call": ([render(CUT, finish_reason="refusal")], {}, "refused", 1, []),
    "wrong, answered in the state": (
        [render(BAD)], {"ack": "state", "max_repairs": 0}, "invalid", 1, [(NAME, "error")],
    ),
    "mixed and finished, answered in the state": (
        [Reply(calls=[Call(NAME, GOOD), search()])], {"mixed": "finish", "ack": "state"}, "ok", 1,
        [(NAME, "success"), ("search_docs", "success")],
    ),
    "answered in the state": ([render()], {"ack": "state"}, "ok", 1, [(NAME, "success")]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("script", "options", "status", "calls", "tool_messages"), OUTCOMES.values(), ids=OUTCOMES
)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
async def test_every_run_ends_in_its_outcome(
    scripted: MakeGraph,
    plan_tool: RenderTool[LearningPlan],
    script: list[Any],
    options: dict[str, Any],
    status: str,
    calls: int,
    tool_messages: list[tuple[str, str]],
    stream: bool,
    asynchronous: bool,
) -> None:
    """The same outcome, model calls and answers, streaming or not, sync or async."""
    made = scripted(*script, stream=stream, **options)
    state = await made.graph.ainvoke(ASK) if asynchronous else made.graph.invoke(ASK)
    shown = last_render(state, plan_tool)
    assert shown.status == status
    assert made.calls == calls
    assert answers(state["messages"]) == tool_messages
    if status == "ok":
        assert shown.require() == LearningPlan.model_validate(GOOD)


def test_the_model_reads_every_error_with_its_pointer(scripted: MakeGraph) -> None:
    """The answer names each place and rule, and does not echo the plan."""
    made = scripted(render(BAD), render())
    state = made.graph.invoke(ASK)
    text = next(one.text for one in state["messages"] if isinstance(one, ToolMessage))
    assert "/level: Input should be 'beginner', 'intermediate' or 'advanced'" in text
    assert "/total_minutes: Input should be greater than 0" in text
    assert "SQL window functions" not in text


def test_a_failure_names_every_error(scripted: MakeGraph, plan_tool: RenderTool[Any]) -> None:
    """A model that is always wrong ends typed, with all that is wrong."""
    shown = last_render(scripted(render(BAD)).graph.invoke(ASK), plan_tool)
    assert [issue.pointer for issue in shown.errors] == ["/level", "/total_minutes"]


def test_max_model_calls_is_named(scripted: MakeGraph, plan_tool: RenderTool[Any]) -> None:
    """The reason why a graph gave up is in the result."""
    made = scripted(Reply(calls=[search()]), max_model_calls=2)
    (issue,) = last_render(made.graph.invoke(ASK), plan_tool).errors
    assert issue.code == "max_model_calls"


def test_a_low_recursion_limit_ends_typed_too(
    scripted: MakeGraph, plan_tool: RenderTool[Any]
) -> None:
    """LangGraph's own limit never raises: the graph stops before it."""
    made = scripted(Reply(calls=[search()]), max_model_calls=50)
    for limit in range(3, 12):
        state = made.graph.invoke(ASK, {"recursion_limit": limit})
        assert last_render(state, plan_tool).status == "failed"


def test_the_limits_count_per_turn(scripted: MakeGraph, plan_tool: RenderTool[Any]) -> None:
    """A new turn has all its repairs again."""
    made = scripted(
        render(BAD), render(BAD), render(), render(BAD), render(BAD), render(),
        checkpointer=InMemorySaver(),
    )  # fmt: skip
    config = {"configurable": {"thread_id": "1"}}
    for _ in range(2):
        state = made.graph.invoke({"messages": [HumanMessage("Plan")]}, config)
        assert last_render(state, plan_tool).status == "ok"


def test_state_ends_on_the_render_call(scripted: MakeGraph) -> None:
    """That is the contract with front ends."""
    state = scripted(Reply(calls=[search()]), render()).graph.invoke(ASK)
    last = state["messages"][-1]
    assert isinstance(last, AIMessage)
    assert [call["name"] for call in last.tool_calls] == [NAME]


def test_a_reminder_is_asked_but_not_stored(scripted: MakeGraph) -> None:
    """`required` puts words into the request, not into the thread."""
    made = scripted(Reply("done"), render(), required=True)
    state = made.graph.invoke(ASK)
    assert NAME in made.model.requests[1].messages[-1].text
    assert [one.type for one in state["messages"]] == ["human", "ai", "ai"]


def test_the_prompt_is_sent_and_not_stored(scripted: MakeGraph) -> None:
    """A system message before every request, none in the state."""
    made = scripted(render(BAD), render(), prompt="Be short.")
    state = made.graph.invoke(ASK)
    assert [one.messages[0].text for one in made.model.requests] == ["Be short."] * 2
    assert "system" not in {one.type for one in state["messages"]}


def test_ordinary_and_render_tools_are_offered(scripted: MakeGraph) -> None:
    """The model is bound both, in OpenAI's format."""
    made = scripted(render(), tool_choice="any")
    made.graph.invoke(ASK)
    (request,) = made.model.requests
    assert [one["function"]["name"] for one in request.tools] == ["search_docs", NAME]
    assert request.tool_choice == "any"


def test_a_tools_exception_text_never_reaches_the_model(scripted: MakeGraph) -> None:
    """It may hold a password; the model learns the kind of failure."""

    @tool
    def leaky(query: str) -> str:
        """Fail."""
        raise RuntimeError("postgres://user:sk-secret@db failed for " + query)

    made = scripted(Reply(calls=[Call("leaky", {"query": "x"})]), render(), tools=[leaky])
    state = made.graph.invoke(ASK)
    text = next(one.text for one in state["messages"] if isinstance(one, ToolMessage))
    assert "INTERNAL" in text
    assert "secret" not in text


def test_several_render_tools(plan_tool: RenderTool[LearningPlan]) -> None:
    """The model chooses; the result says which."""
    quiz = RenderTool.from_json_schema("render_quiz", "A quiz.", {"type": "object"})
    model = ScriptedChatModel(script=[Reply(calls=[Call("render_quiz", {"q": 1})])])
    shown = last_render(render_graph(model, [plan_tool, quiz]).invoke(ASK), [plan_tool, quiz])
    assert shown.tool is quiz
    assert shown.require() == {"q": 1}


class Cannot(ScriptedChatModel):
    """Says that it cannot call tools."""

    def _resolve_model_profile(self) -> Any:
        return {"tool_calling": False}


def test_search_first_speaks_for_a_model_that_cannot_choose(
    plan_tool: RenderTool[LearningPlan], scripted: MakeGraph
) -> None:
    """The graph searches with the human's text; a model that can choose is left alone."""
    model = Cannot(script=[render()])
    graph = render_graph(model, plan_tool, tools=[search_docs], search_first=search_docs)
    state = graph.invoke(ASK)
    assert answers(state["messages"]) == [("search_docs", "success")]
    assert "hits for Plan SQL" in model.requests[0].messages[-1].text
    assert last_render(state, plan_tool).status == "ok"

    able = scripted(render(), search_first=search_docs)
    assert answers(able.graph.invoke(ASK)["messages"]) == []


def test_the_model_of_a_run_may_come_from_its_context(plan_tool: RenderTool[Any]) -> None:
    """A function of the runtime picks the model."""
    models = {
        "good": ScriptedChatModel(script=[render()]),
        "bad": ScriptedChatModel(script=[render(BAD)], repeat_last=True),
    }

    def pick(runtime: Runtime[dict[str, str]]) -> ScriptedChatModel:
        return models[runtime.context["model"]]

    graph = render_graph(pick, plan_tool, context_schema=dict)
    assert last_render(graph.invoke(ASK, context={"model": "good"}), plan_tool).status == "ok"
    assert last_render(graph.invoke(ASK, context={"model": "bad"}), plan_tool).status == "invalid"


def test_what_makes_no_graph_is_refused(plan_tool: RenderTool[Any]) -> None:
    """Each mistake gets its own words, before anything runs."""
    model = ScriptedChatModel(script=[render()])

    @tool
    def two(a: str, b: str) -> str:
        """Take two."""
        return a + b

    mistakes: list[tuple[str, dict[str, Any]]] = [
        ("does not belong among tools=", {"tools": [plan_tool]}),
        ("come twice: search_docs", {"tools": [search_docs], "render": [plan_tool, RenderTool(LearningPlan, name="search_docs")]}),
        ("at least one render tool", {"render": []}),
        ("max_repairs", {"max_repairs": -1}),
        ("max_model_calls", {"max_model_calls": 0}),
        ("mixed is", {"mixed": "both"}),
        ("must be one of tools=", {"search_first": search_docs}),
        ("one argument", {"tools": [two], "search_first": two}),
    ]  # fmt: skip
    for words, options in mistakes:
        render_tools = options.pop("render", plan_tool)
        with pytest.raises(GraphDefinitionError, match=words):
            render_graph(model, render_tools, **options)


FAILED = {
    "error": {"code": "tool_use_failed", "failed_generation": f"<function={NAME}>{TEXT}</function>"}
}


class ProviderError(Exception):
    """As the clients' errors are: with the body that the provider sent."""

    def __init__(self, body: Any) -> None:
        super().__init__("400")
        self.body = body


@pytest.mark.parametrize("body", [FAILED, FAILED["error"]], ids=["whole", "inner"])
async def test_a_call_that_the_provider_refused_is_kept_and_asked_for_again(
    scripted: MakeGraph, plan_tool: RenderTool[Any], body: Any
) -> None:
    """The model's text is in the thread, answered; the run goes on."""
    for run in ("sync", "async"):
        made = scripted(ProviderError(body), render())
        state = made.graph.invoke(ASK) if run == "sync" else await made.graph.ainvoke(ASK)
        assert last_render(state, plan_tool).status == "ok"
        assert made.calls == 2
        assert TEXT in state["messages"][1].invalid_tool_calls[0]["args"]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_mending_tool_takes_the_refused_call_itself(agent: str) -> None:
    """Nothing is asked again; the rescue is a warning. In every agent."""
    tool = RenderTool(LearningPlan, mend="lossless")
    model = ScriptedChatModel(script=[ProviderError(FAILED)])
    shown = last_render(AGENTS[agent](model, [tool], [search_docs]).invoke(ASK), tool)
    assert shown.require() == LearningPlan.model_validate(GOOD)
    assert [notice.code for notice in shown.warnings] == ["failed_generation_rescued"]


@pytest.mark.parametrize("body", [None, {}, {"error": "x"}, {"error": {"failed_generation": 1}}])
def test_other_errors_of_a_provider_go_on(scripted: MakeGraph, body: Any) -> None:
    """They are the caller's to handle."""
    with pytest.raises(ProviderError):
        scripted(ProviderError(body)).graph.invoke(ASK)


def test_an_unknown_model_name_is_refused_before_any_run(plan_tool: RenderTool[Any]) -> None:
    """A name that nobody knows is an error where the graph is made."""
    with pytest.raises(ModelError):
        render_graph("no such provider", plan_tool)

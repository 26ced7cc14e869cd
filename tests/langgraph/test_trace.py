from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph

from rendercall import RenderTool, last_render
from rendercall.langgraph import render_graph
from rendercall.langgraph.skills import SkillRegistry
from rendercall.langgraph.trace import Step, Trace
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.layers import STOPPED, Stopped
from tests.langgraph.scripted_graph import BAD, GOOD, NAME, MakeGraph, render, search
from tests.langgraph.skilled import ARGS, look_up, output_weather, show, use, weather

ASK: dict[str, Any] = {"messages": [("user", "x")]}


def told(trace: Trace) -> list[str]:
    """What happened, without the times."""
    return [" ".join(filter(None, [one.kind, one.name, one.detail])) for one in trace.steps]


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
async def test_each_step(asynchronous: bool) -> None:
    """Nodes, model calls, tools, activations and the outcome, in order, each with its time."""
    model = ScriptedChatModel(script=[use, look_up, show])
    graph = render_graph(model, (), skills=[weather])
    trace = Trace([output_weather])
    config: Any = {"callbacks": [trace]}
    await graph.ainvoke(ASK, config) if asynchronous else graph.invoke(ASK, config)
    assert told(trace) == [
        "node model",
        "model scripted calls use_skill",
        "node tools",
        "tool use_skill",
        "skill weather active",
        "node model",
        "model scripted calls get_weather",
        "node tools",
        "tool get_weather",
        "node model",
        "model scripted calls output_weather",
        "shown output_weather",
    ]
    timed = [one for one in trace.steps if one.kind in {"node", "model", "tool"}]
    assert all(one.took_ms is not None and one.took_ms >= 0 for one in timed)
    assert [one.at_ms for one in trace.steps] == sorted(one.at_ms for one in trace.steps)
    model_step, inside = trace.steps[0], trace.steps[1]
    assert (model_step.took_ms or 0) >= (inside.took_ms or 0)


@pytest.mark.parametrize("case", STOPPED.values(), ids=STOPPED)
def test_which_layer_stopped_what(case: Stopped) -> None:
    """In the state, and in the trace, each by its own name and place."""
    reply, layer, kind, code, pointer = case
    registry = SkillRegistry([weather])
    model = ScriptedChatModel(script=[reply], repeat_last=True)
    graph = render_graph(model, (), skills=registry, max_repairs=0)
    trace = Trace(registry.renders)
    state = graph.invoke({**ASK, **registry.update(activate=["weather"])}, {"callbacks": [trace]})
    shown = last_render(state, registry.renders)
    assert (shown.layer, shown.error_kind, shown.errors[0].code) == (layer, kind, code)
    assert shown.errors[0].pointer == pointer
    assert shown.value is None
    first = next(one for one in trace.steps if one.kind == "stopped")
    assert first.layer == layer
    assert not [one for one in trace.steps if one.kind == "shown"]


REPAIRS: dict[str, tuple[list[Reply], list[str]]] = {
    "asked again": (
        [render(BAD), render()],
        [f"stopped {NAME}", "repair model asked again", f"shown {NAME}"],
    ),
    "beside others": (
        [Reply(calls=[Call(NAME, GOOD), search()]), render()],
        [f"stopped {NAME} other tools were called beside it", f"shown {NAME}"],
    ),
    "patched": (
        [
            render(BAD),
            Reply(
                calls=[
                    Call(
                        f"patch_{NAME}",
                        {
                            "ops": [
                                {"op": "replace", "path": "/level", "value": "beginner"},
                                {"op": "replace", "path": "/total_minutes", "value": 30},
                            ]
                        },
                    )
                ]
            ),
        ],
        [
            f"stopped {NAME}",
            "repair model asked again",
            f"repair {NAME} patched",
            f"shown {NAME}",
        ],
    ),
    "an unknown tool": (
        [Reply(calls=[Call("nope", {})]), render()],
        ["stopped nope no tool that may be called now", "repair model asked again", f"shown {NAME}"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "expected"), REPAIRS.values(), ids=REPAIRS)
def test_repairs(
    scripted: MakeGraph, plan_tool: RenderTool[LearningPlan], script: list[Reply], expected: list[str]
) -> None:  # fmt: skip
    """What was stopped, that the model was asked again, and what came of it."""
    trace = Trace([plan_tool])
    scripted(*script).graph.invoke(ASK, {"callbacks": [trace]})
    happened = [one for one in told(trace) if one.split()[0] in {"stopped", "repair", "shown"}]
    assert len(happened) == len(expected)
    for found, start in zip(happened, expected, strict=True):
        assert found.startswith(start)


def test_no_value_of_an_answer_is_told(
    scripted: MakeGraph, plan_tool: RenderTool[LearningPlan]
) -> None:
    """A trace may be kept where the answers may not."""
    secret = "s3cret-word"
    trace = Trace([plan_tool])
    wrong = {**GOOD, "level": secret, secret: secret}
    scripted(render(wrong), max_repairs=0).graph.invoke(ASK, {"callbacks": [trace]})
    stopped = next(one for one in trace.steps if one.kind == "stopped")
    assert secret not in stopped.detail.replace(f"/{secret}", "")


def test_a_tool_and_a_model_that_fail(plan_tool: RenderTool[LearningPlan]) -> None:
    """The kind of the failure is told, never its text."""

    @tool
    def search_docs(query: str) -> str:
        """Search."""
        del query
        raise ValueError("a secret")

    graph = render_graph(
        ScriptedChatModel(script=[Reply(calls=[search()]), RuntimeError("a secret")]),
        plan_tool,
        tools=[search_docs],
    )
    trace = Trace([plan_tool])
    with pytest.raises(RuntimeError):
        graph.invoke(ASK, {"callbacks": [trace]})
    failed = Counter(
        one.kind for one in trace.steps if one.detail in {"ValueError", "RuntimeError"}
    )
    assert failed == {"tool": 1, "model": 1, "node": 1}
    assert "secret" not in str(trace.steps)


def test_findings_of_what_was_shown() -> None:
    """The last guard's findings are counted where they stop nothing."""
    risky = Reply(
        calls=[Call("output_weather", {**ARGS, "summary": "Try <b onclick=x()>this</b>"})]
    )
    registry = SkillRegistry([weather])
    trace = Trace(registry.renders)
    graph = render_graph(ScriptedChatModel(script=[risky]), (), skills=registry)
    graph.invoke({**ASK, **registry.update(activate=["weather"])}, {"callbacks": [trace]})
    assert "findings in the text" in trace.steps[-1].detail
    assert told(trace)[0] == "skill weather active"


def test_any_graph(plan_tool: RenderTool[LearningPlan]) -> None:
    """A graph of plain LangGraph nodes, one inside another."""

    def plan(state: MessagesState) -> dict[str, Any]:
        del state
        call = {"name": NAME, "args": GOOD, "id": "c", "type": "tool_call"}
        return {"messages": [AIMessage("", tool_calls=[call])]}

    inner = StateGraph(MessagesState)
    inner.add_node("plan", plan)
    inner.add_edge(START, "plan")
    outer = StateGraph(MessagesState)
    outer.add_node("inner", inner.compile())
    outer.add_edge(START, "inner")
    trace = Trace([plan_tool])
    outer.compile().invoke(ASK, {"callbacks": [trace]})
    assert [one for one in told(trace) if one.startswith("node")] == ["node inner", "node plan"]
    assert f"shown {NAME}" in told(trace)


def test_a_step_in_words() -> None:
    """One line a step."""
    step = Step(kind="stopped", name="x", at_ms=1.6, took_ms=2.2, detail="/a: wrong", layer="value")
    assert str(step) == "2 ms stopped x 2 ms [value]: /a: wrong"

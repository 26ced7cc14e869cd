from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from rendercall import RenderTool, last_render, scan_renders
from rendercall.langgraph import render_graph
from rendercall.langgraph.skills import Skill, SkillRegistry, merge_active
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import answers, render
from tests.langgraph.skilled import ARGS, get_weather, look_up, output_weather, show, use, weather

NAMES = st.sampled_from(["a", "b", "c"])


def model_of(*script: Any, **options: Any) -> ScriptedChatModel:
    return ScriptedChatModel(script=list(script), **options)


def bound(model: ScriptedChatModel) -> list[list[str]]:
    """The tools of each request."""
    return [[tool["function"]["name"] for tool in one.tools] for one in model.requests]


def told(model: ScriptedChatModel, number: int) -> str:
    """The system message of a request."""
    first = model.requests[number].messages[0]
    return str(first.text) if isinstance(first, SystemMessage) else ""


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
async def test_the_model_takes_a_skill_up(
    plan_tool: RenderTool[LearningPlan], asynchronous: bool
) -> None:
    """Name and description first; tools and instructions once it is active."""
    model = model_of(use, look_up, show)
    graph = render_graph(model, plan_tool, skills=[weather], prompt="You are helpful.")
    ask = {"messages": [("user", "Weather?")]}
    state = await graph.ainvoke(ask) if asynchronous else graph.invoke(ask)
    active = ["use_skill", "get_weather", plan_tool.name, "output_weather"]
    assert bound(model) == [["use_skill", plan_tool.name], active, active]
    assert told(model, 0).startswith("You are helpful.\n\nSkills bring")
    assert weather.system_prompt not in told(model, 0)
    assert told(model, 1) == "You are helpful."
    assert weather.system_prompt in model.requests[1].messages[-1].text
    assert state["active_skills"] == ["weather"]
    assert last_render(state, [plan_tool, output_weather]).require() == ARGS


def test_people_see_how_it_went(plan_tool: RenderTool[LearningPlan]) -> None:
    """Its answer is a command that holds the message: the call ends all the same, well or not."""
    unknown = Reply(calls=[Call("use_skill", {"name": "no-such-skill"}, "c0")])
    graph = render_graph(model_of(unknown, use, show), plan_tool, skills=[weather])
    parts = graph.stream({"messages": [("user", "Weather?")]}, stream_mode="custom")
    events = [one for one in parts if one["type"] == "tool_event"]
    assert [(one["event"], one["summary"]["status"]) for one in events] == [
        ("start", "running"), ("end", "error"), ("start", "running"), ("end", "success"),
    ]  # fmt: skip
    assert events[0]["summary"]["title"] == {"en": "Take up a skill", "zh": "启用技能"}


def test_the_host_takes_a_skill_up() -> None:
    """By an update of the input; the instructions are in the system message."""
    registry = SkillRegistry([weather])
    model = model_of(show)
    graph = render_graph(model, (), skills=registry)
    state = graph.invoke({"messages": [("user", "x")], **registry.update(activate=["weather"])})
    assert bound(model) == [["use_skill", "get_weather", "output_weather"]]
    assert weather.system_prompt in told(model, 0)
    assert last_render(state, registry.renders).status == "ok"


def test_what_is_not_active_cannot_be_called() -> None:
    """Its call is answered with what can be called; a right one later ends the run."""
    model = model_of(show, use, show)
    state = render_graph(model, (), skills=[weather]).invoke({"messages": [("user", "x")]})
    assert answers(state["messages"]) == [("output_weather", "error"), ("use_skill", "success")]
    assert "Call one of: use_skill." in state["messages"][2].text
    assert last_render(state, [output_weather]).status == "ok"


def test_a_model_that_calls_only_what_is_not_active() -> None:
    """The run ends, and the right args of a call that was never taken are no answer."""
    state = render_graph(model_of(show, repeat_last=True), (), skills=[weather]).invoke(
        {"messages": [("user", "x")]}
    )
    shown = last_render(state, [output_weather])
    assert (shown.status, shown.value, shown.layer) == ("failed", None, "run")


def test_a_skill_that_there_is_not() -> None:
    """The model is told which there are."""
    wrong = Reply(calls=[Call("use_skill", {"name": "nothing"})])
    state = render_graph(model_of(wrong, Reply("I cannot.")), (), skills=[weather]).invoke(
        {"messages": [("user", "x")]}
    )
    assert answers(state["messages"]) == [("use_skill", "error")]
    assert "weather" in state["messages"][2].text
    assert state["active_skills"] == []


def test_two_at_once(plan_tool: RenderTool[LearningPlan]) -> None:
    """Skills can be taken up side by side, in one message."""
    other = Skill(name="other", description="Another.", system_prompt="Other.")
    both = Reply(calls=[*use.calls, Call("use_skill", {"name": "other"})])
    model = model_of(both, render())
    graph = render_graph(model, plan_tool, skills=[weather, other])
    assert sorted(graph.invoke({"messages": [("user", "x")]})["active_skills"]) == [
        "other",
        "weather",
    ]


def test_an_answer_outlives_its_skill(plan_tool: RenderTool[LearningPlan]) -> None:
    """Once put away, a skill's tools are not bound; its old answer is read, and told as shown."""
    registry = SkillRegistry([weather])
    model = model_of(use, show, render())
    graph = render_graph(model, plan_tool, skills=registry, checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}}
    graph.invoke({"messages": [("user", "Weather?")]}, config)
    state = graph.invoke(
        {"messages": [("user", "Plan")], **registry.update(deactivate=["weather"])}, config
    )
    assert state["active_skills"] == []
    assert bound(model)[-1] == ["use_skill", plan_tool.name]
    assert "- weather (put away since): " in told(model, 2)
    assert "Shown to the user." in [one.text for one in model.requests[-1].messages]
    tools = [plan_tool, *registry.renders]
    assert [one.status for one in scan_renders(state, tools)] == ["ok", "ok"]
    assert [one.tool and one.tool.name for one in scan_renders(state, tools)] == [
        plan_tool.name,
        "output_weather",
    ]


def test_in_force_after_a_restart(tmp_path: Path) -> None:
    """Turn 2, by a graph and a saver that are made anew from the same file."""

    def turn(text: str, *script: Reply) -> tuple[ScriptedChatModel, Any]:
        model = model_of(*script)
        with sqlite3.connect(tmp_path / "threads.sqlite", check_same_thread=False) as connection:
            graph = render_graph(model, (), skills=[weather], checkpointer=SqliteSaver(connection))
            state = graph.invoke(
                {"messages": [("user", text)]}, {"configurable": {"thread_id": "1"}}
            )
        connection.close()
        return model, state

    _, first = turn("Weather?", use, look_up, show)
    model, second = turn("And tomorrow?", look_up, show)
    assert first["active_skills"] == second["active_skills"] == ["weather"]
    assert bound(model) == [["use_skill", "get_weather", "output_weather"]] * 2
    assert weather.system_prompt in "".join(one.text for one in model.requests[0].messages)
    assert last_render(second, [output_weather]).status == "ok"


def test_a_thread_outlives_a_skill() -> None:
    """A name that the graph no longer has is no error."""
    model = model_of(Reply("Hello."))
    graph = render_graph(model, (), skills=[weather])
    state = graph.invoke({"messages": [("user", "x")], "active_skills": ["gone"]})
    assert bound(model) == [["use_skill"]]
    assert state["messages"][-1].text == "Hello."


def test_a_model_that_cannot_choose() -> None:
    """The graph looks up first, and takes up the skill that the tool belongs to."""
    model = model_of(show, profile={"tool_calling": False})
    graph = render_graph(model, (), skills=[weather], search_first=get_weather)
    state = graph.invoke({"messages": [("user", "Berlin")]})
    assert state["active_skills"] == ["weather"]
    assert bound(model) == [["use_skill", "get_weather", "output_weather"]]
    assert last_render(state, [output_weather]).status == "ok"


def test_a_wrong_answer_of_a_skill_is_repaired() -> None:
    """The promises of any render tool hold."""
    wrong = Reply(calls=[Call("output_weather", {"data": {"place": 1}, "summary": "s"})])
    state = render_graph(model_of(use, wrong, show), (), skills=[weather]).invoke(
        {"messages": [("user", "x")]}
    )
    assert answers(state["messages"]) == [("use_skill", "success"), ("output_weather", "error")]
    assert last_render(state, [output_weather]).status == "ok"


@given(
    active=st.lists(NAMES, unique=True),
    changes=st.lists(st.tuples(st.sampled_from(["", "-"]), NAMES).map("".join)),
)
def test_the_reducer(active: Sequence[str], changes: Sequence[str]) -> None:
    """Each name once; the last word on a name holds; in parts or at once it is the same."""
    merged = merge_active(active, changes)
    assert len(merged) == len(set(merged))
    for name in "abc":
        said = [one for one in changes if one.removeprefix("-") == name]
        assert (name in merged) == (said[-1] == name if said else name in active)
    step = list(active)
    for change in changes:
        step = merge_active(step, [change])
    assert step == merged


def test_the_reducer_without_a_state() -> None:
    """The first update finds nothing."""
    assert merge_active(None, ["a", "-b"]) == ["a"]
    assert merge_active(["a"], None) == ["a"]


def test_a_skill_without_instructions_is_told_all_the_same() -> None:
    """The model learns which tools came."""
    bare = replace(weather, system_prompt="")
    model = model_of(use, show)
    render_graph(model, (), skills=[bare]).invoke({"messages": [("user", "x")]})
    assert model.requests[1].messages[-1].text == (
        "The skill weather is active. Its tools: get_weather. "
        "Its final answer is a call of output_weather."
    )

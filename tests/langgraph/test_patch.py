from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel, model_validator

from rendercall import RenderTool, last_render, scan_renders
from rendercall.consumer.messages import read_message
from rendercall.errors import GraphDefinitionError
from rendercall.langgraph import prepare_messages, render_graph
from rendercall.langgraph.notes import KEY, note_of
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.agents import AGENTS
from tests.langgraph.repair_table import PATCH, RIGHT, ROWS, Row, patch, replace
from tests.langgraph.scripted_graph import ASK, BAD, GOOD, NAME, last_ai, render, search_docs

EACH_AGENT = pytest.mark.parametrize("agent", AGENTS)
THREAD: Any = {"configurable": {"thread_id": "1"}}


def reasons(messages: list[Any]) -> list[str]:
    """The reasons of the graph's answers, less the one that a shown call gets in the end."""
    last = last_ai(messages)
    shown = {call.id for call in read_message(last).calls}
    return [
        one.additional_kwargs[KEY]["reason"]
        for one in messages
        if one.type == "tool" and KEY in one.additional_kwargs
        if one.tool_call_id not in shown or "max_repairs" in str(one.additional_kwargs)
    ]


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
@EACH_AGENT
def test_every_repair_ends_in_its_outcome(
    agent: str, row: Row, stream: bool, plan_tool: RenderTool[LearningPlan]
) -> None:
    """In every agent, streamed or whole; what stands at the end is what the model meant."""
    model = ScriptedChatModel(
        script=row.script, repeat_last=True, disable_streaming=not stream, chunk_size=16
    )
    graph = AGENTS[agent](model, [plan_tool], [search_docs], **{"max_repairs": 2, **row.options})
    state = graph.invoke(ASK)
    shown = last_render(state, plan_tool)
    assert (shown.status, len(model.requests)) == (row.status, row.model_calls)
    if agent in {"render_graph", "by hand"} or row.status == "ok":
        assert reasons(state["messages"]) == row.reasons
    if shown.status == "ok" and "broken" not in str(row):
        assert {**shown.require().model_dump(), "topic": ""} == {**GOOD, "topic": ""}


@EACH_AGENT
def test_the_turn_ends_on_a_render_call_and_the_next_one_works(
    agent: str, plan_tool: RenderTool[LearningPlan]
) -> None:
    """It carries the whole, says where it comes from, and every call behind it is answered."""
    model = ScriptedChatModel(script=[render(BAD, "c1"), patch(*RIGHT), render()])
    graph = AGENTS[agent](model, [plan_tool], [], checkpointer=InMemorySaver())
    messages = graph.invoke(ASK, THREAD)["messages"]
    made = last_ai(messages)
    assert [(one["name"], one["args"]) for one in made.tool_calls] == [(NAME, GOOD)]
    assert note_of(made)["patched"]["call_id"] == "c1"
    first, second = (one for one in messages if isinstance(one, AIMessage) and one is not made)
    assert first.tool_calls[0]["args"] == BAD
    assert second.tool_calls[0]["name"] == PATCH

    graph.invoke(ASK, THREAD)
    request = model.requests[-1].messages
    called = [
        call["id"] for one in request if isinstance(one, AIMessage) for call in one.tool_calls
    ]
    answered = [one.tool_call_id for one in request if one.type == "tool"]
    assert called == answered
    assert PATCH not in str(model.requests[-1].tools)


def test_every_render_of_a_patched_turn_is_read_back(plan_tool: RenderTool[Any]) -> None:
    """The wrong one stays what it was."""
    graph = render_graph(ScriptedChatModel(script=[render(BAD), patch(*RIGHT)]), plan_tool)
    found = list(scan_renders(graph.invoke(ASK), plan_tool))
    assert [one.status for one in found] == ["ok", "invalid"]


def test_the_model_is_told_what_stood_there_shortened(plan_tool: RenderTool[Any]) -> None:
    """Pointer, what was expected, a few characters of what stood there, and the tool to call."""
    secret = "sk-0123456789abcdef0123456789abcdef"
    wrong = {
        **GOOD,
        "level": secret,
        "objectives": ["x" * 3, ""],
        "lessons": [],
        "total_minutes": 0,
    }
    model = ScriptedChatModel(script=[render(wrong), render()])
    told = render_graph(model, plan_tool).invoke(ASK)["messages"][2].text
    assert told.splitlines() == [
        "Not shown: the args are wrong.",
        "- /level: Input should be 'beginner', 'intermediate' or 'advanced' (it was text of 35 characters)",
        '- /objectives/1: String should have at least 1 character (it was "")',
        "- /lessons: List should have at least 1 item after validation, not 0 (it was an array of 0)",
        "- /total_minutes: Input should be greater than 0 (it was 0)",
        f"Correct them with {PATCH}.",
    ]


def offered_paths(wrong: Any, tool: RenderTool[Any]) -> Any:
    """The paths that the patch tool's schema names after a wrong call."""
    model = ScriptedChatModel(script=[render(wrong), Reply("No.")])
    render_graph(model, tool).invoke(ASK)
    (offered,) = [one for one in model.requests[1].tools if one["function"]["name"] == PATCH]
    item = offered["function"]["parameters"]["properties"]["ops"]["items"]
    return item["properties"]["path"].get("enum")


@pytest.mark.parametrize(
    ("wrong", "paths"),
    [
        (BAD, ["/level", "/total_minutes"]),
        ({**GOOD, "lessons": [{"title": "x"}]}, ["/lessons/0/duration_minutes"]),
        ({**GOOD, "extra": 1}, ["/extra"]),
        ({**GOOD, "extra": {"a": 1}}, None),
        ({**GOOD, "lessons": []}, None),
        ({**GOOD, "x" * 3000: 1}, None),
    ],
    ids=["leaves", "a missing key", "a key too many", "an object too many", "a list", "a hostile key"],
)  # fmt: skip
def test_the_patch_tool_names_the_paths_that_are_wrong(
    wrong: Any, paths: Any, plan_tool: RenderTool[Any]
) -> None:
    """Where something may have to be added or moved elsewhere, every path is free."""
    assert offered_paths(wrong, plan_tool) == paths


def test_the_patch_tool_asks_for_a_value_with_every_operation(plan_tool: RenderTool[Any]) -> None:
    """A model that is held to the schema writes nothing that it may leave out."""
    model = ScriptedChatModel(script=[render({**GOOD, "extra": 1}), patch(REMOVED)])
    assert last_render(render_graph(model, plan_tool).invoke(ASK), plan_tool).status == "ok"
    (offered,) = [one for one in model.requests[1].tools if one["function"]["name"] == PATCH]
    item = offered["function"]["parameters"]["properties"]["ops"]["items"]
    assert item["required"] == ["op", "path", "value"]


REMOVED = {"op": "remove", "path": "/extra", "value": None}


class Sum(BaseModel):
    """Two numbers and their sum."""

    a: int
    b: int
    total: int

    @model_validator(mode="after")
    def _adds_up(self) -> Sum:
        if self.a + self.b != self.total:
            raise ValueError("total is not the sum")
        return self


def test_an_error_of_the_whole_can_be_patched_anywhere() -> None:
    """A rule between fields has no place of its own, and may show only once the fields are right."""
    tool = RenderTool(Sum)
    first = Reply(calls=[Call("render_sum", {"a": 1, "b": "2", "total": 4})])
    second = Reply(calls=[Call("patch_render_sum", {"ops": [replace("/b", 2)]})])
    third = Reply(calls=[Call("patch_render_sum", {"ops": [replace("/total", 3)]})])
    model = ScriptedChatModel(script=[first, second, third])
    shown = last_render(render_graph(model, tool).invoke(ASK), tool)
    assert shown.require() == Sum(a=1, b=2, total=3)
    schema = json.dumps(model.requests[2].tools[-1])
    assert "enum" not in schema.partition('"path"')[2]


def test_a_choice_that_names_the_render_tool_leaves_the_patch_free(
    plan_tool: RenderTool[Any],
) -> None:
    """Else the provider would force the whole."""
    model = ScriptedChatModel(script=[render(BAD), patch(*RIGHT)])
    render_graph(model, plan_tool, tool_choice=NAME).invoke(ASK)
    assert [one.tool_choice for one in model.requests] == [NAME, "any"]


class CannotChoose(ScriptedChatModel):
    def _resolve_model_profile(self) -> Any:
        return {"tool_calling": False}


def test_a_model_that_cannot_choose_among_tools_is_asked_for_the_whole(
    plan_tool: RenderTool[Any],
) -> None:
    """It is offered no patch, and not told of one."""
    model = CannotChoose(script=[render(BAD), render()])
    state = render_graph(model, plan_tool).invoke(ASK)
    assert last_render(state, plan_tool).status == "ok"
    assert "patch" not in str(model.requests[1])


def test_the_request_of_those_who_seal_their_calls_has_no_made_call(
    plan_tool: RenderTool[Any],
) -> None:
    """What became of it is told where the patch was answered; the same however often prepared."""
    graph = render_graph(ScriptedChatModel(script=[render(BAD), patch(*RIGHT)]), plan_tool)
    messages = graph.invoke(ASK)["messages"]
    assert [one.type for one in prepare_messages(messages, plan_tool)] == [
        "human",
        *["ai", "tool"] * 3,
    ]
    for provider in ("anthropic_thinking", "google"):
        sent = prepare_messages(messages, plan_tool, provider=provider)  # type: ignore[arg-type]
        assert [one.type for one in sent] == ["human", *["ai", "tool"] * 2]
        assert sent[-1].text.endswith("Shown to the user.")
        assert prepare_messages(sent, plan_tool, provider=provider) == sent  # type: ignore[arg-type]


def test_names_and_policies_that_make_no_graph_are_refused(plan_tool: RenderTool[Any]) -> None:
    """Before anything runs."""
    model = ScriptedChatModel(script=[render()])
    mistakes: list[tuple[str, dict[str, Any]]] = [
        ("repair is one of", {"repair": "mend"}),
        ("on_error one of", {"on_error": "stop"}),
        (f"come twice: {PATCH}", {"render": [plan_tool, RenderTool(LearningPlan, name=PATCH)]}),
    ]
    for words, options in mistakes:
        tools = options.pop("render", plan_tool)
        with pytest.raises(GraphDefinitionError, match=words):
            render_graph(model, tools, **options)

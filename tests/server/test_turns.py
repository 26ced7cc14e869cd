from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from rendercall import RenderTool
from rendercall.server.turns import turns_of
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import BAD, GOOD, NAME
from tests.results.lessons import STRUCTURED, inspect_lesson

IDS = ("ok", "empty", "missing")


def human(text: str) -> HumanMessage:
    return HumanMessage(text, id=f"h-{text}")


def call(args: Any, **fields: Any) -> AIMessage:
    made = {"name": NAME, "args": args, "id": "c1", "type": "tool_call"}
    return AIMessage("", tool_calls=[made], id="m1", **fields)


def state(*messages: AnyMessage, **fields: Any) -> dict[str, Any]:
    """A thread's state as the server sends it: no objects, only JSON."""
    sent = [message.model_dump() for message in messages]
    made: dict[str, Any] = json.loads(json.dumps({"values": {"messages": sent}, **fields}))
    return made


def told(status: str, *messages: AnyMessage, **fields: Any) -> list[tuple[str, str]]:
    turns = turns_of(state(*messages, **fields), status, [RenderTool(LearningPlan)])
    return [(turn["human"], turn["status"]) for turn in turns]


def test_each_turn_has_its_own_outcome() -> None:
    """An older plan is never the answer of a newer turn, and a wrong one stays wrong."""
    history = [human("a"), call(GOOD), human("b"), call(BAD), human("c"), AIMessage("Hello")]
    assert told("idle", *history) == [("a", "ok"), ("b", "invalid"), ("c", "absent")]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_only_the_last_turn(count: int) -> None:
    """The same as the last of all; none where there is none."""
    history = [human("a"), call(GOOD), human("b"), call(BAD)][: 2 * count]
    tools = [RenderTool(LearningPlan)]
    turns = turns_of(state(*history), "idle", tools)
    assert turns_of(state(*history), "idle", tools, only_last=True) == turns[-1:]


def test_a_repaired_call_counts_once() -> None:
    """The last call of a turn is its outcome."""
    refused = ToolMessage("wrong", tool_call_id="c1", status="error")
    history = [human("a"), call(BAD), refused, call(GOOD)]
    assert told("idle", *history) == [("a", "ok")]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("busy", "partial"), ("error", "failed"), ("interrupted", "aborted"), ("idle", "absent")],
)
def test_how_the_run_ended(status: str, outcome: str) -> None:
    """Only the last turn's outcome depends on the run."""
    assert told(status, human("a"), call(GOOD), human("b")) == [("a", "ok"), ("b", outcome)]


def test_a_question_to_the_human_is_no_stop() -> None:
    """A graph that waits for an answer is interrupted too."""
    assert told("interrupted", human("a"), interrupts=[{"value": "?"}]) == [("a", "absent")]


def test_an_error_after_the_plan() -> None:
    """What was checked and stored stays shown."""
    assert told("error", human("a"), call(GOOD)) == [("a", "ok")]


def test_a_run_error_brings_no_text_of_its_own() -> None:
    """What an exception said is not for the page."""
    tasks = [{"error": "RuntimeError('sk-secret')"}]
    turns = turns_of(state(human("a"), tasks=tasks), "error", [RenderTool(LearningPlan)])
    assert "secret" not in json.dumps(turns)


def test_an_ok_value_is_as_written() -> None:
    """What the stream has shown: large integers are exact."""
    plan = {**GOOD, "total_minutes": 2**63}
    (turn,) = turns_of(state(human("a"), call(plan)), "idle", [RenderTool(LearningPlan)])
    assert turn["value"] == plan
    assert turn["warnings"][0]["code"] == "unsafe_integer"


def test_a_mended_value() -> None:
    """Where the text was mended, the value is the mended one."""
    tool = RenderTool(LearningPlan, mend="lossless")
    fenced = {"name": NAME, "args": f"```json\n{json.dumps(GOOD)}\n```", "id": "c1", "error": None}
    message = AIMessage("", invalid_tool_calls=[fenced])
    (turn,) = turns_of(state(human("a"), message), "idle", [tool])
    assert (turn["status"], turn["value"]) == ("ok", GOOD)


@pytest.mark.parametrize(
    ("metadata", "model", "by_rules"),
    [
        ({"model_name": "rule-based"}, "rule-based", True),
        ({"model_name": "gpt-5"}, "gpt-5", False),
        ({"model": "claude"}, "claude", False),
        ({}, None, False),
    ],
)
def test_who_wrote_it(metadata: dict[str, str], model: str | None, by_rules: bool) -> None:
    """The model's own name, and whether it was no model at all."""
    message = call(GOOD, response_metadata=metadata)
    (turn,) = turns_of(state(human("a"), message), "idle", [RenderTool(LearningPlan)])
    assert (turn["model"], turn["is_rule_based"]) == (model, by_rules)


def test_steps() -> None:
    """Of each structured result what people may see of it, in its turn, and nothing else."""
    calls = [{"name": "inspect_lesson", "args": {"lesson_id": one}, "id": one} for one in IDS]
    answers = [inspect_lesson.invoke({**one, "type": "tool_call"}) for one in calls]
    other = ToolMessage("plain", name="search", tool_call_id="c0")
    history = [human("a"), AIMessage("", tool_calls=calls), *answers, other, call(GOOD), human("b")]
    first, second = turns_of(state(*history), "idle", [RenderTool(LearningPlan)])
    told = [(one["tool_call_id"], one["name"], one["summary"]["status"]) for one in first["steps"]]
    assert told == [
        ("ok", "inspect_lesson", "success"),
        ("empty", "inspect_lesson", "success"),
        ("missing", "inspect_lesson", "error"),
    ]
    assert first["steps"][1]["summary"]["detail"] == {"en": "Nothing found", "zh": "没有找到结果"}
    assert {key for one in first["steps"] for key in one} == {"tool_call_id", "name", "summary"}
    assert STRUCTURED not in json.dumps(first["steps"])
    assert second["steps"] == []


def test_text_in_blocks() -> None:
    """A message's text may come in content blocks, beside other ones."""
    blocks = [
        {"type": "text", "text": "Hel"},
        {"type": "reasoning"},
        {"type": "text", "text": "lo"},
    ]
    (turn,) = turns_of(state(human("a"), AIMessage(blocks)), "idle", [])
    assert turn["text"] == "Hello"

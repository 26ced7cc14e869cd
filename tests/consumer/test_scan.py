from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, HumanMessage, ToolMessage

from rendercall import RenderTool, last_render, scan_renders
from rendercall.errors import RenderNotOk
from schemas.learning_plan import LearningPlan

GOOD: dict[str, Any] = {
    "topic": "SQL",
    "level": "beginner",
    "objectives": ["x"],
    "lessons": [{"title": "t", "duration_minutes": 30}],
    "total_minutes": 30,
}
BAD = {**GOOD, "total_minutes": 0}
OTHER = {**GOOD, "topic": "CTEs"}
NAME = "render_learning_plan"
HUMAN = HumanMessage("plan SQL", id="h")


def call(args: Any, call_id: str = "c1", name: str = NAME) -> dict[str, Any]:
    return {"name": name, "args": args, "id": call_id, "type": "tool_call"}


def ai(*calls: dict[str, Any], content: str = "", **fields: Any) -> AIMessage:
    return AIMessage(content, tool_calls=list(calls), **fields)


def cut(text: str, **fields: Any) -> AIMessage:
    broken = {"name": NAME, "args": text, "id": "c1", "error": None, "type": "invalid_tool_call"}
    return AIMessage("", invalid_tool_calls=[broken], **fields)


def reason(word: str) -> dict[str, Any]:
    return {"response_metadata": {"finish_reason": word}}


def rejected(call_id: str = "c1") -> ToolMessage:
    return ToolMessage("again, please", tool_call_id=call_id, status="error")


OUTCOMES: dict[str, tuple[list[Any], str, str | None]] = {
    # messages after the human one: (status, error kind)
    "nothing": ([], "absent", None),
    "text": ([AIMessage("done")], "absent", None),
    "a right call": ([ai(call(GOOD))], "ok", None),
    "with text": ([ai(call(GOOD), content="here")], "ok", None),
    "after a search": (
        [ai(call({"q": 1}, "s", "search")), ToolMessage("hit", tool_call_id="s"), ai(call(GOOD))],
        "ok", None,
    ),
    "text after it": ([ai(call(GOOD)), ToolMessage("shown", tool_call_id="c1"), AIMessage("!")], "ok", None),
    "a wrong call": ([ai(call(BAD))], "invalid", "schema"),
    "the last one wrong": ([ai(call(GOOD)), rejected(), ai(call(BAD, "c2"))], "invalid", "schema"),
    "the last one right": ([ai(call(BAD)), rejected(), ai(call(GOOD, "c2"))], "ok", None),
    "wrong, then text": ([ai(call(BAD)), rejected(), AIMessage("sorry")], "invalid", "schema"),
    "rejected": ([ai(call(GOOD)), rejected()], "failed", "not_shown"),
    "cut": ([cut('{"topic":"S')], "truncated", "truncated"),
    "cut with a lying reason": ([cut('{"topic":"S', **reason("tool_calls"))], "truncated", "truncated"),
    "cut, completed by a parser": ([ai(call(GOOD), **reason("length"))], "truncated", "truncated"),
    "whole before the limit": (
        [ai(call(GOOD), call({"q": 1}, "s", "search"), **reason("length"))], "ok", None,
    ),
    "text at the limit": ([AIMessage("I was about to", **reason("max_tokens"))], "truncated", "truncated"),
    "broken JSON": ([cut('{"topic": oops}')], "invalid", "json_syntax"),
    "no args": ([cut("")], "invalid", "empty_args"),
    "filtered": ([AIMessage("", **reason("content_filter"))], "filtered", "content_filter"),
    "filtered in mid-call": ([cut('{"topic":"S', **reason("SAFETY"))], "filtered", "content_filter"),
    "refused": ([AIMessage("", additional_kwargs={"refusal": "no"})], "refused", "refusal"),
    "refused by reason": ([AIMessage("no", **reason("refusal"))], "refused", "refusal"),
    "refused after a wrong call": (
        [ai(call(BAD)), rejected(), AIMessage("", additional_kwargs={"refusal": "no"})],
        "refused", "refusal",
    ),
    "refused in mid-call": ([cut('{"topic":"S', **reason("refusal"))], "refused", "refusal"),
    "refused after a call": ([ai(call(GOOD), **reason("refusal"))], "refused", "refusal"),
    "malformed in mid-call": (
        [cut('{"topic":oops', **reason("malformed_tool_use"))], "failed", "provider_malformed_call",
    ),
    "broken off, completed by a parser": ([ai(call(GOOD), **reason("error"))], "truncated", "truncated"),
    "malformed": (
        [AIMessage("", **reason("MALFORMED_FUNCTION_CALL"))], "failed", "provider_malformed_call",
    ),
    "empty": ([AIMessage("")], "failed", "empty_message"),
    "a chunk": (
        [AIMessageChunk("", tool_call_chunks=[{"name": NAME, "args": "{", "id": "c1", "index": 0}])],
        "absent", None,
    ),
    "a chunk dict with half-parsed args": (
        [{"type": "AIMessageChunk", "content": "", "tool_calls": [call(GOOD)]}], "partial", None,
    ),
    "of an earlier turn": ([ai(call(GOOD)), HumanMessage("thanks")], "absent", None),
    "an answer after an earlier turn": ([ai(call(GOOD)), HumanMessage("?"), AIMessage("Yes.")], "absent", None),
}  # fmt: skip


@pytest.mark.parametrize(("messages", "status", "kind"), OUTCOMES.values(), ids=OUTCOMES)
@pytest.mark.parametrize("form", ["objects", "dicts"])
def test_the_outcome_of_the_current_turn(
    messages: list[Any],
    status: str,
    kind: str | None,
    form: str,
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """One closed set of outcomes; a value only when ok; the same for objects and dicts."""
    history = [HUMAN, *messages]
    if form == "dicts":
        history = [one if isinstance(one, dict) else one.model_dump() for one in history]
    shown = last_render(history, plan_tool)
    if status == "absent" and messages and isinstance(messages[0], AIMessageChunk):
        status = "partial"
    assert shown.status == status
    assert shown.error_kind == kind
    assert (shown.value is not None) == (status == "ok")
    if status == "ok":
        assert shown.require() == LearningPlan.model_validate(GOOD)
    else:
        with pytest.raises(RenderNotOk) as caught:
            shown.require()
        assert caught.value.status == status
        assert caught.value.issues == shown.errors


def test_the_last_of_several_calls_counts(plan_tool: RenderTool[LearningPlan]) -> None:
    """Two render calls in one message: the last, with a warning."""
    shown = last_render([HUMAN, ai(call(GOOD), call(OTHER, "c2"))], plan_tool)
    assert shown.require().topic == "CTEs"
    assert [notice.code for notice in shown.warnings] == ["multiple_results"]


def test_a_wrapped_name_is_recognised(plan_tool: RenderTool[LearningPlan]) -> None:
    """Channel tokens around the name do not hide the call, and are reported."""
    shown = last_render([HUMAN, ai(call(GOOD, name=NAME + "<|channel|>commentary"))], plan_tool)
    assert shown.status == "ok"
    assert [notice.code for notice in shown.warnings] == ["tool_name_normalised"]


def test_the_tool_that_was_called_is_told() -> None:
    """Given several tools, the result says which one it is of."""
    plan, quiz = RenderTool(LearningPlan), RenderTool(LearningPlan, name="render_quiz")
    shown = last_render([HUMAN, ai(call(GOOD, name="render_quiz"))], [plan, quiz])
    assert shown.tool is quiz


def test_a_result_keeps_its_place_and_its_text(plan_tool: RenderTool[LearningPlan]) -> None:
    """Ids, raw text and finish reason, whatever the status."""
    shown = last_render([HUMAN, cut('{"topic":"S', id="a1", **reason("length"))], plan_tool)
    assert (shown.call_id, shown.message_id) == ("c1", "a1")
    assert shown.args_text == '{"topic":"S'
    assert shown.finish_reason == "length"


def test_scan_yields_the_whole_history_newest_first(plan_tool: RenderTool[LearningPlan]) -> None:
    """Every render call with its own outcome; nothing else."""
    history: list[AnyMessage] = [
        HUMAN, ai(call(BAD, "c1")), rejected("c1"), ai(call(GOOD, "c1")),
        HumanMessage("CTEs"), ai(call({"q": 1}, "s", "search")), ai(call(OTHER, "c1")),
        HumanMessage("thanks"), AIMessage("."),
    ]  # fmt: skip
    found = [
        (one.status, one.value and one.value.topic) for one in scan_renders(history, plan_tool)
    ]
    assert found == [("ok", "CTEs"), ("ok", "SQL"), ("invalid", None)]


def test_an_id_that_comes_again_is_another_call(plan_tool: RenderTool[LearningPlan]) -> None:
    """Answers belong to the calls of the message before them, not to an id for ever."""
    history = [HUMAN, ai(call(GOOD)), rejected(), HumanMessage("again"), ai(call(OTHER))]
    assert last_render(history, plan_tool).status == "ok"


def test_an_old_plan_under_a_newer_schema_is_invalid_with_its_args() -> None:
    """Nothing is lost: the raw args are kept beside the errors."""

    class Newer(LearningPlan):
        """A plan with an author."""

        author: str

    tool = RenderTool(Newer, name=NAME)
    shown = last_render([HUMAN, ai(call(GOOD))], tool)
    assert [issue.pointer for issue in shown.errors] == ["/author"]
    assert json.loads(shown.args_text or "") == GOOD


def test_reprs_help(plan_tool: RenderTool[LearningPlan]) -> None:
    """In a notebook one sees status, tool, and value or errors."""
    assert repr(last_render([HUMAN, ai(call(GOOD))], plan_tool)).startswith(
        "<Rendered ok: render_learning_plan LearningPlan(topic='SQL'"
    )
    assert (
        repr(last_render([HUMAN, ai(call(BAD))], plan_tool))
        == "<Rendered invalid: render_learning_plan /total_minutes: Input should be greater than 0>"
    )
    assert repr(last_render([HUMAN], plan_tool)) == "<Rendered absent: no call>"

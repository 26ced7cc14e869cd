"""Each failure names the layer that refused it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from rendercall import RenderTool, last_render
from rendercall.contract import GUEST
from rendercall.errors import Issue, IssueKind, Layer, SchemaRefused
from schemas.learning_plan import LearningPlan
from tests.langgraph.layers import STOPPED

PLAN = {
    "topic": "Tea",
    "level": "beginner",
    "objectives": ["x"],
    "lessons": [{"title": "Steep", "duration_minutes": 20}],
    "total_minutes": 20,
}
GOOD = json.dumps(PLAN)


def is_tea(value: Any) -> Iterator[Issue]:
    plan = LearningPlan.model_validate(value)
    if plan.topic == "Coffee":
        yield Issue("/topic", "check", "no_tea", "this is about tea")


OURS = RenderTool(LearningPlan, check=is_tea)
RAW = RenderTool.from_json_schema("plan", "A plan.", LearningPlan.model_json_schema(), check=is_tea)

Case = tuple[dict[str, Any], Layer, IssueKind, str]

CASES: dict[str, Case] = {
    "no JSON": ({"args": "{'a':1}"}, "args", "json_syntax", "json_syntax"),
    "no object": ({"args": "[1]"}, "args", "not_object", "not_object"),
    "no args": ({"args": " "}, "args", "empty_args", "empty"),
    "too deep": ({"args": '{"a":' * 70 + "1" + "}" * 70}, "args", "bounds", "too_deep"),
    "too large": ({"args": '{"a":"' + "x" * 2_000_000 + '"}'}, "args", "bounds", "too_large"),
    "duplicate key": ({"args": '{"topic":"a","topic":"b"}'}, "args", "bounds", "duplicate_key"),
    "not finite": ({"args": '{"a":NaN}'}, "args", "bounds", "not_finite"),
    "lone surrogate": ({"args": '{"a":"\\ud800"}'}, "args", "bounds", "lone_surrogate"),
    "long number": ({"args": '{"a":' + "1" * 200 + "}"}, "args", "bounds", "number_too_long"),
    "wrong value": ({"args": GOOD.replace("20}]", '"20"}]')}, "value", "schema", "*"),
    "unknown key": ({"args": GOOD[:-1] + ',"x":1}'}, "value", "schema", "*"),
    "its own check": ({"args": GOOD.replace("Tea", "Coffee")}, "value", "check", "no_tea"),
    "hidden text": ({"args": GOOD.replace("Tea", "Tea\U000e0041")}, "text", "text", "unicode.tag"),
    "turned text": ({"args": GOOD.replace("Tea", "\u202eTea")}, "text", "text", "bidi.override"),
    "ANSI": ({"args": GOOD.replace("Tea", "\\u001b[2J")}, "text", "text", "control.escape"),
    "cut": ({"args": GOOD[:-9]}, "provider", "truncated", "truncated"),
    "filtered": ({"args": GOOD, "finish_reason": "content_filter"}, "provider", "content_filter", "content_filter"),
    "refused": ({"refusal": "I cannot."}, "provider", "refusal", "refusal"),
    "malformed": ({"finish_reason": "MALFORMED_FUNCTION_CALL"}, "provider", "provider_malformed_call", "malformed_call"),
    "empty": ({}, "provider", "empty_message", "empty_message"),
    "not shown": ({"args": GOOD, "answered": True}, "run", "not_shown", "not_shown"),
}  # fmt: skip


def thread(case: dict[str, Any], name: str) -> list[dict[str, Any]]:
    message: dict[str, Any] = {"role": "assistant", "content": None, "id": "m"}
    if "args" in case:
        call = {"name": name, "arguments": case["args"]}
        message["tool_calls"] = [{"id": "c", "type": "function", "function": call}]
    message |= {key: case[key] for key in ("finish_reason", "refusal") if key in case}
    answer = {"type": "tool", "tool_call_id": "c", "content": "no", "status": "error"}
    return [{"role": "user", "content": "x"}, message, *([answer] if "answered" in case else ())]


@pytest.mark.parametrize("tool", [OURS, RAW], ids=["Pydantic", "JSON Schema"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_failure_names_its_layer(case: Case, tool: RenderTool[Any]) -> None:
    """Layer, kind and rule, the same for every form of schema."""
    given, layer, kind, code = case
    shown = last_render(thread(given, tool.name), tool)
    assert (shown.layer, shown.error_kind) == (layer, kind)
    assert code in {"*", shown.errors[0].code}
    assert shown.value is None
    assert {issue.layer for issue in shown.errors} == {layer}


def test_a_refused_schema_names_its_layer() -> None:
    """It never comes to args: the tool is not made."""
    with pytest.raises(SchemaRefused) as caught:
        RenderTool.from_json_schema("x", "", {"$ref": "http://127.0.0.1:9/"}, limits=GUEST)
    assert [(issue.layer, issue.kind) for issue in caught.value.issues] == [
        ("schema", "tool_schema")
    ]


def test_what_is_right_has_no_layer() -> None:
    """Nobody refused it."""
    assert last_render(thread({"args": GOOD}, OURS.name), OURS).layer is None


def test_every_kind_belongs_to_a_layer() -> None:
    """A new kind cannot be forgotten."""
    layers = {Issue("", kind, "x", "x").layer for kind in get_args(IssueKind)}
    assert layers == set(get_args(Layer))


BEFORE_OR_BESIDE: set[IssueKind] = {"tool_schema", "aborted", "tool_output"}
"""No answer: the tool is not made, the run is stopped, or an ordinary tool gave what it must not."""


@pytest.mark.parametrize("table", [CASES, STOPPED], ids=["factory", "graph and server"])
def test_every_kind_is_in_the_tables(table: dict[str, Any]) -> None:
    """One case at least of each that an answer can have."""
    assert {case[2] for case in table.values()} == set(get_args(IssueKind)) - BEFORE_OR_BESIDE

from __future__ import annotations

import json
from typing import Any

import pytest

from rendercall import RenderStream, RenderTool, last_render
from rendercall.contract import GUEST, final_output
from rendercall.errors import SchemaRefused, ToolDefinitionError

WEATHER: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "day": {
            "type": "object",
            "properties": {
                "date": {"type": "string", "format": "date"},
                "high": {"type": "number"},
            },
            "required": ["date"],
            "additionalProperties": False,
        }
    },
    "type": "object",
    "properties": {
        "days": {"type": "array", "items": {"$ref": "#/$defs/day"}},
        "best": {"$ref": "#/properties/days/items"},
    },
    "required": ["days"],
    "additionalProperties": False,
}
TOOL = RenderTool.from_json_schema(
    "output_weather", "The weather.", WEATHER, envelope=True, limits=GUEST
)
GOOD = {"data": {"days": [{"date": "2026-11-30", "high": 3.5}]}, "summary": "Cold."}


def test_the_envelope_is_data_and_a_sentence() -> None:
    """Both are wanted, nothing else is taken, and references lead where they did."""
    assert TOOL.validate(json.dumps(GOOD)).value == GOOD
    assert [*TOOL.schema["properties"]] == ["data", "summary"]
    wrong = {"data": {"days": [{"date": "x"}], "best": {"high": 1}}, "more": 1}
    assert {issue.pointer for issue in TOOL.validate(json.dumps(wrong)).issues} == {
        "/summary",
        "/more",
        "/data/days/0/date",
        "/data/best/date",
    }


@pytest.mark.parametrize("schema", [{"type": "array"}, {"type": "string"}, {"enum": [1, 2]}, {}])
def test_an_envelope_holds_any_json(schema: dict[str, Any]) -> None:
    """Args are an object; what is in `data` need not be."""
    tool = RenderTool.from_json_schema("x", "", schema, envelope=True)
    for value in ([], "a", 1):
        state = tool.validate(json.dumps({"data": value, "summary": "A."})).state
        fits = RenderTool.from_json_schema(
            "x", "", {"type": "object", "properties": {"v": schema}}
        ).validate(json.dumps({"v": value}))
        assert state == fits.state
    if schema:
        with pytest.raises(ToolDefinitionError, match="JSON object"):
            RenderTool.from_json_schema("x", "", schema)


def test_the_summary_is_a_sentence_not_a_page() -> None:
    """It has a length."""
    for summary in ("", "x" * 281):
        verdict = TOOL.validate(json.dumps({**GOOD, "summary": summary}))
        assert [issue.pointer for issue in verdict.issues] == ["/summary"]


def test_the_guests_limits_are_for_what_the_guest_wrote() -> None:
    """The envelope costs a guest's schema nothing."""
    deep: dict[str, Any] = {"type": "integer"}
    for _ in range(GUEST.max_depth):
        deep = {"type": "array", "items": deep}
    RenderTool.from_json_schema("x", "", deep, envelope=True, limits=GUEST)
    with pytest.raises(SchemaRefused):
        RenderTool.from_json_schema("x", "", {"items": deep}, envelope=True, limits=GUEST)


def test_final_output_takes_any_object() -> None:
    """`result` is an object of any form, `summary` may be left out."""
    tool = final_output()
    assert tool.name == "final_output"
    assert tool.validate('{"result":{"a":[1]}}').state == "complete"
    assert tool.validate('{"result":{},"summary":"Done."}').state == "complete"
    for text in ('{"result":1}', "{}", '{"result":{},"more":1}', '{"result":{},"summary":1}'):
        assert tool.validate(text).state == "invalid"
    assert final_output("answer", "Say it.").spec()["function"]["name"] == "answer"


@pytest.mark.parametrize("tool", [TOOL, final_output()], ids=["envelope", "final_output"])
def test_output_tools_keep_the_promises_of_render_tools(tool: RenderTool[dict[str, Any]]) -> None:
    """They stream, and what is read back is the same as what was streamed."""
    args = GOOD if tool is TOOL else {"result": {"n": 1, "s": "text"}, "summary": "Done."}
    text = json.dumps(args)
    stream: RenderStream[Any] = RenderStream(tool)
    partials = [update.value for piece in text if (update := stream.feed_text(piece))]
    assert partials
    assert stream.finish().require() == args
    message = {
        "type": "ai",
        "content": "",
        "tool_calls": [{"name": tool.name, "args": args, "id": "c", "type": "tool_call"}],
    }
    assert last_render([{"role": "user", "content": "x"}, message], tool).require() == args

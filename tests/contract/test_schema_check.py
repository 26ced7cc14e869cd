from __future__ import annotations

import json
import os
import random
import threading
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall import RenderTool
from rendercall.contract import Bounds, read_args
from rendercall.contract.bounds import MAX_DEPTH
from rendercall.contract.schema_check import SchemaCheck, validator_of
from rendercall.errors import SchemaRefused, ToolDefinitionError
from schemas.learning_plan import LearningPlan
from tests.consumer.mutations import mutate

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["day"],
    "properties": {
        "day": {"type": "string", "format": "date"},
        "mail": {"type": "string", "format": "email"},
        "page": {"type": "string", "format": "uri"},
        "key": {"type": "string", "format": "uuid"},
        "degrees": {"type": "integer", "minimum": -90, "maximum": 60},
        "sky": {"enum": ["clear", "rain"]},
        "code": {"type": "string", "pattern": "^[A-Z]{3}$", "maxLength": 3},
        "hours": {"type": "array", "items": {"type": "number"}, "maxItems": 3, "uniqueItems": True},
        "inner": {"type": "object", "properties": {"a/b": {}}, "additionalProperties": False},
        "named": {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}},
    },
}
TOOL = RenderTool.from_json_schema("output_weather", "The weather.", SCHEMA)

WRONG = {
    "format date": ('{"day":"1764374400"}', [("/day", "format")]),
    "format email": ('{"day":"2026-11-30","mail":"nobody"}', [("/mail", "format")]),
    "format uri": ('{"day":"2026-11-30","page":"not a uri"}', [("/page", "format")]),
    "format uuid": ('{"day":"2026-11-30","key":"1234"}', [("/key", "format")]),
    "missing": ("{}", [("/day", "required")]),
    "unknown keys": ('{"day":"2026-11-30","x":1,"y~/":2}', [("/x", "additionalProperties"), ("/y~0~1", "additionalProperties")]),
    "unknown key inside": ('{"day":"2026-11-30","inner":{"a/b":1,"c":2}}', [("/inner/c", "additionalProperties")]),
    "number as text": ('{"day":"2026-11-30","degrees":"20"}', [("/degrees", "type")]),
    "true is not 1": ('{"day":"2026-11-30","degrees":true}', [("/degrees", "type")]),
    "too much": ('{"day":"2026-11-30","degrees":61}', [("/degrees", "maximum")]),
    "no such word": ('{"day":"2026-11-30","sky":"snow"}', [("/sky", "enum")]),
    "two rules": ('{"day":"2026-11-30","code":"abcd"}', [("/code", "maxLength"), ("/code", "pattern")]),
    "item": ('{"day":"2026-11-30","hours":[1,"2"]}', [("/hours/1", "type")]),
    "twice": ('{"day":"2026-11-30","hours":[1,1]}', [("/hours", "uniqueItems")]),
    "name": ('{"day":"2026-11-30","named":{"SECRET":1}}', [("/named", "propertyNames")]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), WRONG.values(), ids=WRONG)
def test_each_error_has_its_pointer(text: str, expected: list[tuple[str, str]]) -> None:
    """JSON Pointers to the value, or to the key that is missing or too much."""
    issues = TOOL.validate(text).issues
    assert sorted((issue.pointer, issue.code) for issue in issues) == sorted(expected)
    assert {issue.layer for issue in issues} == {"value"}


def test_messages_hold_no_value() -> None:
    """What the model wrote stays out of the message: it goes to logs and browsers."""
    secret = "sk-secret-1234"
    values: list[dict[str, Any]] = [
        {**dict.fromkeys(SCHEMA["properties"], secret), "degrees": 12345678.5},
        {"day": secret, "named": {secret: 1}, "inner": {"a/b": 1}, "hours": [secret, 12345678.5]},
    ]
    for value in values:
        for issue in TOOL.validate(json.dumps(value)).issues:
            assert "secret" not in issue.message
            assert "12345678" not in issue.message


def test_numbers_are_those_of_json() -> None:
    """20.0 is an integer, as in every validator; so is a large one, exactly."""
    assert TOOL.validate('{"day":"2026-11-30","degrees":20.0}').state == "complete"
    verdict = TOOL.validate('{"day":"2026-11-30","hours":[9007199254740993]}')
    assert verdict.value is not None
    assert verdict.value["hours"] == [9007199254740993]


def test_deep_values_never_reach_the_validator() -> None:
    """Some versions of jsonschema-rs end the process on them: the bounds come first."""
    tree = {"type": "object", "properties": {"a": {"$ref": "#"}}}
    tool = RenderTool.from_json_schema("x", "", tree)
    assert tool.validate('{"a":' * 100_000 + "{}" + "}" * 100_000).issues[0].code == "too_deep"
    with pytest.raises(ToolDefinitionError, match="max_depth"):
        RenderTool.from_json_schema("x", "", SCHEMA, bounds=Bounds(max_depth=MAX_DEPTH + 1))


@pytest.mark.parametrize("kilobytes", [128, 256])
def test_the_deepest_bounds_fit_the_smallest_stack(kilobytes: int) -> None:
    """`MAX_DEPTH` levels are checked on the stack of a small thread."""
    check = SchemaCheck({"type": "object", "properties": {"a": {"$ref": "#"}}})
    text = '{"a":' * (MAX_DEPTH - 1) + "{}" + "}" * (MAX_DEPTH - 1)
    states: list[str] = []
    bounds = Bounds(max_depth=MAX_DEPTH)
    before = threading.stack_size(kilobytes * 1024)
    try:
        thread = threading.Thread(
            target=lambda: states.append(check.check(read_args(text, bounds)).state)
        )
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert states == ["complete"]


def test_patterns_run_in_linear_time() -> None:
    """A pattern that backtracks elsewhere has no exponential answer here."""
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
    tool = RenderTool.from_json_schema("x", "", schema)
    assert tool.validate(json.dumps({"a": "a" * 50_000 + "!"})).state == "invalid"


def test_what_no_validator_can_be_made_of_is_refused() -> None:
    """Whatever jsonschema-rs raises comes out as ours."""
    for schema in ({"const": "\ud800"}, {"$ref": "http://127.0.0.1:9/x"}, {"pattern": "(?=a)"}):
        with pytest.raises(SchemaRefused):
            validator_of(schema)


PLAN: dict[str, Any] = {
    "topic": "Tea",
    "level": "beginner",
    "objectives": ["x", "y"],
    "lessons": [{"title": "Steep", "duration_minutes": 20}, {"title": "Pour", "duration_minutes": 5}],
    "total_minutes": 25,
}  # fmt: skip
PYDANTIC = RenderTool(LearningPlan)
RAW = RenderTool.from_json_schema("plan", "A plan.", LearningPlan.model_json_schema())


@given(st.integers(0, 2**64))
def test_the_verdict_is_that_of_pydantic(seed: int) -> None:
    """On damaged plans both checks say the same, at the same places."""
    text = json.dumps(mutate(PLAN, random.Random(seed)))  # noqa: S311 - damage is no secret
    ours, theirs = RAW.validate(text), PYDANTIC.validate(text)
    assert ours.state == theirs.state
    assert {issue.pointer for issue in ours.issues} == {issue.pointer for issue in theirs.issues}


SUITE = os.environ.get("RENDERCALL_JSONSCHEMASUITE", "")
DRAFTS = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft7": "http://json-schema.org/draft-07/schema#",
}


@pytest.mark.skipif(not SUITE, reason="RENDERCALL_JSONSCHEMASUITE names no folder")
@pytest.mark.parametrize("draft", DRAFTS)
def test_the_json_schema_test_suite(draft: str) -> None:
    """Every required test of the JSON-Schema-Test-Suite, with the options of our validator."""
    wrong: list[str] = []
    count = 0
    for file in sorted((Path(SUITE) / "tests" / draft).glob("*.json")):
        for group in json.loads(file.read_text()):
            schema = group["schema"]
            if isinstance(schema, dict):
                schema = {"$schema": DRAFTS[draft], **schema}
            if file.stem == "format":  # there, formats are annotations: here they are asserted
                validator = jsonschema_rs.validator_for(schema, validate_formats=False)
            else:
                validator = validator_of(schema, _remote)
            for test in group["tests"]:
                count += 1
                if validator.is_valid(test["data"]) != test["valid"]:
                    wrong.append(f"{file.stem}: {group['description']}: {test['description']}")
    assert count > 800
    assert wrong == []


def _remote(uri: str) -> Any:
    path = uri.partition("#")[0].removeprefix("http://localhost:1234/")
    return json.loads((Path(SUITE) / "remotes" / path).read_text())

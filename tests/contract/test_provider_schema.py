from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from rendercall import RenderTool
from rendercall.contract import read_args
from rendercall.contract.provider_schema import ProviderSchema
from rendercall.contract.target_lint import lint_schema
from rendercall.contract.targets import Target
from rendercall.errors import SchemaRefused
from schemas.incident_report import IncidentReport
from schemas.learning_plan import LearningPlan
from tests.consumer import zoo
from tests.contract.tool_schemas import DEFS, SCHEMAS, image, refusals, values

TARGETS: tuple[Target, ...] = get_args(Target)


def sent(schema: dict[str, Any], target: Target) -> ProviderSchema | None:
    """The schema for a target; None where it is refused."""
    try:
        return ProviderSchema.of(schema, target, "render_x", "A part.", with_defaults=False)
    except SchemaRefused:
        return None


@pytest.mark.parametrize("target", TARGETS)
@given(schema=SCHEMAS)
@settings(max_examples=100, deadline=None)
def test_what_is_sent_is_accepted(target: Target, schema: dict[str, Any]) -> None:
    """Every schema passes the checker of its provider, or is refused before any request."""
    before = json.dumps(schema)
    form = sent(schema, target)
    assert json.dumps(schema) == before
    if form is not None:
        assert refusals(form.parameters, target) == []
        assert lint_schema(form.parameters, target) == ()
        jsonschema_rs.meta.validate(form.parameters)


@pytest.mark.parametrize("target", TARGETS)
@given(schema=SCHEMAS)
@settings(max_examples=100, deadline=None)
def test_what_the_linter_passes_the_provider_passes(target: Target, schema: dict[str, Any]) -> None:
    """A schema without findings is accepted as it is."""
    if not lint_schema(schema, target):
        assert refusals(schema, target) == []


CASES = [
    case["input"] for path in sorted((Path(__file__).parents[1] / "cases").glob("*-schema-*.json"))
    for case in [json.loads(path.read_text())] if case["expect"]["rewritten"] is not None
]  # fmt: skip
MODELS = [LearningPlan, IncidentReport, zoo.Zoo, zoo.Tree, zoo.ByEnum, zoo.Record, zoo.Data]
KNOWN = {
    **{case["tool_name"] + " " + str(n): case["schema"] for n, case in enumerate(CASES)},
    **{model.__name__: RenderTool(model).schema for model in MODELS},
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("schema", KNOWN.values(), ids=KNOWN)
def test_what_is_sent_of_the_schemas_at_hand_is_accepted(
    schema: dict[str, Any], target: Target
) -> None:
    """Those of the cases, of the app, and a zoo of types; whatever the target."""
    form = sent(schema, target)
    if form is not None:
        assert refusals(form.parameters, target) == []
        jsonschema_rs.meta.validate(form.parameters)


def test_the_schemas_at_hand_are_sent_to_somebody() -> None:
    """No target refuses all of them, and the portable one refuses none."""
    taken = {
        target: [sent(one, target) is not None for one in KNOWN.values()] for target in TARGETS
    }
    assert all(taken["portable"])
    assert all(any(each) for each in taken.values())


def without_added(read: Any, value: Any) -> Any:
    """What was read, without nulls under keys that were not there, where null is a value too."""
    if isinstance(read, dict):
        return {
            key: without_added(one, value.get(key))
            for key, one in read.items()
            if not (one is None and key not in value)
        }
    if isinstance(read, list):
        return [without_added(one, other) for one, other in zip(read, value, strict=True)]
    return read


@pytest.mark.parametrize("target", TARGETS)
@given(schema=SCHEMAS, data=st.data())
@settings(max_examples=100, deadline=None)
def test_every_value_has_an_image_and_comes_back(
    target: Target, schema: dict[str, Any], data: st.DataObject
) -> None:
    """What the tool takes can be written by the sent schema, and is read as what it was."""
    form = sent(schema, target)
    if form is None:
        return
    value = data.draw(values(schema, schema))
    written = value
    if target == "openai_strict":
        written = image(value, form.parameters, form.parameters)
    assert jsonschema_rs.is_valid(form.parameters, written)
    args = form.restored(read_args(json.dumps(written), RenderTool(Note).bounds))
    assert without_added(args.value, value) == value
    assert jsonschema_rs.is_valid(schema, args.value)
    assert json.loads(args.text) == args.value


class Note(BaseModel):
    """A note."""

    text: str = Field(min_length=1)
    tone: str = "plain"
    hint: str | None = None
    level: Literal["low", "high"] = "low"


def test_null_means_the_default_where_null_was_added() -> None:
    """Where the model takes null itself, null stays null; each default taken is told."""
    tool = RenderTool(Note, target="openai_strict")
    verdict = tool.validate('{"text":"a","tone":null,"hint":null,"level":null}')
    assert verdict.value == Note(text="a")
    assert verdict.value.model_fields_set == {"text", "hint"}
    assert [(one.code, one.pointer) for one in verdict.notices] == [
        ("null_means_default", "/tone"),
        ("null_means_default", "/level"),
    ]


@pytest.mark.parametrize("target", ["portable", "gemini", "anthropic_strict"])
def test_null_stays_wrong_where_nothing_was_added(target: Target) -> None:
    """No strictness is lost for a provider that knows optional keys."""
    verdict = RenderTool(Note, target=target).validate('{"text":"a","tone":null}')
    assert [issue.pointer for issue in verdict.issues] == ["/tone"]


def test_a_required_key_is_never_let_go() -> None:
    """Only what was optional may be null."""
    verdict = RenderTool(Note, target="openai_strict").validate('{"text":null}')
    assert [issue.pointer for issue in verdict.issues] == ["/text"]


def test_mending_reads_nulls_as_well() -> None:
    """A fenced answer to a strict schema is mended and mapped back, both told."""
    tool = RenderTool(Note, target="openai_strict", mend="lossless")
    verdict = tool.validate('```json\n{"text":"a","tone":null}\n```')
    assert verdict.value == Note(text="a")
    assert {"code_fence", "null_means_default"} <= {one.code for one in verdict.notices}


LOCAL = {
    "enum": (
        {"week": {"type": "integer", "enum": [1, 2, 4]}}, "gemini", {"week": 3}, "/week",
    ),
    "length": (
        {"name": {"type": "string", "maxLength": 2}}, "anthropic_strict", {"name": "abc"}, "/name",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("properties", "target", "value", "pointer"), LOCAL.values(), ids=LOCAL)
def test_what_a_provider_cannot_enforce_is_enforced_here(
    properties: Any, target: Target, value: Any, pointer: str
) -> None:
    """A rule that left the schema is still a rule."""
    schema = {"type": "object", "properties": properties, "required": [*properties]}
    tool = RenderTool.from_json_schema("x", "", schema, target=target)
    assert [issue.pointer for issue in tool.validate(json.dumps(value)).issues] == [pointer]


class Price(BaseModel):
    """A price."""

    price: Decimal


def test_a_pattern_that_a_provider_cannot_run_is_run_here() -> None:
    """Pydantic's own pattern of a decimal looks around."""
    tool = RenderTool(Price, target="openai_strict")
    assert "(?" not in json.dumps(tool.spec())
    assert [issue.pointer for issue in tool.validate('{"price":"abc"}').issues] == ["/price"]


REFUSED = {
    "any keys": ({"type": "object", "properties": {"a": {"type": "object"}}}, "turn strict off"),
    "any value": ({"type": "object", "properties": {"a": {}}}, "turn strict off"),
    "mixed tuple": (
        {
            "type": "object",
            "properties": {
                "a": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}
            },
        },
        "named keys",
    ),
    "a map": (
        {
            "type": "object",
            "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}},
        },
        "turn strict off",
    ),
    "patterns of keys": (
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "patternProperties": {"^x": {"type": "string"}},
        },
        "does not know this word",
    ),
}


@pytest.mark.parametrize(("schema", "message"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("target", ["openai_strict", "anthropic_strict"])
def test_what_would_force_an_empty_answer_is_refused_when_the_tool_is_made(
    schema: dict[str, Any], message: str, target: Target
) -> None:
    """Closing it would leave the model nothing to say; the message says what to do."""
    with pytest.raises(SchemaRefused, match=message):
        RenderTool.from_json_schema("x", "", schema, target=target)
    RenderTool.from_json_schema("x", "", schema)  # and not where strict is off


class Tree(BaseModel):
    """A tree."""

    name: str
    kids: list["Tree"]


def test_a_model_that_contains_itself_keeps_its_references() -> None:
    """It never ends in `{}`: OpenAI takes it, Gemini in a key that may be left out."""
    strict = RenderTool(Tree).sent("openai_strict").parameters
    assert strict["properties"]["kids"]["items"] == {"$ref": "#/$defs/Tree"}
    assert strict["$defs"]["Tree"]["properties"]["kids"]["items"] == {"$ref": "#/$defs/Tree"}
    gemini = RenderTool(Tree).sent("gemini").parameters
    assert gemini["properties"]["kids"]["items"] == {"$ref": "#/$defs/Tree"}
    assert gemini["$defs"]["Tree"]["required"] == ["name"]
    with pytest.raises(SchemaRefused, match="contains itself"):
        RenderTool(Tree, target="anthropic_strict")


def test_a_root_list_is_wrapped_and_comes_back_a_list() -> None:
    """No provider takes a list at the root."""
    schema = {"type": "array", "items": {"type": "integer"}}
    form = ProviderSchema.of(schema, "openai_strict", "x", "")
    assert form.wrapped == "items"
    args = form.restored(read_args('{"items":[1,2]}', RenderTool(Note).bounds))
    assert args.text == "[1,2]"
    assert json.loads(args.text) == args.value


def test_descriptions_are_never_cut() -> None:
    """1,024 characters pass, one more is refused."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    ProviderSchema.of(schema, "openai_strict", "x", "p" * 1024)
    with pytest.raises(SchemaRefused, match="1025 characters"):
        ProviderSchema.of(schema, "openai_strict", "x", "p" * 1025)


def test_auto_reads_what_a_strict_schema_brought() -> None:
    """Whoever the provider is: null for an optional key is its absence."""
    tool = RenderTool(Note, target="auto")
    assert tool.validate('{"text":"a","tone":null}').value == Note(text="a")
    assert tool.validate('{"text":"a"}').value == Note(text="a")
    free = {"type": "object", "properties": {"a": {"type": "object"}}}
    RenderTool.from_json_schema("x", "", free, target="auto")  # its strict form is refused


def test_a_schema_that_unfolds_without_end_is_refused() -> None:
    """Each definition written out twice: a million places from twenty definitions."""
    chain = {
        f"D{n}": {
            "type": "object",
            "properties": {
                key: {"$ref": f"#/$defs/D{n + 1}", "description": "x"} for key in ("a", "b")
            },
        }
        for n in range(20)
    }
    chain["D20"] = {"type": "string"}
    schema = {**chain["D0"], "$defs": chain}
    with pytest.raises(SchemaRefused, match="written out"):
        ProviderSchema.of(schema, "openai_strict", "x", "")


def test_definitions_that_nothing_needs_are_left_out() -> None:
    """What is sent costs tokens."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "$defs": DEFS}
    assert "$defs" not in ProviderSchema.of(schema, "openai_strict", "x", "").parameters

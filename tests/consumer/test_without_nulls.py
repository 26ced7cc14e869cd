from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from rendercall import RenderStream, RenderTool, last_render
from tests.contract.test_provider_schema import sent
from tests.contract.tool_schemas import SCHEMAS, image, values


class Lesson(BaseModel):
    """A lesson."""

    title: str
    minutes: int = 30
    note: str | None = None


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str] = []


class Plan(BaseModel):
    """A plan."""

    topic: str
    tone: str = "plain"
    lessons: list[Lesson]
    pet: Cat | Dog = Field(discriminator="kind")
    either: Lesson | int = 1


TOOL = RenderTool(Plan, target="openai_strict")
TEXT = (
    '{"topic":"Tea","tone":null,"lessons":[{"title":"Pour","minutes":null,"note":null}],'
    '"pet":{"kind":"dog","tricks":null},"either":{"title":"x","minutes":null,"note":null}}'
)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_null_for_an_absent_key_is_no_value_and_no_error(size: int) -> None:
    """It is never shown, in no form, and nothing about it is a definite error."""
    stream = RenderStream(TOOL)
    for at in range(0, len(TEXT), size):
        update = stream.feed_text(TEXT[at : at + size])
        if update is None:
            continue
        assert list(update.errors) == []
        shown = update.value
        assert "tone" not in shown
        assert not update.has("tone")
        assert all("minutes" not in one for one in shown.get("lessons", ()))
        assert ("tone",) not in {delta[1] for delta in update.deltas}
    result = stream.finish()
    assert result.status == "ok"
    assert result.value == Plan.model_validate(
        {
            "topic": "Tea",
            "lessons": [{"title": "Pour"}],
            "pet": {"kind": "dog"},
            "either": {"title": "x"},
        }
    )
    assert [one.pointer for one in result.warnings] == [
        "/tone", "/lessons/0/minutes", "/pet/tricks", "/either/minutes",
    ]  # fmt: skip
    assert {one.code for one in result.warnings} == {"null_means_default"}


def test_null_where_the_model_takes_null_is_shown() -> None:
    """Null is a value there."""
    stream = RenderStream(TOOL)
    stream.feed_text('{"topic":"Tea","lessons":[{"title":"Pour","minutes":null,"note":null')
    update = stream.feed_text(",")
    assert update is not None
    assert update.value == {"topic": "Tea", "lessons": [{"title": "Pour", "note": None}]}


def test_other_errors_stay_definite() -> None:
    """Only these nulls are let go; a required key's null is an error as it closes."""
    stream = RenderStream(TOOL)
    update = stream.feed_text('{"tone":null,"topic":null,')
    assert update is not None
    assert [issue.pointer for issue in update.errors] == ["/topic"]


def test_without_a_strict_target_null_is_a_definite_error() -> None:
    """The provider's schema did not ask for it."""
    stream = RenderStream(RenderTool(Plan))
    update = stream.feed_text('{"tone":null,')
    assert update is not None
    assert [issue.pointer for issue in update.errors] == ["/tone"]


def test_a_key_that_comes_again_after_its_null_is_no_answer() -> None:
    """The text is judged as it came."""
    stream = RenderStream(TOOL)
    stream.feed_text('{"topic":"Tea","tone":null,"tone":"x","lessons":[],"pet":{"kind":"cat"}}')
    assert [issue.code for issue in stream.finish().errors] == ["duplicate_key"]


class Bird(BaseModel):
    kind: Literal["bird"]
    lives: int | None


class Tagged(BaseModel):
    """The tag tells the choice."""

    pet: Cat | Bird = Field(discriminator="kind")


class Untagged(BaseModel):
    """Pydantic tries the choices."""

    pet: Cat | Bird


@pytest.mark.parametrize("model", [Tagged, Untagged])
@pytest.mark.parametrize("kind", ["cat", "bird"])
@pytest.mark.parametrize("order", ['"kind":"{}","lives":null', '"lives":null,"kind":"{}"'])
def test_what_a_null_says_may_be_known_after_it(
    model: type[BaseModel], kind: str, order: str
) -> None:
    """No error on the way, whichever key comes first; the end is that of the whole text."""
    tool = RenderTool(model, target="openai_strict")
    text = f'{{"pet":{{{order.replace("{}", kind)}}}}}'
    stream = RenderStream(tool)
    for piece in text:
        update = stream.feed_text(piece)
        assert update is None or list(update.errors) == []
    result, judged = stream.finish(), tool.validate(text)
    assert (result.status, result.value) == ("ok", judged.value)
    assert result.warnings == judged.notices


@given(schema=SCHEMAS, data=st.data())
@settings(max_examples=100, deadline=None)
def test_a_stream_ends_as_the_stored_message_does(
    schema: dict[str, Any], data: st.DataObject
) -> None:
    """No error on the way to a valid answer; the same value, warnings and status both ways."""
    form = sent(schema, "openai_strict")
    if form is None or "(?" in json.dumps(schema):  # the first guard refuses look-around
        return
    tool = RenderTool.from_json_schema("render_x", "", schema, target="openai_strict")
    value = data.draw(values(schema, schema))
    text = json.dumps(image(value, form.parameters, form.parameters))
    stream = RenderStream(tool)
    for at in range(0, len(text), 4):
        update = stream.feed_text(text[at : at + 4])
        assert update is None or list(update.errors) == []
    call = {"id": "c", "type": "function", "function": {"name": "render_x", "arguments": text}}
    message = {"role": "assistant", "content": None, "tool_calls": [call], "finish_reason": "stop"}
    stored = last_render([{"role": "user", "content": "x"}, message], tool)
    result = stream.finish()
    assert result.status == stored.status == "ok", stored.errors
    assert (result.value, result.warnings) == (stored.value, stored.warnings)

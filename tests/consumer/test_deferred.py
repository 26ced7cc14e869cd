from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, Field, TypeAdapter

from rendercall.consumer.partial import has
from rendercall.consumer.pydantic_plan import plan_of
from rendercall.consumer.reader import Reader
from rendercall.contract import Bounds

SEEN: list[str] = []


def noted(title: str) -> str:
    SEEN.append(title)
    return title


class Lesson(BaseModel):
    title: Annotated[str, AfterValidator(noted)]
    tags: list[str] = Field(default_factory=list)


class Plan(BaseModel):
    lessons: list[Lesson]
    last: Lesson | None = None


def never() -> int:
    raise OSError


class Unlucky(BaseModel):
    a: int
    b: int = Field(default_factory=never)


class Checked(BaseModel):
    a: int = Field(0, validate_default=True)


class Shop(BaseModel):
    unlucky: Unlucky
    checked: Checked


def read(model: type[BaseModel], text: str) -> Reader[Any]:
    reader = Reader(plan_of(TypeAdapter(model)), Bounds())
    for piece in text:
        reader.feed(piece)
    return reader


@pytest.mark.parametrize("closes", ["", "]"], ids=["in an open list", "in a closed one"])
def test_a_value_is_made_when_somebody_looks(closes: str) -> None:
    """Once, and it is the real thing: until then only its parts were checked."""
    SEEN.clear()
    reader = read(Plan, '{"lessons":[{"title":"a","tags":["x"]},{"title":"b"}' + closes)
    assert SEEN == ["a", "b"]
    lesson = reader.partial.lessons[0]
    assert lesson == Lesson.model_construct(title="a", tags=["x"])
    assert reader.partial.lessons[0] is lesson
    assert SEEN.count("a") == 2
    assert (SEEN.count("b") == 1) is (closes == "")


def test_a_field_is_made_too() -> None:
    """Not only items are left until they are looked at."""
    SEEN.clear()
    reader = read(Plan, '{"last":{"title":"z"}')
    assert reader.partial.last is reader.partial.last
    assert reader.partial.last == Lesson.model_construct(title="z", tags=[])
    assert SEEN == ["z", "z"]


@pytest.mark.parametrize(
    "text", ['{"lessons":[{"title":"a"}]', '{"lessons":[{"title":"a","tags":["x"]}']
)
def test_a_closed_list_is_made_once(text: str) -> None:
    """Looking at it after every fragment costs the same however long it is."""
    partial = read(Plan, text).partial
    assert partial.lessons[0].tags is partial.lessons[0].tags
    assert (partial.lessons is partial.lessons) is text.endswith("]")


def test_what_its_parts_do_not_tell_is_made_at_once() -> None:
    """A default that is made, or checked, may be refused."""
    reader = read(Shop, '{"unlucky":{"a":1},"checked":{}')
    assert reader.partial.checked == Checked()
    assert not has(reader.partial, "unlucky") or not isinstance(reader.partial.unlucky, Unlucky)
    assert not reader.errors

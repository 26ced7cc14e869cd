from __future__ import annotations

import datetime as dt
import enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    HttpUrl,
    RootModel,
    StringConstraints,
    TypeAdapter,
    create_model,
    model_validator,
)

from rendercall.consumer.pydantic_plan import plan_of
from rendercall.consumer.reader import Reader
from rendercall.contract.bounds import Bounds
from tests.consumer.zoo import Tree


class Color(enum.StrEnum):
    RED = "red"


class Word(RootModel[str]):
    pass


class Off(BaseModel):
    name: str

    @model_validator(mode="before")
    @classmethod
    def take_name(cls, data: Any) -> Any:
        return {"name": data} if isinstance(data, str) else data


SHOWN = {
    "plain text": str,
    "optional text": str | None,
    "text with a default": Annotated[str, Field(default="x")],
    "text of some length": Annotated[str, Field(min_length=3, max_length=90)],
    "number or text": int | str,
    "anything": Any,
}
WITHHELD = {
    "number": int,
    "boolean": bool,
    "literal": Literal["text"],
    "enum": Color,
    "date": dt.date,
    "link": HttpUrl,
    "pattern": Annotated[str, StringConstraints(pattern="^t")],
    "only ASCII": Annotated[str, StringConstraints(ascii_only=True)],
    "stripped": Annotated[str, StringConstraints(strip_whitespace=True)],
    "lowered": Annotated[str, StringConstraints(to_lower=True)],
    "checked after": Annotated[str, AfterValidator(str.title)],
    "changed before": Annotated[str, BeforeValidator(str)],
    "date or text": dt.date | str,
    "root model": Word,
    "root model or text": Word | str,
    "object made from text, or text": Off | str,
    "list": list[str],
}


def open_text(model: type[BaseModel], *, strict: bool | None = True) -> Any:
    """What is shown of an open string at `a`."""
    reader = Reader(plan_of(TypeAdapter(model), strict=strict), Bounds())
    reader.feed('{"a":"te')
    return reader.document().get("a"), getattr(reader.partial, "a", None)


@pytest.mark.parametrize("kind", SHOWN.values(), ids=SHOWN.keys())
def test_plain_text_is_shown_while_it_grows(kind: Any) -> None:
    """A string whose final value begins with what is there is shown."""
    assert open_text(create_model("M", a=(kind, ...))) == ("te", "te")


@pytest.mark.parametrize("kind", WITHHELD.values(), ids=WITHHELD.keys())
def test_restricted_text_is_withheld(kind: Any) -> None:
    """A cut date, enum or pattern is no value of its type, so it is not shown."""
    assert open_text(create_model("M", a=(kind, ...))) == (None, None)


def test_text_that_another_choice_may_take_is_withheld() -> None:
    """Where a model is not strict, text that is too long may be a number yet."""
    model = create_model("M", a=(int | Annotated[str, Field(max_length=3)], ...))
    assert open_text(model) == ("te", "te")
    assert open_text(model, strict=None) == (None, None)


def test_the_models_configuration_counts() -> None:
    """Text that the configuration strips is withheld, too."""
    config = ConfigDict(str_strip_whitespace=True)
    assert open_text(create_model("M", __config__=config, a=(str, ...))) == (None, None)


def test_recursive_models_are_seen_through() -> None:
    """A recursive field leads to the same shape, also through an optional one."""
    root = plan_of(TypeAdapter(Tree)).root
    twin = root.shape.fields["twin"]
    kids = root.shape.fields["kids"]
    assert twin.shape is root.shape
    assert kids.shape.items is not None
    assert kids.shape.items.shape is root.shape


class Changing(BaseModel):
    model_config = ConfigDict(validate_by_alias=False, validate_by_name=True)

    name: str = Field(alias="title")


def test_aliases_follow_the_configuration() -> None:
    """Where aliases are off, the field's own name is the key."""
    assert list(plan_of(TypeAdapter(Changing)).root.shape.fields) == ["name"]

from __future__ import annotations

import datetime as dt
import decimal
import enum
import http.server
import threading
import uuid
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from pydantic import BaseModel, ConfigDict, Field, RootModel, TypeAdapter, field_validator
from typing_extensions import TypedDict

from rendercall import RenderTool
from rendercall.errors import ToolDefinitionError
from schemas.learning_plan import LearningPlan

T = TypeVar("T")


class Quiz(BaseModel):
    """A quiz with one question."""

    question: str


class NoDocstring(BaseModel):
    x: int


class HTTPReport2(BaseModel):
    x: int


class Card(TypedDict):
    """A card."""

    title: str


@dataclass
class Point:
    """A point."""

    x: int


@dataclass
class Bare:
    x: int


class Page(BaseModel, Generic[T]):
    """A page."""

    items: list[T]


class Tree(BaseModel):
    """A tree."""

    name: str
    kids: list[Tree] = []


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]

MADE = {
    "model": (RenderTool(Quiz), "render_quiz", "A quiz with one question."),
    "typed dict": (RenderTool(Card), "render_card", "A card."),
    "dataclass": (RenderTool(Point), "render_point", "A point."),
    "generic": (RenderTool(Page[int]), "render_page_int", "A page."),
    "recursive": (RenderTool(Tree), "render_tree", "A tree."),
    "acronyms": (RenderTool(HTTPReport2), "render_http_report2", None),
    "union": (RenderTool(TypeAdapter[Any](Pet), name="render_pet"), "render_pet", None),
    "overridden": (RenderTool(Quiz, name="ask", description="Ask it."), "ask", "Ask it."),
    "no docstring": (RenderTool(NoDocstring), "render_no_docstring", None),
    "bare dataclass": (RenderTool(Bare), "render_bare", None),
}
DEFAULT = "Show the final answer to the user. Call this once, when everything is known."


@pytest.mark.parametrize(("tool", "name", "description"), MADE.values(), ids=MADE)
def test_name_and_description_come_from_the_type(
    tool: RenderTool[Any], name: str, description: str | None
) -> None:
    """Snake case with `render_`; the type's own docstring, never an inherited one."""
    assert tool.name == name
    assert tool.description == (description or DEFAULT)


@pytest.mark.parametrize("tool", [row[0] for row in MADE.values()], ids=MADE)
def test_spec_is_what_bind_tools_takes(tool: RenderTool[Any]) -> None:
    """OpenAI's function format, with an object at the root."""
    spec = tool.spec()
    assert spec["type"] == "function"
    assert spec["function"]["name"] == tool.name
    assert spec["function"]["parameters"]["type"] == "object"


REFUSED = {
    "a list": lambda: RenderTool(list[int], name="x"),
    "a root list": lambda: RenderTool(RootModel[list[int]], name="x"),
    "an integer": lambda: RenderTool(int),
    "a union with a text": lambda: RenderTool(TypeAdapter[Any](Cat | str), name="x"),
    "no name": lambda: RenderTool(TypeAdapter(Cat), name=""),
    "a bad name": lambda: RenderTool(Quiz, name="render quiz"),
    "a long name": lambda: RenderTool(Quiz, name="x" * 65),
    "no schema": lambda: RenderTool(object),
    "a broken schema": lambda: RenderTool.from_json_schema("x", "", {"type": "objekt"}),
    "a schema of a list": lambda: RenderTool.from_json_schema("x", "", {"type": "array"}),
    "a dangling reference": lambda: RenderTool.from_json_schema(
        "x", "", {"type": "object", "properties": {"a": {"$ref": "#/$defs/no"}}}
    ),
    "a file reference": lambda: RenderTool.from_json_schema(
        "x", "", {"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}}
    ),
    "a schema of itself": lambda: RenderTool.from_json_schema("x", "", {"$ref": "#"}),
}


NO_OBJECTS = {
    "a type": (lambda: RenderTool(list[int], name="x"), "not array: put it in a model"),
    "a union": (
        lambda: RenderTool(TypeAdapter[Any](str | int), name="x"), "not number or string: put it",
    ),
    "a schema": (lambda: RenderTool.from_json_schema("x", "", {"type": "array"}), "not array: give it"),
    "no type": (lambda: RenderTool.from_json_schema("x", "", {}), "not any JSON: give it"),
}  # fmt: skip


@pytest.mark.parametrize(("make", "words"), NO_OBJECTS.values(), ids=NO_OBJECTS)
def test_what_is_no_object_is_refused_with_what_to_do(make: Any, words: str) -> None:
    """No provider takes other args; a part of any kind fits into an object."""
    with pytest.raises(ToolDefinitionError, match=f"args of x must be a JSON object, {words}"):
        make()
    envelope = RenderTool.from_json_schema("x", "", {"type": "array"}, envelope=True)
    assert envelope.validate('{"data": [1], "summary": "One."}').state == "complete"


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_a_render_tool_is_refused_when_it_is_made(make: Any) -> None:
    """The error comes before any request, and is both ours and a ValueError."""
    with pytest.raises(ToolDefinitionError) as caught:
        make()
    assert isinstance(caught.value, ValueError)


def test_a_remote_reference_is_never_fetched() -> None:
    """A schema may come from anybody: it must not make us call somewhere."""
    hits: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        reference = f"http://127.0.0.1:{server.server_port}/schema.json"
        schema = {"type": "object", "properties": {"a": {"$ref": reference}}}
        with pytest.raises(ToolDefinitionError, match="never fetched"):
            RenderTool.from_json_schema("x", "", schema)
        server.shutdown()
    assert hits == []


GOOD = '{"topic":"Tea","level":"beginner","objectives":["x"],"lessons":[{"title":"Steep","duration_minutes":20}],"total_minutes":20}'  # fmt: skip


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


WRONG = {
    "number as text": (changed(":20}", ':"20"}'), ["/lessons/0/duration_minutes"]),
    "boolean as number": (
        changed('"total_minutes":20', '"total_minutes":true'),
        ["/total_minutes"],
    ),
    "a fraction": (changed('"total_minutes":20', '"total_minutes":20.5'), ["/total_minutes"]),
    "zero": (changed('"total_minutes":20', '"total_minutes":0'), ["/total_minutes"]),
    "enum": (changed("beginner", "easy"), ["/level"]),
    "an extra key": (changed('"level"', '"a/b":1,"level"'), ["/a~1b"]),
    "a missing key": (changed('"topic":"Tea",', ""), ["/topic"]),
    "no lessons": (changed('[{"title":"Steep","duration_minutes":20}]', "[]"), ["/lessons"]),
    "two errors": (
        changed('"duration_minutes":20', '"duration_minutes":-1').replace('"Tea"', '""'),
        ["/topic", "/lessons/0/duration_minutes"],
    ),
}


@pytest.mark.parametrize(("text", "pointers"), WRONG.values(), ids=WRONG)
def test_every_error_has_its_json_pointer(
    text: str, pointers: list[str], plan_tool: RenderTool[LearningPlan]
) -> None:
    """All errors at once, each with its place, none of them quoting the value."""
    verdict = plan_tool.validate(text)
    assert verdict.state == "invalid"
    assert verdict.value is None
    assert [issue.pointer for issue in verdict.issues] == pointers
    assert all(issue.kind == "schema" for issue in verdict.issues)


def test_a_raw_schema_gives_the_same_pointers_as_pydantic(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """Missing and extra keys are named one by one, by both checkers."""
    raw = RenderTool.from_json_schema("render_learning_plan", "", plan_tool.schema)
    for text, pointers in WRONG.values():
        assert sorted(issue.pointer for issue in raw.validate(text).issues) == sorted(pointers)
    assert raw.validate(GOOD).value == plan_tool.validate(GOOD).value.model_dump()  # type: ignore[union-attr]


class Rich(BaseModel):
    """Everything that JSON writes as a string."""

    model_config = ConfigDict(extra="forbid")

    day: dt.date
    key: uuid.UUID
    price: decimal.Decimal
    pair: tuple[int, str]


def test_strict_json_takes_what_json_writes_as_strings() -> None:
    """ISO dates, UUIDs and Decimals in strings are fine; strict is about JSON types."""
    text = '{"day":"2026-11-30","key":"12345678-1234-5678-1234-567812345678","price":"1.50","pair":[1,"a"]}'  # fmt: skip
    value = RenderTool(Rich).validate(text).value
    assert value is not None
    assert value.day == dt.date(2026, 11, 30)
    assert value.price == decimal.Decimal("1.50")


class Level(enum.IntEnum):
    low = 1


class Numbers(BaseModel):
    """Every place where an integer may stand."""

    whole: int
    real: float
    anything: Any
    literal: Literal[1, 2]
    level: Level
    either: int | str
    some: list[int]
    by_name: dict[str, int]
    aliased: int = Field(alias="als")


def test_integral_floats_become_integers_only_where_the_schema_says_so() -> None:
    """20.0 is 20 for an integer, in JSON Schema and browsers; elsewhere it stays a float."""
    text = '{"whole":20.0,"real":20.0,"anything":20.0,"literal":1.0,"level":1.0,"either":1e1,"some":[1,2.0],"by_name":{"a":3.0},"als":4.0}'  # fmt: skip
    value = RenderTool(Numbers).validate(text).value
    assert value is not None
    assert (value.whole, value.literal, value.level, value.either) == (20, 1, Level.low, 10)
    assert (value.some, value.by_name, value.aliased) == ([1, 2], {"a": 3}, 4)
    assert type(value.real) is float
    assert type(value.anything) is float


class Lax(BaseModel):
    """A model that decides for itself."""

    n: int


def test_strict_none_follows_the_model() -> None:
    """The default refuses `"20"`; `strict=None` leaves it to the model's configuration."""
    assert RenderTool(Lax).validate('{"n":"20"}').state == "invalid"
    value = RenderTool(Lax, strict=None).validate('{"n":"20"}').value
    assert value == Lax(n=20)


class Told(BaseModel):
    """With a validator of its own."""

    a: int
    pet: Pet

    @field_validator("a")
    @classmethod
    def even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("must be even")
        return value


def test_messages_name_what_was_expected_and_no_value() -> None:
    """A developer's own words go through; values that Pydantic would quote do not."""
    issues = RenderTool(Told).validate('{"a":3,"pet":{"kind":"sk-secret"}}').issues
    assert [str(issue) for issue in issues] == [
        "/a: Value error, must be even",
        "/pet: 'kind' should be one of 'cat', 'dog'",
    ]


class Either(BaseModel):
    """A union, whose branches Pydantic names as if they were keys."""

    u: int | Lax


@pytest.mark.parametrize(
    ("text", "pointers"),
    [('{"u":{"n":[]}}', ["/u", "/u/n"]), ('{"u":{}}', ["/u", "/u/n"]), ("{}", ["/u"])],
)
def test_a_pointer_leads_to_a_place(text: str, pointers: list[str]) -> None:
    """It names no branch of a union, and a key that is not there only where it is missing."""
    issues = RenderTool(Either).validate(text).issues
    assert [issue.pointer for issue in issues] == pointers


def test_the_bounds_speak_before_the_schema(plan_tool: RenderTool[LearningPlan]) -> None:
    """A duplicate key is refused even where the schema would be content with the last one."""
    text = changed('"topic":"Tea"', '"topic":"Tea","topic":"Tea"')
    assert [issue.code for issue in plan_tool.validate(text).issues] == ["duplicate_key"]


def test_a_cut_is_incomplete(plan_tool: RenderTool[LearningPlan]) -> None:
    """A cut-off is not a schema error."""
    assert plan_tool.validate(GOOD[:-4]).state == "incomplete"


def test_repr_names_the_tool_and_its_fields(plan_tool: RenderTool[LearningPlan]) -> None:
    """In a notebook one sees what it is."""
    assert repr(plan_tool).startswith("RenderTool('render_learning_plan', topic, level")

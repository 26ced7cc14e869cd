"""What the browser must judge as Python does: every kind of field that JSON Schema can express.

Left out is what it cannot: findings in texts, validators in Python, sets (Pydantic takes repeated items), and
the spellings of dates and URLs that Pydantic takes beside those of the formats' own RFCs.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel, StringConstraints
from typing_extensions import TypedDict

from rendercall import RenderTool
from tests.browser.shapes import SHOW_ALL, plan_tool, poll_tool
from tests.consumer.zoo import Items, Text

__all__ = ["GOOD", "TOOLS"]


class Colour(StrEnum):
    RED = "red"
    REDDISH = "reddish"


class Sub(BaseModel):
    x: int
    y: str | None = None


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")

    x: int = Field(ge=-3, lt=100)
    y: str = Field(min_length=2, max_length=9)


class Tree(BaseModel):
    name: str = Field(max_length=5)
    kids: list[Tree] = []
    twin: Tree | None = None


class Word(RootModel[str]):
    pass


class Record(TypedDict, total=False):
    u: int
    v: str


class Kinds(BaseModel):
    """One field of each kind."""

    model_config = ConfigDict(extra="forbid")

    closed: Closed
    sub: Sub
    tags: list[Annotated[Text | Items, Field(discriminator="kind")]]
    tree: Tree
    word: Word
    record: Record
    union: Sub | list[int] | str
    nullable: bool | None
    number: float = Field(gt=0, le=1e6)
    step: int = Field(multiple_of=5)
    half: float = Field(multiple_of=0.5)
    pair: tuple[int, str]
    rest: tuple[int, ...] = ()
    mapping: dict[str, Sub]
    counts: dict[str, Annotated[int, Field(ge=0)]]
    limited: Annotated[list[int], Field(min_length=1, max_length=3)]
    literal: Literal["one", "two"]
    colour: Colour
    pattern: Annotated[str, StringConstraints(pattern="^[a-c]+$")]
    named: str = Field(alias="a.b-c")
    face: str = Field(max_length=3)
    anything: Any = None
    flag: bool
    optional: int | None = None


TOOLS = (
    plan_tool,
    RenderTool(Kinds, content=SHOW_ALL),
    RenderTool(Tree, content=SHOW_ALL),
    poll_tool,
)

GOOD: dict[str, dict[str, Any]] = {
    "render_learning_plan": {
        "topic": "学习 SQL",
        "level": "advanced",
        "objectives": ["Explain OVER", "识别窗口函数"],
        "lessons": [
            {"title": "Frames", "duration_minutes": 30},
            {"title": "排名", "duration_minutes": 45},
            {"title": "😀", "duration_minutes": 5},
        ],
        "total_minutes": 80,
    },
    "render_kinds": {
        "closed": {"x": 1, "y": "abc"},
        "sub": {"x": 1},
        "tags": [{"kind": "text", "body": "hello"}, {"items": [1, 2], "kind": "items"}],
        "tree": {"name": "r", "kids": [{"name": "k", "twin": {"name": "z"}}], "twin": None},
        "word": "word",
        "record": {"u": 1, "v": "x"},
        "union": {"x": 1},
        "nullable": None,
        "number": 2.5,
        "step": 15,
        "half": 1.5,
        "pair": [1, "a"],
        "rest": [1, 2],
        "mapping": {"k": {"x": 1}, "__proto__": {"x": 2}},
        "counts": {"a": 0, "b": 7},
        "limited": [1],
        "literal": "one",
        "colour": "red",
        "pattern": "abc",
        "a.b-c": "n",
        "face": "😀é中",
        "anything": {"z": [1, None]},
        "flag": True,
        "optional": 3,
    },
    "render_tree": {"name": "r", "kids": [{"name": "k", "kids": []}, {"name": "m", "twin": None}]},
    "render_poll": {"question": "Which?", "choices": ["a", "b"], "closes": 7},
}
"""One valid document for each tool."""

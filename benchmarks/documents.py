"""The documents that are streamed: a plan, one long string, and a wide list."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

__all__ = ["SHAPES", "Shape", "pieces_of"]

Level = Literal["beginner", "intermediate", "advanced"]
Kind = Literal["article", "video", "exercise"]


class Resource(BaseModel):
    """Something to read."""

    title: str = Field(min_length=1)
    url: str
    kind: Kind


class Lesson(BaseModel):
    """One lesson."""

    title: str = Field(min_length=1)
    duration_minutes: int = Field(gt=0)
    summary: str
    tags: list[str] = Field(default_factory=list)
    optional: bool = False
    weight: float | None = None
    resources: list[Resource] = Field(default_factory=list)


class Plan(BaseModel):
    """A learning plan with more in it than the app's: texts, tags, numbers, nested lists."""

    model_config = ConfigDict(extra="forbid")

    topic: str = Field(min_length=1)
    level: Level
    objectives: list[str] = Field(min_length=1)
    lessons: list[Lesson] = Field(min_length=1)
    total_minutes: int = Field(gt=0)


class Article(BaseModel):
    """One long text."""

    title: str
    body: str


class Numbers(BaseModel):
    """One long list."""

    numbers: list[int]


class PartialResource(TypedDict, total=False):
    """`Resource`, as Pydantic's partial mode can read it."""

    title: str
    url: str
    kind: Kind


class PartialLesson(TypedDict, total=False):
    """`Lesson`, the same way."""

    title: str
    duration_minutes: int
    summary: str
    tags: list[str]
    optional: bool
    weight: float | None
    resources: list[PartialResource]


class PartialPlan(TypedDict, total=False):
    """`Plan`, the same way."""

    topic: str
    level: Level
    objectives: list[str]
    lessons: list[PartialLesson]
    total_minutes: int


class PartialArticle(TypedDict, total=False):
    """`Article`, the same way."""

    title: str
    body: str


class PartialNumbers(TypedDict, total=False):
    """`Numbers`, the same way."""

    numbers: list[int]


@dataclass(frozen=True)
class Shape:
    """A kind of document.

    Attributes:
        name: what it is called in the tables.
        model: its Pydantic model.
        partial_type: a TypedDict without required keys: Pydantic's own partial mode refuses
            nearly every prefix of a model that has required fields.
        words: the keys of enum values.
        text: the JSON text, of about so many characters.
    """

    name: str
    model: type[BaseModel]
    partial_type: Any
    words: frozenset[str]
    text: Callable[[int], str]


_ENGLISH = ["define", "the", "schema", "first", "then", "route", "the", "final", "call", "away"]
_CHINESE = "结构化输出让前端按字段渐进渲染而不是解析自由文本并且在消费入口重新检查每一个字段"


def _plan(size: int) -> str:
    """A plan; a third of its lessons is in Chinese, a quarter has escapes."""
    rng = random.Random(size)  # noqa: S311 - made-up documents are no secret
    plan: dict[str, Any] = {
        "topic": "学习结构化输出 with LangGraph",
        "level": "intermediate",
        "objectives": ["识别结构化响应", "Validate before rendering", "Stream partial values"],
        "lessons": [],
        "total_minutes": 0,
    }
    length = len(_json(plan))
    while length < size:
        lesson = _lesson(rng, len(plan["lessons"]))
        plan["lessons"].append(lesson)
        length += len(_json(lesson)) + 2
    plan["total_minutes"] = sum(lesson["duration_minutes"] for lesson in plan["lessons"])
    return _json(plan)


def _lesson(rng: random.Random, number: int) -> dict[str, Any]:
    def words(count: int) -> str:
        if number % 3 == 0:
            return "".join(rng.choices(_CHINESE, k=count * 3))
        return " ".join(rng.choices(_ENGLISH, k=count))

    return {
        "title": words(4),
        "duration_minutes": rng.randint(5, 120),
        "summary": words(rng.randint(12, 30)) + ('\n"quoted"\t\\ end' if number % 4 == 1 else ""),
        "tags": [words(1) for _ in range(rng.randint(0, 4))],
        "optional": rng.random() < 0.3,  # noqa: PLR2004 - a share
        "weight": rng.choice([None, 0.5, 1.25, 0.03, 12.0]),
        "resources": [
            {
                "title": words(3),
                "url": f"https://example.com/{number}/{rng.randint(1, 10**6)}",
                "kind": rng.choice(["article", "video", "exercise"]),
            }
            for _ in range(rng.randint(0, 2))
        ],
    }


def _article(size: int) -> str:
    sentence = 'lorem ipsum dolor sit amet 结构化 \n"q" '
    return _json({"title": "t", "body": (sentence * (size // len(sentence) + 1))[:size]})


def _numbers(size: int) -> str:
    return _json({"numbers": list(range(10**5, 10**5 + size // 8))})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


SHAPES = {
    "plan": Shape("plan", Plan, PartialPlan, frozenset({"level", "kind"}), _plan),
    "string": Shape("string", Article, PartialArticle, frozenset(), _article),
    "list": Shape("list", Numbers, PartialNumbers, frozenset(), _numbers),
}


def pieces_of(text: str, size: int) -> list[str]:
    """The text in fragments of `size` characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]

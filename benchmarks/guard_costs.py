"""What the guards cost: a plan, a long string, a schema, and text without end."""

from __future__ import annotations

import json
from collections.abc import Iterable

from benchmarks.measure import repeated
from rendercall import RenderTool
from rendercall.contract.args import read_args
from rendercall.contract.bounds import Bounds
from rendercall.contract.content_guard import guard_content
from rendercall.contract.schema_check import SchemaCheck
from rendercall.contract.schema_guard import schema_issues
from rendercall.contract.schema_limits import GUEST
from schemas.learning_plan import LearningPlan

__all__ = ["GROWING", "costs", "growth", "throughput"]

_PLAN = {
    "topic": "Joins in SQL",
    "level": "beginner",
    "objectives": ["Tell inner from outer joins", "Read a query plan"],
    "lessons": [
        {"title": f"Lesson {number}: joins", "duration_minutes": 30} for number in range(6)
    ],
    "total_minutes": 180,
}
_BLOCK = "An outer join keeps rows without a match; see <https://example.org> 左外连接。\n"

GROWING = {
    "open tags": "<a ",
    "handlers": "<a onaaaa ",
    "brackets": "![[",
    "links": "](//?",
    "quotes": "' or '",
    "digits": "1",
    "spaces": " ",
    "dots": "../",
    "verbs": "ignore all the ",
    "questions": "tell your ",
    "letters": "javascript ",
    "tokens": "<|a",
    "users": "http://a:b",
    "tags": "\U000e0041",
    "selectors": "\ufe0f",
    "joiners": "a\u200d",
    "marks": "\u200e",
    "isolates": "\u2066",
    "two scripts": "a\u0430",
    "ligatures": "\ufdfa",
    "escapes": "\x1b[",
}
"""What a text is made of that should cost more than its length."""


def costs() -> dict[str, float]:
    """Seconds of CPU time by what is done."""
    schema = LearningPlan.model_json_schema()
    model = RenderTool(LearningPlan)
    raw = RenderTool.from_json_schema("show_plan", "A plan.", schema)
    plan = json.dumps(_PLAN)
    long = json.dumps({**_PLAN, "topic": (_BLOCK * 2_000)[:100_000]}, ensure_ascii=False)
    worst = json.dumps({**_PLAN, "topic": '\ud83d\ude80\u00e9"\\' * 16_000})
    check = SchemaCheck(schema).check
    runs = {
        "guard 1: the plan's schema": lambda: schema_issues(schema, GUEST),
        "guard 2: a plan": lambda: check(read_args(plan, Bounds())),
        "guard 2: a string of 100 KB": lambda: check(read_args(long, Bounds())),
        "guard 2: 100 KB of escapes": lambda: check(read_args(worst, Bounds())),
        "guards 2 and 3: a plan, Pydantic": lambda: model.validate(plan),
        "guards 2 and 3: a plan, JSON Schema": lambda: raw.validate(plan),
        "guards 2 and 3: a string of 100 KB": lambda: raw.validate(long),
        "guards 2 and 3: 100 KB of escapes": lambda: raw.validate(worst),
    }
    return {name: repeated(run) for name, run in runs.items()}


def throughput(texts: Iterable[str]) -> float:
    """Megabytes of UTF-8 a second that the text guard reads, as one answer."""
    answer = list(texts)
    size = sum(len(text.encode()) for text in answer) / 1e6
    return size / repeated(lambda: guard_content(answer))


def growth(block: str, size: int = 20_000) -> float:
    """How much more eight times the text costs a character: 1 is linear.

    Args:
        block: what the text is made of.
        size: characters of the shorter text.
    """
    short, long = ((block * times)[: size * factor] for times, factor in _times(block, size))
    return repeated(lambda: guard_content([long])) / repeated(lambda: guard_content([short])) / 8


def _times(block: str, size: int) -> list[tuple[int, int]]:
    return [(factor * size // len(block) + 1, factor) for factor in (1, 8)]

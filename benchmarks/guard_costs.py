"""What the guards cost: a plan, a long string, a schema, and text without end."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from statistics import median

from benchmarks.measure import cpu, repeated
from rendercall import RenderTool
from rendercall.contract.args import read_args
from rendercall.contract.bounds import Bounds
from rendercall.contract.content_guard import guard_content
from rendercall.contract.schema_check import SchemaCheck
from rendercall.contract.schema_guard import schema_issues
from rendercall.contract.schema_limits import GUEST
from schemas.learning_plan import LearningPlan

__all__ = ["GROWING", "MANY", "costs", "each", "growth", "mixed", "throughput"]

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


MANY = {
    "tags, and a handler far away": [*["<a "] * 4_000, "<a onclick="],
    "images, and an end far away": [*["!["] * 4_000, "](//"],
    "tags": ["<b>"] * 4_000,
    "nothing": [""] * 4_000,
}
"""Texts of one answer in which what begins in one could end in another."""

_WORDS = (
    *GROWING.values(),
    *("previous ", "union ", "select ", "group by ", "having ", "what is ", "drop ", "1", "on"),
    *("'", '"', "`", "$(", "${", ";", "=", "(", "+", "/*", "*/", "--", "@", "data:", "\n"),
)
"""What the rules look for: a mixture of it is what RE2 has most to remember of."""


def throughput(texts: Iterable[str]) -> float:
    """Megabytes of UTF-8 a second that the text guard reads, as one answer."""
    answer = list(texts)
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in answer) / 1e6
    return size / repeated(lambda: guard_content(answer))


def growth(block: str, size: int = 20_000) -> float:
    """How much more eight times the text costs a character: 1 is linear.

    Args:
        block: what the text is made of.
        size: characters of the shorter text.
    """
    short, long = (whole(block, size * factor) for factor in (1, 8))
    return repeated(lambda: guard_content([long])) / repeated(lambda: guard_content([short])) / 8


def each(texts: list[str]) -> float:
    """Seconds that one of many texts costs."""
    return repeated(lambda: guard_content(texts)) / len(texts)


def mixed(size: int = 20_000, rounds: int = 7) -> tuple[float, float]:
    """Megabytes a second of mixtures of `_WORDS`, and the growth; no mixture is read twice.

    Args:
        size: words of the shorter text; the other has eight times as many.
        rounds: how many of each.
    """
    rng = random.Random(0)  # noqa: S311 - a mixture is no secret
    seconds: list[float] = []
    for words in (size, 8 * size):
        texts = ["".join(rng.choices(_WORDS, k=words)) for _ in range(rounds)]
        seconds.append(median(_seconds_a_byte(text) for text in texts))
    return 1e-6 / seconds[1], seconds[1] / seconds[0]


def _seconds_a_byte(text: str) -> float:
    return cpu(lambda: guard_content([text])) / len(text.encode())


def whole(block: str, size: int) -> str:
    """A text of one block, again and again."""
    return (block * (size // len(block) + 1))[:size]

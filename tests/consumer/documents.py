"""Documents and the ways they arrive, for the tests of the streaming reader."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pydantic_core
from hypothesis import strategies as st

from rendercall.contract.bounds import Bounds

ROOMY = Bounds(max_bytes=10**9, max_string=10**9, max_items=10**9, max_nodes=10**9, max_number=4000)
"""Bounds that no document of these tests meets."""

SIZES = (1, 2, 3, 5, 10**9)
"""Characters a fragment."""

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=15,
)
objects = st.dictionaries(texts, values, max_size=5)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """JSON text of an object, escaped or not, compact or indented, with breaks left raw."""
    text = json.dumps(
        draw(objects), ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1]))
    )
    if draw(st.booleans()):
        text = re.sub(r"(?<!\\)((?:\\\\)*)\\n", "\\1\n", text)
    return draw(st.sampled_from(["", " ", "\n\t"])) + text + draw(st.sampled_from(["", "\r\n "]))


def fragments(text: str, size: int) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


@st.composite
def cut_anyhow(draw: st.DrawFn) -> list[str]:
    """A document in fragments of any lengths."""
    text = draw(documents())
    pieces, at = [], 0
    while at < len(text):
        size = draw(st.sampled_from([1, 1, 2, 3, 4, 7, 20]))
        pieces.append(text[at : at + size])
        at += size
    return pieces


def same(left: Any, right: Any) -> bool:
    """Equal in value and in type, keys in the same order."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def leads_to(early: Any, final: Any) -> bool:
    """Whether a value may have been shown on the way to another.

    Strings, objects and arrays may grow at their end, nothing else may change.
    """
    if isinstance(early, str) and isinstance(final, str):
        return final.startswith(early)
    if isinstance(early, list) and isinstance(final, list):
        pairs = list(zip(early, final, strict=False))
    elif isinstance(early, dict) and isinstance(final, dict):
        if list(final)[: len(early)] != list(early):
            return False
        pairs = [(early[key], final[key]) for key in early]
    else:
        return same(early, final)
    closed = all(same(one, other) for one, other in pairs[:-1])
    return len(early) <= len(final) and closed and all(leads_to(*pair) for pair in pairs[-1:])


_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_ESCAPE_OR_RAW = re.compile(r"\\.|[\n\r\t]", re.DOTALL)


def _escape_raw(string: re.Match[str]) -> str:
    """Escape raw breaks, but not one that an escape has taken."""
    return _ESCAPE_OR_RAW.sub(
        lambda match: match[0] if match[0][0] == "\\" else json.dumps(match[0])[1:-1], string[0]
    )


def oracle(text: str) -> dict[str, Any] | None:
    """What `pydantic_core.from_json` makes of a text, within I-JSON; None where it is none."""
    try:
        text.encode()
        escaped = _STRING.sub(_escape_raw, text)
        value = pydantic_core.from_json(escaped)
        json.loads(
            escaped, object_pairs_hook=_no_twins, parse_float=_finite, parse_constant=_finite
        )
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("duplicate key")
    return dict(pairs)


def _finite(literal: str) -> float:
    if abs(float(literal)) < float("inf"):
        return float(literal)
    raise ValueError("not finite")


_EN = [
    "Define",
    "the",
    "schema",
    "first,",
    "then",
    "route",
    "the",
    "final",
    "render",
    "call",
    "away",
    "from",
    "the",
    "tools",
]
_ZH = "结构化输出让前端按字段渐进渲染而不是解析自由文本并且在消费入口重新检查每一个字段的类型"


def plan_text(size: int, seed: int = 7) -> str:
    """A learning plan of about `size` characters: nested, one third Chinese, some escapes."""
    rng = random.Random(seed)  # noqa: S311 - test data
    lessons: list[dict[str, Any]] = []
    length = 200
    while length < size:
        lesson = _lesson(rng, len(lessons))
        lessons.append(lesson)
        length += len(json.dumps(lesson, ensure_ascii=False)) + 2
    plan = {
        "topic": "学习结构化输出 with LangGraph",
        "level": "intermediate",
        "objectives": ["识别结构化响应", "Validate before rendering"],
        "lessons": lessons,
        "total_minutes": sum(lesson["duration_minutes"] for lesson in lessons),
    }
    return json.dumps(plan, ensure_ascii=False)


def _lesson(rng: random.Random, number: int) -> dict[str, Any]:
    def words(count: int) -> str:
        if number % 3 == 0:
            return "".join(rng.choice(_ZH) for _ in range(count * 3))
        return " ".join(rng.choice(_EN) for _ in range(count))

    return {
        "title": words(4),
        "duration_minutes": rng.randint(5, 120),
        "summary": words(rng.randint(12, 30)) + '\n"quoted"\t\\ end' * (number % 4 == 1),
        "tags": [words(1) for _ in range(rng.randint(0, 4))],
        "optional": rng.random() < 0.3,
        "weight": rng.choice([None, 0.5, 1.25, 3e-2, 12.0]),
        "resources": [
            {"title": words(3), "url": "https://example.com/1", "kind": "video"}
            for _ in range(rng.randint(0, 2))
        ],
    }


def prefixes(pieces: list[str]) -> Iterator[str]:
    text = ""
    for piece in pieces:
        text += piece
        yield text

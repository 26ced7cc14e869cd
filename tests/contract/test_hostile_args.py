"""Args that mean harm, by the thousand: each gets a verdict, and the process lives on."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rendercall import RenderTool
from rendercall.contract import Bounds, Verdict, read_args
from schemas.learning_plan import LearningPlan
from tests.consumer.mutations import mutate

ANYTHING = {
    "type": "object",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "pattern": r"^(\p{L}+ ?)*$", "maxLength": 50},
                "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}, "uniqueItems": True},
                "when": {"type": "string", "format": "date-time"},
                "page": {"type": "string", "format": "uri"},
                "mail": {"type": "string", "format": "idn-email"},
                "many": {"type": "number", "multipleOf": 0.1, "minimum": -1e300},
                "kind": {"enum": ["leaf", 1, None, 1.5, {"a": 1}]},
            },
            "propertyNames": {"maxLength": 20},
            "unevaluatedProperties": {"type": ["string", "null", "integer"]},
        }
    },
    "$ref": "#/$defs/node",
}
TOOLS: tuple[RenderTool[Any], ...] = (
    RenderTool(LearningPlan),
    RenderTool.from_json_schema("tree", "A tree.", ANYTHING),
    RenderTool.from_json_schema("plan", "A plan.", LearningPlan.model_json_schema(), envelope=True),
    RenderTool.from_json_schema("mended", "A tree.", ANYTHING, mend="lossless"),
)
SECRET = "sk-secret-"
DOCUMENTS: tuple[Any, ...] = (
    {
        "topic": "Tea " + SECRET,
        "level": "beginner",
        "objectives": ["x"],
        "lessons": [{"title": "Steep", "duration_minutes": 20}],
        "total_minutes": 20,
    },
    {
        "name": "ab c",
        "kids": [{"name": "x", "many": 0.3, "kids": []}, {"kind": {"a": 1}, "extra": SECRET}],
        "when": "2026-11-30T12:00:00Z",
        "page": "https://example.org/?q=1",
        "mail": "用户@example.org",
        "many": 1e22,
    },
    {"data": {"topic": SECRET}, "summary": "Tea."},
)
PIECES = (
    *'{}[],:"\\/tfn-+.eE0 19\n\r\t\x00\x1b\u2028',
    *("\ud800", "\udc00", "\ud83d\ude80", "\ufeff", "\U000e0041", "\u202e", "é", "中"),
    *("null", "true", "NaN", "Infinity", "-Infinity", "1e999", "-0", "1E400", "0x1", "01", "1."),
    *('"a":', '{"a":', "[[[[", "]]]]", '"\\ud83d"', '"\\u0000"', "\\u", "//", "/**/", "'", "```"),
    *("9" * 30, "9" * 400, "1" * 5_000, "[" * 500, '{"kids":[' * 30, "]}" * 30, '"' + "a" * 300 + '"'),
    *('"name":"x","name":"y"', '"__proto__":{}', '"$ref":"#"', '"kids":[{}]', '"when":"2026-13-99"'),
)  # fmt: skip


def hostile(rng: random.Random) -> str:
    """A valid document, damaged in its values, its text or its bytes; or pieces alone."""
    document = rng.choice(DOCUMENTS)
    way = rng.random()
    if way < 0.25:
        return "".join(rng.choices(PIECES, k=rng.randint(0, 12)))
    if way < 0.6:
        document = mutate(document, rng)
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
    for _ in range(rng.randint(0, 4)):
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.choice((0, 0, 1, 3, 20)))
        text = text[:start] + rng.choice(PIECES) + text[end:]
    return text if rng.random() < 0.9 else text[: rng.randint(0, len(text))]


def check(count: int, seed: int) -> Counter[str]:
    """Validate hostile texts with every tool; count the states."""
    rng = random.Random(seed)  # noqa: S311 - damage is no secret
    states: Counter[str] = Counter()
    for number in range(count):
        text = hostile(rng)
        verdict = TOOLS[number % len(TOOLS)].validate(text)
        assert isinstance(verdict, Verdict), text
        assert (verdict.state == "complete") == (not verdict.issues), text
        assert all(SECRET not in issue.message for issue in verdict.issues), text
        states[verdict.state] += 1
    return states


def test_hostile_args_get_a_verdict() -> None:
    """Never an exception, never a value beside an error, never a value in a message."""
    states = check(3_000, 0)
    assert set(states) == {"complete", "incomplete", "invalid"}


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_a_million_hostile_args_get_a_verdict() -> None:
    """The same a million times."""
    states = check(1_000_000, 1)
    assert sum(states.values()) == 1_000_000


SUITE = os.environ.get("RENDERCALL_JSONTESTSUITE", "")


@pytest.mark.skipif(not SUITE, reason="RENDERCALL_JSONTESTSUITE names no folder")
def test_the_json_test_suite() -> None:
    """No invalid file is accepted, no valid one refused, but for two rules of the bounds.

    A raw line break or tab in a string is escaped and taken; a key that comes twice is refused
    (I-JSON). Each file stands as a member too, since args are an object.
    """
    accepted, refused = set[str](), set[str]()
    files = sorted(Path(SUITE).rglob("*.json"))
    for file in files:
        try:
            text = file.read_bytes().decode()
        except UnicodeDecodeError:
            continue  # no text at all
        states = {read_args(whole, Bounds()).state for whole in (text, f'{{"a":{text}}}')}
        if file.name.startswith("n_") and "complete" in states:
            accepted.add(file.name)
        if file.name.startswith("y_") and "complete" not in states:
            refused.add(file.name)
    assert len(files) > 300
    assert accepted == {"n_string_unescaped_newline.json", "n_string_unescaped_tab.json"}
    assert refused == {
        "y_object_duplicated_key.json",
        "y_object_duplicated_key_and_value.json",
    }

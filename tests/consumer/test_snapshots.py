from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall.consumer.snapshots import open_text
from schemas.learning_plan import LearningPlan

SCHEMA = LearningPlan.model_json_schema()

SNAPSHOTS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "{"),
    "text grows": ({"topic": "SQ"}, '{"topic": "SQ'),
    "half a number": ({"topic": "SQL", "total_minutes": 3}, '{"topic": "SQL", "total_minutes": '),
    "a number before another field": ({"total_minutes": 3, "topic": ""}, '{"total_minutes": 3, "topic": "'),
    "half an enum": ({"level": "inter"}, '{"level": "inter'),
    "an enum that means one thing": ({"level": "intermediate"}, '{"level": "intermediate"'),
    "inside a list": ({"objectives": ["a", "b"]}, '{"objectives": ["a", "b'),
    "an empty list": ({"objectives": []}, '{"objectives": ['),
    "inside an object of a list": (
        {"lessons": [{"title": "a", "duration_minutes": 3}]},
        '{"lessons": [{"title": "a", "duration_minutes": ',
    ),
    "no schema for it": ({"other": {"x": "y"}}, '{"other": {"x": "y'),
}  # fmt: skip


@pytest.mark.parametrize(("args", "text"), SNAPSHOTS.values(), ids=SNAPSHOTS)
def test_the_last_leaf_of_a_snapshot_is_open(args: dict[str, Any], text: str) -> None:
    """What a lenient parser closed is opened again: only what is certain is taken as whole."""
    assert open_text(args, SCHEMA) == text


values = st.recursive(
    st.integers() | st.text() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(st.dictionaries(st.text(), values, max_size=4))
def test_an_open_text_is_a_prefix_of_the_whole(args: dict[str, Any]) -> None:
    """So it can be fed on: nothing in it is taken back."""
    assert json.dumps(args, ensure_ascii=False).startswith(open_text(args, {}))

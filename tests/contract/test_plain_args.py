from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall.contract import Bounds, read_args
from rendercall.contract.plain_args import read_plain

BOUNDS = Bounds()
SMALL = Bounds(max_depth=3, max_string=9, max_items=4, max_nodes=12, max_number=20)
PADDING = " " * 20_000  # blanks change nothing, and leave no text to the quick reading

TOKENS = [
    *("{", "}", "[", "]", ",", ":", '"', '"a"', '"a":', '{"a":1}', "true", "null", "NaN", "x"),
    *("\\u00e9", "\\ud83d", "é", "1", "-", ".", "e", "1e999", "9007199254740993", " ", "\n"),
]
tokens = st.lists(st.sampled_from(TOKENS), max_size=12).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=15,
)
objects = st.dictionaries(st.text(max_size=3), values, max_size=4)


@given(
    tokens | objects.map(json.dumps) | objects.map(lambda one: json.dumps(one, ensure_ascii=False)),
    st.sampled_from([BOUNDS, SMALL]),
)
def test_the_quick_reading_says_what_the_close_look_says(text: str, bounds: Bounds) -> None:
    """Or it says nothing: no bound is missed, no number changed, no notice lost."""
    quick, close = read_plain(text, bounds), read_args(text + PADDING, bounds)
    if quick is not None:
        assert (close.state, close.issues, close.notices) == ("complete", (), ())
        assert json.dumps(quick) == json.dumps(close.value)


CLOSE: dict[str, str] = {
    "a key twice": '{"a":1,"a":2}',
    "an escape": '{"a":"\\u00e9"}',
    "16 digits": '{"a":9007199254740993}',
    "infinite": '{"a":1e999}',
    "not a number": '{"a":NaN}',
    "an array": "[1]",
    "cut": '{"a":1',
    "deep": '{"a":' * 65 + "1" + "}" * 65,
    "long": json.dumps({"a": ["x" * 6000, "y" * 6000]}),
}


@pytest.mark.parametrize("text", CLOSE.values(), ids=CLOSE)
def test_what_may_break_a_bound_gets_the_close_look(text: str) -> None:
    """The quick reading decides nothing but the plain case."""
    assert read_plain(text, BOUNDS) is None


@pytest.mark.parametrize("value", [{}, {"a": [1, 2.5, True, None, "é", {"b": {}}]}])
def test_usual_args_are_plain(value: dict[str, Any]) -> None:
    """They are read once, by the parser."""
    assert read_plain(json.dumps(value, ensure_ascii=False), BOUNDS) == value

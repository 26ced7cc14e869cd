from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall.consumer.kept import kept_of
from rendercall.contract import Bounds

PLAN = {"topic": "x", "lessons": [{"title": "a", "minutes": 1}, {"title": "b", "minutes": 23}]}
TEXT = json.dumps(PLAN)

CUTS: dict[str, tuple[str, dict[str, Any]]] = {
    "nothing": ("", {}),
    "no object": ("[1", {}),
    "in a string": ('{"topic": "SQL win', {}),
    "after a string": ('{"topic": "SQL"', {"topic": "SQL"}),
    "in a number": ('{"a": 1, "b": 2', {"a": 1}),
    "in a word": ('{"a": 1, "b": tru', {"a": 1}),
    "in a key": ('{"a": 1, "b', {"a": 1}),
    "an item without a closed part": ('{"a": [{"b": 1}, {"c": "x', {"a": [{"b": 1}]}),
    "an item with one": ('{"a": [{"b": 1}, {"c": 2, "d', {"a": [{"b": 1}, {"c": 2}]}),
    "nothing in a list in a list": ('{"z": 0, "a": [[[', {"z": 0}),
    "a closed empty list": ('{"a": [], "b": [', {"a": []}),
    "after a fault": ('{"a": 1, "b": nope', {"a": 1}),
}


@pytest.mark.parametrize(("text", "kept"), CUTS.values(), ids=CUTS)
def test_what_had_closed_is_kept(text: str, kept: dict[str, Any]) -> None:
    """And nothing else: a half number is no number."""
    assert kept_of(text, Bounds()) == kept


def within(part: Any, whole: Any) -> bool:
    """Whether a part is a beginning of the whole."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            k in whole and within(v, whole[k]) for k, v in part.items()
        )
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) <= len(whole) and all(map(within, part, whole))
    return bool(part == whole)


@given(st.integers(0, len(TEXT)))
def test_it_is_always_a_beginning_of_the_whole(length: int) -> None:
    """Wherever the text breaks off."""
    assert within(kept_of(TEXT[:length], Bounds()), PLAN)
    assert kept_of(TEXT, Bounds()) == PLAN

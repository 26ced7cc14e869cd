from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.parts.next_step import MAX_PAGES, Step, next_step
from rendercall.results import Covered, Truncated
from tests.graphs.situations import SITUATIONS, Situation


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one.name)
def test_the_rules_are_always_right(situation: Situation) -> None:
    """In every situation the rules take the step that the table names."""
    assert next_step(situation.outcome, situation.calls_left) == situation.step


def test_the_table_is_wide_enough() -> None:
    """At least 20 situations, every outcome and every step, each situation once."""
    assert len({one.name for one in SITUATIONS}) == len(SITUATIONS) >= 20
    assert {one.outcome.name for one in SITUATIONS} == {"ok", "empty", "truncated", "failed"}
    assert {one.step for one in SITUATIONS} == set(get_args(Step))


@given(total=st.integers(1, 10**9), size=st.integers(1, 100), calls=st.integers(0, 30))
def test_paging_on_ends(total: int, size: int, calls: int) -> None:
    """Whoever pages on as advised has all, or is told to do something else, soon."""
    last, steps = min(size, total), 0
    while last < total:
        part = Truncated({"cursor": "c"}, Covered(max(last - size + 1, 1), last), total)
        if next_step(part, calls) != "page_on":
            break
        last, calls, steps = min(last + size, total), calls - 1, steps + 1
    assert steps <= MAX_PAGES
    assert last == total or steps == 0  # it is never begun where it cannot be finished

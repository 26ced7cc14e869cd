from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from rendercall.langgraph.request_ids import RequestIds


@given(st.lists(st.sampled_from(["c1", "call_2", "a b", "x" * 41, "", "ünï"]), max_size=12))
def test_ids_are_legal_and_unique_and_the_same_each_time(ids: list[str]) -> None:
    """For Anthropic, OpenAI and Gemini; and once they are, they stay as they are."""
    given_ids, again = RequestIds(), RequestIds()
    taken = [given_ids.take(one) for one in ids]
    assert len(set(taken)) == len(taken)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", one) for one in taken)
    assert [again.take(one) for one in ids] == taken
    assert [RequestIds().take(one) for one in taken] == taken


def test_a_legal_id_is_left_alone() -> None:
    """So that a provider's cache of the request's beginning still holds."""
    assert RequestIds().take("call_1") == "call_1"

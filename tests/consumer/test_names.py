from __future__ import annotations

import pytest

from rendercall.consumer.names import known_name

KNOWN = {"search_docs", "render_learning_plan"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("search_docs", "search_docs"),
        ("functions.search_docs", "search_docs"),
        ("default_api.search_docs", "search_docs"),
        ("render_learning_plan<|channel|>commentary", "render_learning_plan"),
        ("to=functions.search_docs<|constrain|>json", "search_docs"),
        (" search_docs ", "search_docs"),
        ("search", None),
        ("render_plan", None),
        ("search_docs_2", None),
        ("", None),
    ],
)
def test_wrappers_come_off_and_nothing_else_is_guessed(name: str, expected: str | None) -> None:
    """A near miss stays unknown: the model is told the names instead."""
    assert known_name(name, KNOWN) == expected

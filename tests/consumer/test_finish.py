from __future__ import annotations

import pytest

from rendercall.consumer.finish import classify, undouble


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("length", "length"), ("max_tokens", "length"), ("MAX_TOKENS", "length"),
        ("model_length", "length"), ("max_output_tokens", "length"), ("content_filter", "filter"),
        ("SAFETY", "filter"), ("refusal", "refusal"), ("MALFORMED_FUNCTION_CALL", "malformed"),
        ("stop", "normal"), ("tool_calls", "normal"), ("end_turn", "normal"), (None, "normal"),
        ("something new", "normal"),
    ],
)  # fmt: skip
def test_every_providers_word_has_a_class(reason: str | None, expected: str) -> None:
    """In any case of letters; unknown words are normal."""
    assert classify(reason) == expected


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("tool_callstool_calls", "tool_calls"), ("stopstopstop", "stop"), ("stop", "stop"),
        ("", None), (None, None), ("STOP", "STOP"),
    ],
)  # fmt: skip
def test_doubled_words_are_undone(reason: str | None, expected: str | None) -> None:
    """Merged metadata adds texts; the word itself is what counts."""
    assert undouble(reason) == expected

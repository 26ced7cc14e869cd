from __future__ import annotations

import pytest

from rendercall.consumer.finish import classify, graver, undouble


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("length", "length"), ("max_tokens", "length"), ("MAX_TOKENS", "length"),
        ("model_length", "length"), ("max_output_tokens", "length"), ("content_filter", "filter"),
        ("SAFETY", "filter"), ("refusal", "refusal"), ("MALFORMED_FUNCTION_CALL", "malformed"),
        ("stop", "normal"), ("tool_calls", "normal"), ("end_turn", "normal"), (None, "normal"),
        ("something new", "normal"), (" Max_Tokens", "length"), ("ERROR_TOXIC", "filter"),
        ("malformed_tool_use", "malformed"), ("malformed_model_output", "malformed"),
        ("error", "broken"), ("insufficient_system_resource", "broken"),
        ("content_filterstop", "filter"), ("tool_callslength", "length"),
        ("lengthy", "normal"), ("stoptool_calls", "normal"),
    ],
)  # fmt: skip
def test_every_providers_word_has_a_class(reason: str | None, expected: str) -> None:
    """In any case of letters, and put together by merged metadata; unknown words are normal."""
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


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, "stop", "stop"), ("stop", None, "stop"), ("stop", "tool_calls", "tool_calls"),
        ("content_filter", "stop", "content_filter"), ("length", "tool_calls", "length"),
        ("stop", "length", "length"), ("length", "content_filter", "content_filter"),
        (None, None, None),
    ],
)  # fmt: skip
def test_an_ordinary_end_does_not_hide_another(
    before: str | None, after: str | None, expected: str | None
) -> None:
    """A gateway's own `stop` comes after what the provider said."""
    assert graver(before, after) == expected

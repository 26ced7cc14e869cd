from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from rendercall.contract.content_guard import guard_content
from rendercall.sinks import model_context
from tests.corpus import attacks, lessons, payloads

FORM = re.compile(
    r'<data-([0-9a-f]{16}) label="([^"\n]*)">\n(.*)\n</data-\1>\n[^\n]*data-\1[^\n]*', re.DOTALL
)


def test_every_payload_stays_between_its_marks() -> None:
    """It holds neither mark, no control token of a model, and nothing that hides."""
    for text in payloads():
        parts = FORM.fullmatch(model_context(text, "lesson"))
        assert parts, ascii(text)
        assert parts[1] not in parts[3]
        found = {one.kind for one in guard_content(parts[3])}
        assert found.isdisjoint({"chat_template", "bidi", "control"}), ascii(text)


def test_the_guard_sees() -> None:
    """Raw, the payloads are control tokens."""
    assert all(
        "chat_template" in {one.kind for one in guard_content(text)}
        for text in attacks("control_tokens")
    )


@given(st.text(st.characters(exclude_categories=())), st.text())
def test_any_text_and_label(text: str, label: str) -> None:
    """Whatever they are, the form holds; the same text gives the same marks."""
    shown = model_context(text, label)
    assert FORM.fullmatch(shown)
    assert model_context(text, label) == shown


def test_a_text_cannot_close_its_own_marks() -> None:
    """What was seen once is no use the next time."""
    first = model_context("x")
    again = model_context(first)
    boundary = FORM.fullmatch(again)
    assert boundary
    assert boundary[1] not in first
    assert "</data-" not in boundary[3]


def test_lessons_are_read_as_they_are() -> None:
    """Text without tokens is not touched."""
    for text in lessons():
        if "chat_template" not in {one.kind for one in guard_content(text)}:
            assert text in model_context(text) or "<" in text or ":" in text

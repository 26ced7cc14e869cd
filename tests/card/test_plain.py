from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall.card.plain import clean

HOSTILE = [
    ("\x1b[31mred\x1b[0m", "red"),
    ("\x1b[2J\x1b[Hgone", "gone"),
    ("\x9b31mred", "red"),
    ("\x1b]0;title\x07text", "text"),
    ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
    ("half \x1b[3", "half "),
    ("a\rb\nc\td", "a b c d"),
    ("bell\x07 back\x08", "bell back"),
    ("\u202eright\u2066", "right"),
    ("\ud800", "\ufffd"),
    ("[bold]not markup[/]", "[bold]not markup[/]"),
    ("中文 é 👩‍🚀", "中文 é 👩‍🚀"),
]


@pytest.mark.parametrize(("text", "shown"), HOSTILE, ids=[repr(text)[:12] for text, _ in HOSTILE])
def test_hostile_text(text: str, shown: str) -> None:
    """What could steer a terminal goes; text that only looks dangerous, and all scripts, stay."""
    assert clean(text) == shown


@given(st.text(st.characters(max_codepoint=0x2100), max_size=20))
def test_clean_leaves_no_controls(text: str) -> None:
    """No control character survives, and cleaning twice changes nothing."""
    cleaned = clean(text)
    assert cleaned.isprintable() or not any(
        ord(one) < 32 or 127 <= ord(one) < 160 for one in cleaned
    )
    assert clean(cleaned) == cleaned

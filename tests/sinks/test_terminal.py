from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall.contract.content_guard import guard_content
from rendercall.sinks import terminal_text
from tests.corpus import attacks, lessons, payloads

pyte = pytest.importorskip("pyte")

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
    ("pass\u200bword\u2060", "password"),
    ("tag\U000e0041s", "tags"),
    ("[bold]not markup[/]", "[bold]not markup[/]"),
    ("中文 é 👩‍🚀", "中文 é 👩‍🚀"),
    ("\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"),
    ("می‌خواهم", "می‌خواهم"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), HOSTILE, ids=[ascii(text)[:12] for text, _ in HOSTILE])
def test_hostile_text(text: str, shown: str) -> None:
    """What could steer a terminal goes; text that only looks dangerous, and all scripts, stay."""
    assert terminal_text(text) == shown


def test_lines_may_stay() -> None:
    """Every kind of line break is one, tabs are tabs."""
    assert terminal_text("a\r\nb\rc\u2028d\te\x1b[1A", lines=True) == "a\nb\nc\nd\te"


@given(st.text(st.characters(exclude_categories=()), max_size=20), st.booleans())
def test_nothing_is_left_to_take_out(text: str, lines: bool) -> None:
    """No control character survives, nothing is found that hides, and twice changes nothing."""
    shown = terminal_text(text, lines=lines)
    kept = {"\n", "\t"} if lines else set[str]()
    assert not any(unicodedata.category(one) in {"Cc", "Cs"} for one in set(shown) - kept)
    hidden = {"mixed_script", "private_use", "variation_odd"}
    found = {one.rule for one in guard_content(shown) if one.kind in {"unicode", "bidi", "control"}}
    assert found <= hidden
    assert terminal_text(shown, lines=lines) == shown


def effects(text: str) -> list[str]:
    """What a terminal does with a text besides writing it, as an emulator sees it."""
    screen = pyte.Screen(80, 5_000)
    stream = pyte.Stream(screen)
    replies: list[str] = []
    screen.write_process_input = replies.append
    bells: list[None] = []
    screen.bell = lambda *_: bells.append(None)
    stream.feed("BEFORE")
    before: dict[str, Any] = state(screen)
    at = (screen.cursor.y, screen.cursor.x)
    stream.feed(text)
    found = [name for name, value in state(screen).items() if value != before[name]]
    if "".join(screen.buffer[0][column].data for column in range(6)) != "BEFORE":
        found.append("overwritten")
    if (screen.cursor.y, screen.cursor.x) < at:
        found.append("moved back")
    return found + ["reply"] * bool(replies) + ["bell"] * bool(bells)


def state(screen: Any) -> dict[str, Any]:
    cursor = screen.cursor
    return {
        "title": screen.title,
        "icon": screen.icon_name,
        "mode": set(screen.mode),
        "margins": screen.margins,
        "charset": (screen.charset, screen.g0_charset, screen.g1_charset),
        "tabs": set(screen.tabstops),
        "saved": len(screen.savepoints),
        "style": cursor.attrs,
        "hidden": cursor.hidden,
    }


def test_the_emulator_sees() -> None:
    """Raw, the payloads do what they are for."""
    assert sum(bool(effects(text)) for text in attacks("ansi")) >= 3


def test_no_payload_has_an_effect() -> None:
    """Nothing is coloured, moved, erased, renamed, rung or answered."""
    for text in payloads():
        for lines in (False, True):
            shown = terminal_text(text, lines=lines)
            assert effects(shown.replace("\n", "\r\n")) == [], ascii(text)


def test_lessons_stay_as_they_are() -> None:
    """Nothing that people write is taken out, in any of some fifty languages."""
    changed = [text for text in lessons() if terminal_text(text, lines=True) != text]
    assert changed == []

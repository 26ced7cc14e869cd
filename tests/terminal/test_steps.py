from __future__ import annotations

import io
from typing import Any, get_args

import pytest
from rich.console import Console

from rendercall.card.steps import Step, Steps
from rendercall.card.words import StepStatus, told_earlier, told_step
from rendercall.terminal import draw_steps

SHOWN = Steps(
    (
        Step("a", "success", "Search the logs", "1\u201320 of 503", 0.012),
        Step("b", "error", "Read a log", "Not found", 71.25),
        Step("c", "running", "搜索日志"),
    )
)


def text_of(steps: Steps, width: int = 80, language: Any = "en") -> str:
    console = Console(file=io.StringIO(), width=width)
    with console.capture() as captured:
        console.print(draw_steps(steps, language))
    return captured.get()


def test_a_step_is_a_line() -> None:
    """How it is, in a sign and a word, what it is, and how long it took, in columns."""
    assert text_of(SHOWN, 56).splitlines() == [
        "✓ Done     Search the logs · 1\u201320 of 503           12 ms",
        "✗ Failed   Read a log · Not found                 71.2 s",
        "● Running  搜索日志                                     ",
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", get_args(StepStatus))
def test_every_status(status: StepStatus, language: Any) -> None:
    """No status is told by its colour alone."""
    words = told_step(status, language)
    shown = text_of(Steps((Step("a", status, "x"),)), language=language)
    assert shown.startswith(f"{words.sign} {words.what}")


@pytest.mark.parametrize("width", [32, 44, 80, 140])
def test_narrow(width: int) -> None:
    """However narrow the terminal, nothing is cut off; however wide, a line is no wider than a card."""
    lines = text_of(SHOWN, width).splitlines()
    assert max(map(len, lines)) <= min(width, 92)
    shown = "".join("".join(lines).split())
    for word in ("Done", "Failed", "Running", "Searchthelogs", "Notfound", "12ms", "71.2s"):
        assert word in shown or width < 44
    assert "ms" in shown


def test_earlier_steps() -> None:
    """That there were more is told."""
    assert text_of(Steps(SHOWN.steps, 1200)).splitlines()[0].strip() == told_earlier(1200, "en")


def test_hostile_text() -> None:
    """A tool's name may be a model's word: it steers nothing and is no markup."""
    step = Step("a", "error", "\x1b[31mred\x1b[2J", "a\r\nb[bold]\u202ec[/]")
    shown = text_of(Steps((step,)))
    assert "red · a b[bold]c[/]" in shown
    assert "\x1b" not in shown

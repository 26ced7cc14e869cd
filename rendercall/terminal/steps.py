"""The steps of a run drawn for a terminal, a line each."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import RenderableType
from rich.constrain import Constrain
from rich.table import Table as Grid
from rich.text import Text

from rendercall.card.steps import Step, Steps
from rendercall.card.words import Language, StepStatus, duration, told_earlier, told_step
from rendercall.sinks.terminal import terminal_text
from rendercall.terminal.card import MAX_WIDTH

__all__ = ["draw_steps"]

_COLOURS: Mapping[StepStatus, str] = {
    "running": "cyan",
    "waiting": "yellow",
    "success": "green",
    "error": "red",
}


def draw_steps(shown: Steps, language: Language = "en") -> RenderableType:
    """Draw steps: how each is, in words too, what it is, and how long it took.

    Args:
        shown: the steps.
        language: of the words around them.
    """
    grid = Grid.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_column(no_wrap=True, justify="right")
    if shown.earlier:
        grid.add_row(Text(told_earlier(shown.earlier, language), style="dim"))
    for step in shown.steps:
        words = told_step(step.status, language)
        took = "" if step.seconds is None else duration(step.seconds, language)
        sign = Text(f"{words.sign} {words.what}", style=_COLOURS.get(step.status, ""))
        grid.add_row(sign, _what(step), Text(took, style="dim"))
    return Constrain(grid, MAX_WIDTH)


def _what(step: Step) -> Text:
    text = Text(terminal_text(step.title))
    return text.append(f" · {terminal_text(step.detail)}", style="dim") if step.detail else text

"""A card drawn for a terminal, as wide as there is room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from rendercall.card.layout import Bullets, Card, Cell, Column, Fact, Table
from rendercall.card.words import Language, labels, told
from rendercall.contract.status import Status
from rendercall.errors import Issue
from rendercall.sinks.terminal import terminal_text

__all__ = ["MAX_WIDTH", "draw"]

MAX_WIDTH = 92
BAR_WIDTH = 10
MAX_NUMBER = 18
NARROW = 60
MAX_NARROW_WORD = 10

_COLOURS: Mapping[Status, str] = {"ok": "green", "partial": "cyan", "absent": "yellow"}
_OTHER_COLOUR = "red"
_TITLE = "bold cyan"


def draw(
    card: Card | None,
    status: Status,
    language: Language = "en",
    *,
    issues: Sequence[Issue] = (),
) -> RenderableType:
    """Draw a card with its outcome.

    Args:
        card: the value, laid out; None where there is nothing to show but the outcome.
        status: how it stands.
        language: of the words around it.
        issues: what was wrong with the answer.
    """
    words = told(status, language)
    colour = _COLOURS.get(status, _OTHER_COLOUR)
    outcome = Text(f"{words.sign} {words.what}", style=f"bold {colour}")
    found = [Text(f"  • {terminal_text(str(issue))}", style=colour) for issue in issues]
    advice = [Text(f"  → {words.next}")] if words.next else []
    if card is None:
        return Group(outcome, *found, *advice)
    panel = Panel(
        Group(*_body(card, language)),
        box=box.ROUNDED,
        border_style=colour,
        padding=(1, 2),
        subtitle=outcome,
        subtitle_align="left",
        width=MAX_WIDTH,
    )
    return Group(panel, *found, *advice)


def _body(card: Card, language: Language) -> list[RenderableType]:
    parts: list[RenderableType] = [_text(card.heading, dots=24, style="bold")]
    if card.facts:
        parts += [Text(), _facts(card.facts)]
    for section in card.sections:
        parts.append(Text())
        if isinstance(section, Bullets):
            parts += _bullets(section)
        else:
            parts += [_title(section.label), _Rows(section, language)]
    return parts


def _title(label: str, style: str = _TITLE) -> Text:
    return Text(terminal_text(label), style=style)


def _text(cell: Cell, *, dots: int, style: str = "") -> Text:
    if cell.state == "missing":
        return Text("·" * dots, style="dim", no_wrap=True, overflow="crop")
    text = Text(terminal_text(cell.text), style=style, overflow="fold")
    return text.append("▌", style="cyan") if cell.state == "open" else text


def _facts(facts: Sequence[Fact]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for fact in facts:
        grid.add_row(_title(fact.label), _text(fact.cell, dots=8))
    return grid


def _bullets(section: Bullets, *, style: str = _TITLE) -> list[RenderableType]:
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(width=2, justify="right")
    grid.add_column(overflow="fold")
    for item in section.items:
        grid.add_row(Text("•", style="dim"), _text(item, dots=40))
    return [_title(section.label, style), grid]


@dataclass(frozen=True, slots=True)
class _Rows:
    """A table as wide as there is room: the widths come from that, so that nothing jumps.

    A narrow one goes without the shares, which only repeat what the numbers say.
    """

    section: Table
    language: Language

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        has_shares = self.section.has_shares and options.max_width >= NARROW
        grid = Grid(box=None, expand=True, padding=(0, 2, 0, 0), pad_edge=False)
        grid.header_style = "not bold"
        grid.add_column("", width=2, justify="right")
        for column in self.section.columns:
            label = Text(terminal_text(column.label), style="dim")
            if column.kind == "number":
                grid.add_column(label, justify="right", width=_number_width(label, options))
            elif column.kind == "word":
                grid.add_column(label, width=_word_width(column, options), overflow="fold")
            else:
                grid.add_column(label, ratio=1, overflow="fold")
        if has_shares:
            share = Text(labels(self.language).share, style="dim")
            grid.add_column(share, width=BAR_WIDTH + 5, no_wrap=True)
        for index, row in enumerate(self.section.rows):
            cells = [
                _cell(cell, dots=24 if column.kind == "text" else 3)
                for cell, column in zip(row, self.section.columns, strict=True)
            ]
            bar = [_bar(self.section.shares, index)] if has_shares else []
            grid.add_row(Text(f"{index + 1}", style="dim"), *cells, *bar)
        yield grid


def _number_width(label: Text, options: ConsoleOptions) -> int:
    words = [label.plain] if options.max_width >= NARROW else label.plain.split()
    return min(max([5, *map(cell_len, words)]), MAX_NUMBER)


def _word_width(column: Column, options: ConsoleOptions) -> int:
    width = max(column.width, cell_len(terminal_text(column.label)))
    return width if options.max_width >= NARROW else min(width, MAX_NARROW_WORD)


def _cell(cell: Cell, *, dots: int) -> RenderableType:
    """A row's text, and the lists below it."""
    text = _text(cell, dots=dots)
    if not cell.lists:
        return text
    below = [part for section in cell.lists for part in _bullets(section, style="dim")]
    return Group(text, *below)


def _bar(shares: Sequence[float], number: int) -> Text:
    """One row's share of the total; dots until every row is known."""
    if not shares:
        return Text(f" ··· {'·' * BAR_WIDTH}", style="dim")
    eighths = max(1, round(shares[number] * BAR_WIDTH * 8))
    full, rest = divmod(eighths, 8)
    bar = "█" * full + (" ▏▎▍▌▋▊▉"[rest] if rest else "")
    return Text(f"{shares[number]:>4.0%} ", style="dim").append(bar, style="not dim cyan")

"""The card in a terminal: it forms while the value arrives, and stays when it is there.

Needs the extra `cli`. All text of the model is drawn as plain text: never as markup, and
without control characters, so that it can neither colour nor move anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from rendercall.card.layout import Bullets, Card, Cell, Fact, Table, lay_out
from rendercall.card.words import Language, labels, told
from rendercall.consumer.rendered import Status
from rendercall.contract.args import Path
from rendercall.errors import Issue
from rendercall.sinks.terminal import terminal_text

__all__ = ["LiveCard", "draw"]

MAX_WIDTH = 92
BAR_WIDTH = 10
MAX_NUMBER = 18
NARROW = 60
FRAME_SECONDS = 0.08

_COLOURS: Mapping[Status, str] = {"ok": "green", "partial": "cyan", "absent": "yellow"}
_OTHER_COLOUR = "red"


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


def _title(label: str) -> Text:
    return Text(terminal_text(label), style="bold cyan")


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


def _bullets(section: Bullets) -> list[RenderableType]:
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(width=2, justify="right")
    grid.add_column(overflow="fold")
    for item in section.items:
        grid.add_row(Text("•", style="dim"), _text(item, dots=40))
    return [_title(section.label), grid]


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
            if column.is_number:
                grid.add_column(label, justify="right", width=_number_width(label, options))
            else:
                grid.add_column(label, ratio=1, overflow="fold")
        if has_shares:
            share = Text(labels(self.language).share, style="dim")
            grid.add_column(share, width=BAR_WIDTH + 5, no_wrap=True)
        for index, row in enumerate(self.section.rows):
            cells = [
                _text(cell, dots=3 if column.is_number else 24)
                for cell, column in zip(row, self.section.columns, strict=True)
            ]
            bar = [_bar(self.section.shares, index)] if has_shares else []
            grid.add_row(Text(f"{index + 1}", style="dim"), *cells, *bar)
        yield grid


def _number_width(label: Text, options: ConsoleOptions) -> int:
    words = [label.plain] if options.max_width >= NARROW else label.plain.split()
    return min(max([5, *map(cell_len, words)]), MAX_NUMBER)


def _bar(shares: Sequence[float], number: int) -> Text:
    """One row's share of the total; dots until every row is known."""
    if not shares:
        return Text(f" ··· {'·' * BAR_WIDTH}", style="dim")
    eighths = max(1, round(shares[number] * BAR_WIDTH * 8))
    full, rest = divmod(eighths, 8)
    bar = "█" * full + (" ▏▎▍▌▋▊▉"[rest] if rest else "")
    return Text(f"{shares[number]:>4.0%} ", style="dim").append(bar, style="not dim cyan")


class LiveCard:
    """A card that is drawn again while its value arrives.

    An async context manager: while it is open, at most one frame is drawn every 80 ms. Where
    the console is no terminal, only the last state is printed, once. After an exception no
    card is left behind.

    Args:
        console: where to draw.
        schema: the JSON Schema of the value.
        language: of the words around it.
    """

    def __init__(self, console: Console, schema: Mapping[str, Any], language: Language) -> None:
        self._console = console
        self._schema = schema
        self._language: Language = language
        self._value: Mapping[str, Any] = {}
        self._open_paths: Collection[Path] = ()
        self._drawn = self._draw("partial")
        self._changed = False
        self._live = Live(self._drawn, console=console, auto_refresh=False)
        self._ticker: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start(refresh=True)
            self._ticker = asyncio.create_task(self._tick())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._ticker is not None:
            self._ticker.cancel()
            self._live.transient = error is not None
            self._live.update(self._drawn, refresh=True)
            self._live.stop()
        elif error is None:
            self._console.print(self._drawn)

    def update(
        self,
        value: Mapping[str, Any],
        open_paths: Collection[Path],
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        """Show a value so far with the next frame.

        Args:
            value: as far as it has arrived; it may be a live view.
            open_paths: what may still grow, as `lay_out` takes it.
            schema: of the value, where it is another one than before.
        """
        self._schema = self._schema if schema is None else schema
        self._value, self._open_paths, self._changed = value, open_paths, True

    def finish(
        self, status: Status, value: Mapping[str, Any] | None, issues: Sequence[Issue] = ()
    ) -> None:
        """Show the outcome.

        Args:
            status: the outcome.
            value: the checked value; None leaves what had arrived.
            issues: what was wrong.
        """
        self._changed = False
        if value is not None:
            self._value, self._open_paths = value, ()
        self._drawn = self._draw(status, issues)

    def _draw(self, status: Status, issues: Sequence[Issue] = ()) -> RenderableType:
        card = None
        if status in {"ok", "partial"} or self._value:
            complete = status == "ok"
            card = lay_out(
                self._schema, self._value, open_paths=self._open_paths, complete=complete
            )
        return draw(card, status, self._language, issues=issues)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(FRAME_SECONDS)
            if self._changed:
                self._changed = False
                self._drawn = self._draw("partial")
                self._live.update(self._drawn, refresh=True)

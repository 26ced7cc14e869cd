"""A card that is drawn again while its value arrives, below the steps that lead to it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live

from rendercall.card.layout import lay_out
from rendercall.card.steps import StepList
from rendercall.card.words import Language
from rendercall.contract.args import Path
from rendercall.contract.status import Status
from rendercall.errors import Issue
from rendercall.terminal.card import draw
from rendercall.terminal.steps import draw_steps

__all__ = ["LiveCard"]

FRAME_SECONDS = 0.08


class LiveCard:
    """A card that is drawn again while its value arrives, and the run's steps above it.

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
        self._steps = StepList(language)
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

    def tell(self, event: object) -> None:
        """Show with the next frame how a tool call is.

        Args:
            event: a part of the run's `custom` stream; what is no tool's is passed over.
        """
        self._changed = self._steps.take(event) is not None or self._changed

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
        self._steps.end(was_cut=status in {"aborted", "failed"})
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
        drawn = draw(card, status, self._language, issues=issues)
        steps = self._steps.above(status)
        return Group(draw_steps(steps, self._language), drawn) if steps.steps else drawn

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(FRAME_SECONDS)
            if self._changed:
                self._changed = False
                self._drawn = self._draw("partial")
                self._live.update(self._drawn, refresh=True)

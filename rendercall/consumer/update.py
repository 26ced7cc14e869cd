"""What one event of a stream changed in a render call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from rendercall.card.layout import lay_out
from rendercall.card.markup import snippet
from rendercall.card.words import language_of_environment
from rendercall.consumer.assembler import ArrivingCall
from rendercall.consumer.deltas import Delta
from rendercall.consumer.reader import PlaceStatus, Reader
from rendercall.contract.args import Path
from rendercall.errors import Issue

__all__ = ["Update"]

T = TypeVar("T")


class Update(Generic[T]):
    """One step of a call that arrives.

    `deltas` are this step's own; everything else is a live view of the call and moves on
    with it. Read it and drop it: that costs the same however long the call is.

    Attributes:
        call: the call, as it is put together.
        deltas: what changed.
        partial: the typed value so far; see `Reader.partial`.
    """

    __slots__ = ("call", "deltas", "partial")

    def __init__(self, call: ArrivingCall, deltas: list[Delta], partial: T) -> None:
        self.call = call
        self.deltas = deltas
        self.partial = partial

    @property
    def _reader(self) -> Reader[T]:
        readings = self.call.readings
        assert readings is not None  # noqa: S101 - an update is of a call whose args came
        return readings.reader

    @property
    def call_id(self) -> str | None:
        """Id of the tool call; None where the provider gave none yet."""
        return self.call.id

    @property
    def name(self) -> str:
        """The tool's name."""
        tool = self.call.tool
        return tool.name if tool else self.call.name

    @property
    def value(self) -> Any:
        """The plain JSON value so far; None before the args opened. Copy it to keep it."""
        return self._reader.document()

    @property
    def errors(self) -> Sequence[Issue]:
        """What is definitely wrong; to be acted on, not shown, before the call has finished.

        Where the tool mends, only the size of the text is definite before the end: packaging,
        and a beginning that breaks off and is begun again, can undo anything else.
        """
        return self.call.errors

    @property
    def open_paths(self) -> tuple[Path, ...]:
        """The paths of all that is open, outermost first."""
        return self._reader.open_paths

    def status(self, path: Path) -> PlaceStatus:
        """How far a place is: `missing`, `open` or `closed`."""
        return self._reader.status(path)

    def has(self, name: str) -> bool:
        """Whether a field of the root is there."""
        return self._reader.has(name)

    def snapshot(self) -> T:
        """The typed value so far, as it stays; see `Reader.snapshot` for what it costs."""
        return self._reader.snapshot()

    def __repr__(self) -> str:
        return f"<Update of {self.name}: {self.partial!r}>"

    def _repr_html_(self) -> str:
        """The card so far, in a notebook."""
        tool, value = self.call.tool, self.value
        card = lay_out(
            tool.schema if tool else {},
            value if isinstance(value, dict) else {},
            open_paths=self.open_paths,
        )
        return snippet(card, "partial", language_of_environment(os.environ))

"""What one event of a stream changed in a render call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

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
        call_id: id of the tool call; None where the provider gave none yet.
        name: the tool's name.
        deltas: what changed.
    """

    __slots__ = ("_mends", "_reader", "call_id", "deltas", "name")

    def __init__(
        self,
        call_id: str | None,
        name: str,
        deltas: list[Delta],
        reader: Reader[T],
        *,
        mends: bool = False,
    ) -> None:
        self.call_id = call_id
        self.name = name
        self.deltas = deltas
        self._reader = reader
        self._mends = mends

    @property
    def partial(self) -> T:
        """The typed value so far; see `Reader.partial`."""
        return self._reader.partial

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
        errors = self._reader.errors
        return [one for one in errors if one.code == "too_large"] if self._mends else errors

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

"""What passes between a JSON reader and the one who follows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rendercall.contract.args import Path

__all__ = ["ABSENT", "Fault", "Listener", "Spot"]

ABSENT: Any = object()
"""What `Listener.atom` returns for a value that stands for nothing: its key is taken back."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the text is no JSON object within the bounds.

    Attributes:
        code: the rule that was broken; see `rendercall.contract.args`.
        path: the innermost value that was being read.
        position: characters before the fault in the whole text. For limits on size it may
            depend on how the text was cut into fragments.
        message: what was expected; it quotes nothing.
    """

    code: str
    path: Path
    position: int
    message: str


class Listener(Protocol):
    """Who follows the reading, one call for each thing that begins or ends.

    `key` is the member's key or the item's index in the container that is open.
    """

    def starts(self, key: str | int) -> bool:
        """A string begins and is cut here. May it be shown while it grows?"""
        ...

    def string(self, key: str | int, value: str) -> None:
        """A string is complete."""
        ...

    def atom(self, key: str | int, value: Any, literal: str) -> Any:
        """A number or literal is complete; returns the value to keep, or `ABSENT`."""
        ...

    def opens(self, key: str | int, path: Path, value: dict[str, Any] | list[Any]) -> bool:
        """A container opens. Is its text wanted when it closes?"""
        ...

    def closes(self, value: dict[str, Any] | list[Any], text: str) -> None:
        """A container is complete; `text` is empty unless wanted."""
        ...


class Spot(NamedTuple):
    """Where the reading stands.

    Attributes:
        path: of the innermost open container; None outside the root.
        key: of the value that is open in it; None where none is.
        text: of the open string, if it may be shown.
    """

    path: Path | None
    key: str | int | None
    text: str | None

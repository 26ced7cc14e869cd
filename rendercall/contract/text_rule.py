"""One rule of the text guard: a shape, as a regular expression."""

from __future__ import annotations

from dataclasses import dataclass

from rendercall.contract.finding import TextKind

__all__ = ["Rule", "words"]


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One shape.

    Attributes:
        kind: what it could be taken for.
        name: of the rule within its kind; several may share one.
        pattern: case does not count in it.
        hints: groups of pieces; every match holds a piece of each group.
    """

    kind: TextKind
    name: str
    pattern: str
    hints: tuple[tuple[str, ...], ...]


def words(text: str) -> tuple[str, ...]:
    """The words of a text, as hints."""
    return tuple(text.split())

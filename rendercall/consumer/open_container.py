"""An object or array of the typed value, as it is kept while it is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rendercall.consumer.plan import Node, Shape
from rendercall.contract.args import Path

__all__ = ["OPEN", "REFUSED", "OpenContainer", "put"]


class _Mark:
    """Stands in a container for what is no value yet, or none at all."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


OPEN = _Mark("…")
"""A string that is still growing: its text is with the reader."""

REFUSED = _Mark("refused")
"""A value that does not fit."""


@dataclass(slots=True, eq=False)
class OpenContainer:
    """An open object or array. One that closed and does not fit stays, with what fits in it.

    Attributes:
        node: the node of its place.
        shape: the node's, or that of the choice that the tag told.
        path: its place.
        raw: the plain JSON of it.
        refused: how often something had been refused when it opened.
        slots: the typed values in it, under their JSON keys, with `OPEN` for an open string
            and an `OpenContainer` for an open container. None where it is *silent*: what is
            in it can only be judged and shown when it closes.
        is_open: whether more may come.
    """

    node: Node
    shape: Shape
    path: Path
    raw: Any
    refused: int
    slots: Any
    is_open: bool = True


def put(slots: Any, key: str | int, value: Any, before: Any = OPEN) -> None:
    """Let a value stand in a container, in place of `before`; or nothing, if it is refused."""
    if type(slots) is dict:
        if value is REFUSED:
            slots.pop(key, None)
        else:
            slots[key] = value
        return
    if slots and slots[-1] is before:
        slots.pop()
    if value is not REFUSED:
        slots.append(value)

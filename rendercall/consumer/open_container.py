"""An object or array that is still open, as the typed tree keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rendercall.consumer.partial import OPEN, View
from rendercall.consumer.plan import Node, Shape
from rendercall.contract.args import Path

__all__ = ["REFUSED", "OpenContainer", "settle"]

REFUSED = object()
"""Stands for a value that does not fit."""


@dataclass(slots=True)
class OpenContainer:
    """An open container.

    Attributes:
        node: the node of its place.
        shape: the node's, or that of the choice that the tag told.
        path: its place.
        raw: the container itself.
        found: how many issues were known when it opened.
        silent: whether what is in it can only be judged and shown when it closes.
        slots: the typed values in it, under their JSON keys; None while it is silent.
        view: the view of them; None while it is silent.
    """

    node: Node
    shape: Shape
    path: Path
    raw: Any
    found: int
    silent: bool
    slots: Any = None
    view: View | None = None


def settle(slots: Any, key: str | int, value: Any, before: Any = OPEN) -> None:
    """Let a value stand in a container, in place of `before`; or nothing, if it does not fit."""
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

"""What is kept of a call that was stopped: every value that had closed."""

from __future__ import annotations

from typing import Any

from rendercall.consumer.plan import ANYTHING, Plan
from rendercall.consumer.reader import Reader
from rendercall.contract.bounds import Bounds

__all__ = ["kept_of"]


def kept_of(text: str, bounds: Bounds) -> dict[str, Any]:
    """The value so far of a text that breaks off.

    Args:
        text: the beginning of a JSON object.
        bounds: limits on it.

    Returns:
        The object with what is certain: a string, number or word that is still open is left
        out, and so is a container without a closed part.
    """
    plan: Plan[Any] = Plan(ANYTHING)
    reader = Reader(plan, bounds)
    reader.feed(text)
    document, path = reader.document(), list(reader.shown_path or ())
    if not isinstance(document, dict):
        return {}
    while path:
        *parents, last = path
        holder: Any = document
        for key in parents:
            holder = holder[key]
        if holder[last] and not isinstance(holder[last], str):
            break
        del holder[last]
        path = parents
    return document

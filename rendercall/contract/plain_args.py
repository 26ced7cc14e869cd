"""The quick reading of args that are too short and too simple to break any bound.

The usual args are such a text. Everything else is left to the close look of `args`.
"""

from __future__ import annotations

import json
import math
from typing import Any

from rendercall.contract.bounds import Bounds

__all__ = ["read_plain"]


def read_plain(text: str, bounds: Bounds) -> dict[str, Any] | None:
    """Read a text that is too short and too simple to break any bound.

    The usual args are such a text, and need no walk.

    Returns:
        The object; None where a closer look is due.
    """
    short = len(text) <= min(bounds.max_string, bounds.max_items, bounds.max_nodes)
    flat = text.count("{") + text.count("[") <= bounds.max_depth
    if not (short and flat and bounds.max_number >= _PLAIN_NUMBER) or "\\u" in text:
        return None
    try:
        document = _PLAIN.decode(text)
    except (ValueError, RecursionError):
        return None
    return document if type(document) is dict else None


_PLAIN_NUMBER = 15
"""Characters of a number that is exact in every JSON reader."""


def _plain_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError
    return document


def _plain_int(literal: str) -> int:
    if len(literal) > _PLAIN_NUMBER:
        raise ValueError
    return int(literal)


def _plain_float(literal: str) -> float:
    value = float(literal)
    if len(literal) > _PLAIN_NUMBER or not math.isfinite(value):
        raise ValueError
    return value


def _plain_constant(_: str) -> Any:
    raise ValueError


_PLAIN = json.JSONDecoder(
    object_pairs_hook=_plain_object,
    parse_int=_plain_int,
    parse_float=_plain_float,
    parse_constant=_plain_constant,
)

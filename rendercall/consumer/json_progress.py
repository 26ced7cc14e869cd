"""How far the reading of a JSON text is, for those who look on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rendercall.consumer.listener import Fault
from rendercall.consumer.raw_text import RawText
from rendercall.contract.args import Path

__all__ = ["JsonProgress"]


@dataclass(slots=True, eq=False)
class JsonProgress:
    """How far a reading is.

    Attributes:
        fault: what ended the reading; None while all is well.
        complete: whether the object is whole (white space may still follow).
        over: whether it is whole, or a fault ended the reading.
        root: a list with the value so far, once the root opened.
        raw: the text so far, as it came.
        large_integers: paths of integers that a double does not hold exactly.
        irregular: whether the text holds raw breaks in strings or pairs cut in halves.
    """

    fault: Fault | None = None
    complete: bool = False
    over: bool = False
    root: list[Any] = field(default_factory=list[Any])
    raw: RawText = field(default_factory=RawText)
    large_integers: list[Path] = field(default_factory=list[Path])
    irregular: bool = False

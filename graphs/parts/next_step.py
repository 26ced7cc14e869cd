"""What to do after a tool's result: page on, narrow, stop, or report the gap.

It is decided by what happened alone, never by what the records say, so that a truncated result
is not taken for a complete one, nor a failure for an empty one.
"""

from __future__ import annotations

from math import ceil
from typing import Literal, TypeAlias

from rendercall.results import CODES, Empty, Failed, Outcome, Truncated

__all__ = ["MAX_PAGES", "Step", "next_step"]

Step: TypeAlias = Literal["page_on", "narrow", "stop", "report_gap"]
"""What follows a result:

- `page_on`: the same call again, with the way on that the result names.
- `narrow`: another call: for less, or with other arguments.
- `stop`: everything is here; answer.
- `report_gap`: answer, and say what is missing.
"""

MAX_PAGES = 3
"""Further pages that are worth reading; more are better narrowed."""


def next_step(outcome: Outcome, calls_left: int) -> Step:
    """Choose the step.

    Args:
        outcome: of the result.
        calls_left: how many further calls there may be.
    """
    if isinstance(outcome, Truncated):
        return _after_part(outcome, calls_left)
    if isinstance(outcome, Failed):
        code = outcome.error.code
        could_help = CODES[code].actor == "model" or code == "TIMEOUT"
        return "narrow" if could_help and calls_left > 0 else "report_gap"
    return "report_gap" if isinstance(outcome, Empty) else "stop"


def _after_part(part: Truncated, calls_left: int) -> Step:
    if calls_left <= 0:
        return "report_gap"
    if part.total is None or part.reason == "repeated_cursor":
        return "narrow"  # paging would not come to an end
    size = part.covered.last - part.covered.first + 1
    pages = ceil((part.total - part.covered.last) / max(size, 1))
    return "page_on" if pages <= min(calls_left, MAX_PAGES) else "narrow"

"""Searches that are read to their end, one after the other or side by side.

Each is a generator: it yields the calls that it wants made and is sent what they gave.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar, cast

from graphs.parts.log_results import FoundRecords, LogLine, ReadLines
from graphs.parts.next_step import MAX_PAGES, Step, next_step
from rendercall.models import Call
from rendercall.results import Failed, Outcome, Truncated

__all__ = ["Reading", "Seen", "Steps", "read_all", "together"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seen:
    """The result of one call.

    Attributes:
        outcome: what happened.
        found: the page or range; None where there is none.
    """

    outcome: Outcome
    found: FoundRecords | ReadLines | None = None

    @property
    def records(self) -> list[LogLine]:
        """The records in it."""
        return self.found.records if self.found else []


Steps: TypeAlias = Generator[tuple[Call, ...], Sequence[Seen], T]
"""Yields the next calls, is sent their results in the same order, and returns what it found."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a search or a range gave, as far as it was read.

    Attributes:
        records: those that were read.
        step: what should follow; never `page_on`.
        total: how many there are; None where nobody knows.
        code: of the failure that ended it; empty where none did.
        page: the first page of a search; an empty one where there is none.
    """

    records: list[LogLine]
    step: Step
    total: int | None
    code: str
    page: FoundRecords

    @property
    def is_whole(self) -> bool:
        """Whether everything was read."""
        return not self.code and self.total == len(self.records)


def read_all(name: str, **args: Any) -> Steps[Reading]:
    """Call a tool, and page on as long as that is the right step."""
    call = Call(name, args)
    (first,) = yield (call,)
    seen, records, pages_left = first, [*first.records], MAX_PAGES
    while (step := next_step(seen.outcome, pages_left)) == "page_on":
        on = cast("Truncated", seen.outcome).next
        (seen,) = yield (replace(call, args={**args, **on}),)
        records += seen.records
        pages_left -= 1
    nothing = FoundRecords([], 0, "", "", {})
    page = first.found if isinstance(first.found, FoundRecords) else nothing
    part = first.outcome
    total = part.total if isinstance(part, Truncated) else len(first.records)
    code = seen.outcome.error.code if isinstance(seen.outcome, Failed) else ""
    return Reading(records, step, total, code, page)


def together(steps: Sequence[Steps[T]]) -> Steps[list[T]]:
    """Take several at once: their calls stand in one message, as long as any has one."""
    ended: dict[int, T] = {}
    waiting: dict[int, tuple[Call, ...]] = {}

    def go_on(number: int, results: Sequence[Seen] | None) -> None:
        waiting.pop(number, None)
        try:
            one = steps[number]
            waiting[number] = next(one) if results is None else one.send(results)
        except StopIteration as end:
            ended[number] = end.value

    for number in range(len(steps)):
        go_on(number, None)
    while waiting:
        asked = dict(waiting)
        results = yield tuple(call for calls in asked.values() for call in calls)
        start = 0
        for number, calls in asked.items():
            go_on(number, results[start : start + len(calls)])
            start += len(calls)
    return [ended[number] for number in range(len(steps))]

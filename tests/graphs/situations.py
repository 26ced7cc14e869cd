"""Results of a log search, and the step that should follow each: the rules always choose it.

The same table is put to the local model by `benchmarks/next_step.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.messages import ToolMessage

from graphs.parts.next_step import Step
from rendercall.results import Code, Covered, Outcome, ToolResult
from rendercall.results.tool_message import message_of

__all__ = ["SITUATIONS", "Situation"]

RECORD = "[shop.jsonl@2b4bf456 line 8073] 2026-03-14T12:08:06.301Z error payments: pool exhausted"


@dataclass(frozen=True, slots=True)
class Situation:
    """A result, and what may still be done.

    Attributes:
        name: what is special about it.
        result: of a search.
        calls_left: how many further calls there may be.
        step: the right one.
    """

    name: str
    result: ToolResult
    calls_left: int
    step: Step

    @property
    def outcome(self) -> Outcome:
        """What happened."""
        return self.result.outcome

    @property
    def message(self) -> ToolMessage:
        """The result as a model reads it."""
        return message_of(self.result, name="search_logs", call_id="s1", label="Search")


def whole(count: int) -> ToolResult:
    return ToolResult(f"{count} records\n" + "\n".join([RECORD] * min(count, 3)))


def part(first: int, last: int, total: int | None, reason: str = "max_items") -> ToolResult:
    return ToolResult.truncated(
        f"{RECORD}\n…",
        next={"cursor": "c9"},
        covered=Covered(first, last),
        total=total,
        reason=reason,
    )


def failed(code: Code, message: str = "") -> ToolResult:
    return ToolResult.failed(code, message)


SITUATIONS = (
    Situation("one record, and that is all", whole(1), 5, "stop"),
    Situation("a full page, and that is all", whole(20), 5, "stop"),
    Situation("all is here, and no call is left", whole(7), 0, "stop"),
    Situation(
        "nothing in 18,018 records", ToolResult.empty(looked="18,018 records"), 5, "report_gap"
    ),
    Situation("nothing in an empty log", ToolResult.empty(looked="0 records"), 5, "report_gap"),
    Situation("nothing, and no call is left", ToolResult.empty(), 0, "report_gap"),
    Situation("one page is missing", part(1, 20, 31), 5, "page_on"),
    Situation("one record is missing", part(1, 20, 21), 5, "page_on"),
    Situation("the second of three pages", part(21, 40, 60), 2, "page_on"),
    Situation("three pages are missing", part(1, 20, 80), 3, "page_on"),
    Situation("cut by its size, a little is missing", part(1, 12, 20, "max_bytes"), 4, "page_on"),
    Situation("503 records", part(1, 20, 503), 5, "narrow"),
    Situation("a million records", part(1, 20, 1_000_000), 50, "narrow"),
    Situation("more pages than calls", part(1, 20, 80), 2, "narrow"),
    Situation("nobody knows how many", part(1, 20, None), 5, "narrow"),
    Situation("the cursor comes again", part(1, 20, 40, "repeated_cursor"), 5, "narrow"),
    Situation("a part, and no call is left", part(1, 20, 31), 0, "report_gap"),
    Situation("a small part of many, no call left", part(1, 20, 503), 0, "report_gap"),
    Situation("wrong arguments", failed("INVALID_ARGUMENT"), 3, "narrow"),
    Situation("a log that does not exist", failed("NOT_FOUND"), 3, "narrow"),
    Situation("too large", failed("TOO_LARGE"), 3, "narrow"),
    Situation("it took too long", failed("TIMEOUT"), 3, "narrow"),
    Situation("it took too long, no call left", failed("TIMEOUT"), 0, "report_gap"),
    Situation("wrong arguments, no call left", failed("INVALID_ARGUMENT"), 0, "report_gap"),
    Situation("not reachable", failed("UNAVAILABLE"), 3, "report_gap"),
    Situation("too many requests", failed("RATE_LIMITED"), 3, "report_gap"),
    Situation("not allowed", failed("FORBIDDEN"), 3, "report_gap"),
    Situation("not signed in", failed("UNAUTHENTICATED"), 3, "report_gap"),
    Situation("the tool broke", failed("INTERNAL"), 3, "report_gap"),
    Situation("the quota is used up", failed("QUOTA_EXHAUSTED"), 3, "report_gap"),
)
"""Every outcome and every step."""

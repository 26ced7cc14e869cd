"""`search_logs` and `read_file`: the incident graph's tools, over the logs of `log_files`.

Both are bounded, both say exactly how much there is and how to go on, and both name every
record by what a citation of it needs: the log's id and the line.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from graphs.parts.log_files import log_index
from graphs.parts.log_index import LogIndex, Query
from graphs.parts.log_lines import Level, iso, read_time
from graphs.parts.log_results import FoundRecords, ReadLines, line_of, search_text, text_of
from rendercall.results import Covered, Cursors, Retry, ToolFailed, ToolResult, structured_tool

__all__ = ["PAGE", "RANGE", "read_file", "search_logs"]

PAGE = 20
"""Records on a page."""

RANGE = 100
"""Lines that are read at a time."""

_ONCE = Retry(attempts=1)
"""Local files: what fails now fails a second later."""

_cursors = Cursors()


@structured_tool(
    output=FoundRecords,
    label={"en": "Search the logs", "zh": "搜索日志"},
    replay="safe",
    retry=_ONCE,
)
def search_logs(
    *,
    query: Annotated[
        str, Field(max_length=200, description="Words that a message must all have.")
    ] = "",
    service: Annotated[str, Field(description="Only records of this service.")] = "",
    level: Annotated[Level, Field(description="Only records of this level or worse.")] = "debug",
    since: Annotated[str, Field(description="Only from this time on, ISO 8601.")] = "",
    until: Annotated[str, Field(description="Only before this time, ISO 8601.")] = "",
    cursor: Annotated[str, Field(description="From a truncated result: where to go on.")] = "",
) -> ToolResult:
    """Search the logs; records come oldest first, in pages. What is left out does not restrict."""
    index = _index()
    asked = Query(query, service, level, _time("since", since), _time("until", until))
    position = _cursors.open(cursor) or {"after": 0}
    after = int(position["after"])
    count = index.count(asked, after)
    records = index.page(asked, after, PAGE)
    lines = [line_of(record) for record in records]
    found = FoundRecords(lines, count.total, count.first, count.last, dict(count.services))
    if not count.total:
        return ToolResult.empty(found, looked=_size(index))
    text = search_text(count, lines)
    last = count.before + len(records)
    if last >= count.total:
        return ToolResult(text, found)
    return ToolResult.truncated(
        text,
        found,
        next={"cursor": _cursors.seal({"after": records[-1].place})},
        covered=Covered(count.before + 1, last),
        total=count.total,
        reason="max_items",
    )


@structured_tool(
    output=ReadLines, label={"en": "Read a log", "zh": "读取日志"}, replay="safe", retry=_ONCE
)
def read_file(
    *,
    artifact: Annotated[str, Field(description="Id of the log, as search_logs shows it.")],
    first_line: Annotated[int, Field(ge=1, description="First line, counted from 1.")] = 1,
    last_line: Annotated[int | None, Field(ge=1, description="Last line, included.")] = None,
) -> ToolResult:
    """Read lines of a log as they stand, at most 100 at a time."""
    index = _index()
    log = next((one for one in index.logs if one.id == artifact), None)
    if log is None:
        known = ", ".join(one.id for one in index.logs)
        raise ToolFailed("NOT_FOUND", f"No log has this id. There are: {known}.")
    wanted = min(last_line or log.lines, log.lines)
    if first_line > wanted:
        message = f"The range holds no line: the log has lines 1 to {log.lines:,}."
        raise ToolFailed("INVALID_ARGUMENT", message)
    last = min(wanted, first_line + RANGE - 1)
    lines = [line_of(record) for record in index.lines(artifact, first_line, last)]
    read = ReadLines(artifact, log.lines, lines)
    if last >= wanted:
        return ToolResult(text_of(lines), read)
    return ToolResult.truncated(
        text_of(lines),
        read,
        next={"first_line": last + 1},
        covered=Covered(first_line, last, "lines"),
        total=wanted,
        reason="max_items",
    )


def _index() -> LogIndex:
    """The open logs; a file that is not there is told without its path."""
    try:
        return log_index()
    except OSError:
        raise ToolFailed("UNAVAILABLE", "A log that should be there cannot be read.") from None


def _size(index: LogIndex) -> str:
    return f"{index.count(Query()).total:,} records"


def _time(name: str, text: str) -> str:
    if not text:
        return ""
    time = read_time(text)
    if time is None:
        message = f"{name} is an ISO 8601 time such as 2026-03-14T12:00:00Z."
        raise ToolFailed("INVALID_ARGUMENT", message)
    return iso(time)

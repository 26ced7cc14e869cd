"""What the log tools give to programs, and the text of it that a model reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphs.parts.log_index import Count, Record

__all__ = ["FoundRecords", "LogLine", "ReadLines", "line_of", "search_text", "text_of"]

MAX_SHOWN = 300
"""Characters of a message that a model reads: 20 records stay under 32 KB in any script."""

MAX_SERVICES = 12
"""Services that a model is told of, those with the most records; programs get all."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A record, as it is cited.

    Attributes:
        artifact: id of its log.
        line: its number there, counted from 1.
        time: in UTC, ISO 8601; empty where none is known.
        level: `debug`, `info`, `warn`, `error` or `fatal`.
        service: who wrote it; empty where it does not say.
        message: what it says.
    """

    artifact: str
    line: int
    time: str
    level: str
    service: str
    message: str


@dataclass(frozen=True, slots=True)
class FoundRecords:
    """A page of a search.

    Attributes:
        records: those of this page, oldest first.
        total: how many the search finds in all; exact.
        first_time: of all of them; empty where none has a time.
        last_time: of all of them.
        services: how many of all there are by service, most first.
    """

    records: list[LogLine]
    total: int
    first_time: str
    last_time: str
    services: dict[str, int]


@dataclass(frozen=True, slots=True)
class ReadLines:
    """A range of a log.

    Attributes:
        artifact: id of the log.
        total: how many lines the log has.
        records: the lines.
    """

    artifact: str
    total: int
    records: list[LogLine]


def line_of(record: Record) -> LogLine:
    """A record without its place in the index."""
    return LogLine(
        record.artifact, record.line, record.time, record.level, record.service, record.message
    )


def search_text(count: Count, records: Sequence[LogLine]) -> str:
    """The figures of the whole search, then the records of this page."""
    span = f", {count.first} to {count.last}" if count.first else ""
    services = ", ".join(
        f"{name or '(none)'} {number:,}" for name, number in count.services[:MAX_SERVICES]
    )
    return "\n".join([f"{count.total:,} records{span}; by service: {services}", text_of(records)])


def text_of(records: Iterable[LogLine]) -> str:
    """Records, one a line, each with what a citation of it needs."""
    return "\n".join(
        f"[{one.artifact} line {one.line}] {one.time or '(no time)'} {one.level} "
        f"{one.service or '(none)'}: {_shown(one.message)}"
        for one in records
    )


def _shown(message: str) -> str:
    line = message.replace("\n", " ")
    return line if len(line) <= MAX_SHOWN else line[:MAX_SHOWN] + "…"

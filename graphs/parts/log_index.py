"""Logs behind SQLite: every line is a record that can be searched, counted and cited."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from graphs.parts.line_texts import LineTexts
from graphs.parts.log_lines import LEVELS, Level, LogRecord

__all__ = ["PROBE", "Count", "Log", "LogIndex", "Query", "Record", "fill"]

PROBE = "SELECT place, folded FROM records, logs LIMIT 1"
"""A query that works on such a database alone."""

_CREATE = """
    CREATE TABLE logs (number INTEGER PRIMARY KEY, id TEXT, name TEXT, lines INTEGER);
    CREATE TABLE records (
        place INTEGER PRIMARY KEY, log INTEGER, line INTEGER, time TEXT, level INTEGER,
        service TEXT, message TEXT, folded TEXT, UNIQUE (log, line)
    );
"""
_RECORDS = """
    SELECT place, logs.id, line, time, level, service, message
    FROM records JOIN logs ON logs.number = records.log
"""
_MATCHES = """
    (:service = '' OR service = :service) AND level >= :level
    AND (:since = '' OR time >= :since) AND (:until = '' OR time < :until)
    AND NOT EXISTS (SELECT 1 FROM json_each(:words) WHERE instr(folded, value) = 0)
"""
# The statements are made of constants; every value is bound.
_PAGE = f"{_RECORDS} WHERE {_MATCHES} AND place > :after ORDER BY place LIMIT :limit"
_COUNT = f"""
    SELECT count(*), min(time), max(time), count(*) FILTER (WHERE place <= :after)
    FROM records WHERE {_MATCHES}
"""  # noqa: S608 - same
_SERVICES = f"""
    SELECT service, count(*) FROM records WHERE {_MATCHES}
    GROUP BY service ORDER BY count(*) DESC, service
"""  # noqa: S608 - same
_TEXTS = "SELECT time, service, message FROM records WHERE log = ? ORDER BY line"
_LINES = f"{_RECORDS} WHERE logs.id = ? AND line BETWEEN ? AND ? ORDER BY line"


@dataclass(frozen=True, slots=True)
class Log:
    """One file.

    Attributes:
        id: its name and the beginning of its content's SHA-256: what citations name.
        name: its file name, without its folder.
        lines: how many lines it has.
    """

    id: str
    name: str
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a log.

    Attributes:
        place: its place among the records of all logs, by time, counted from 1.
        artifact: id of its log.
        line: its number there, counted from 1.
        time: in UTC, ISO 8601; empty where none is known.
        level: how bad it is.
        service: who wrote it; empty where it does not say.
        message: what it says.
    """

    place: int
    artifact: str
    line: int
    time: str
    level: Level
    service: str
    message: str


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for; what is empty does not restrict.

    Attributes:
        text: words or parts of words that a message must all have, in any case; no syntax.
        service: who wrote it.
        level: this level or worse.
        since: from this time on, as records hold it.
        until: before this time.
    """

    text: str = ""
    service: str = ""
    level: Level = "debug"
    since: str = ""
    until: str = ""

    def bound(self, after: int = 0, limit: int = 0) -> dict[str, str | int]:
        """The values that are bound to the statements."""
        words = _bindable(self.text).casefold().split()
        return {
            "words": json.dumps(words),
            "service": _bindable(self.service),
            "level": LEVELS.index(self.level),
            "since": self.since,
            "until": self.until,
            "after": after,
            "limit": limit,
        }


@dataclass(frozen=True, slots=True)
class Count:
    """Exact figures of everything that a query finds.

    Attributes:
        total: records.
        before: how many of them stand at or before the asked place.
        first: time of the first one that has a time; empty where none has.
        last: time of the last one.
        services: records by service, most first.
    """

    total: int
    before: int
    first: str
    last: str
    services: tuple[tuple[str, int], ...]


class LogIndex:
    """An open index. Its methods may be called from any thread.

    Attributes:
        logs: the logs, in the order in which they were named.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = Lock()
        rows = connection.execute("SELECT id, name, lines FROM logs ORDER BY number").fetchall()
        self.logs = tuple(Log(*row) for row in rows)
        self._texts = {
            log.id: LineTexts(connection.execute(_TEXTS, (number,)))
            for number, log in enumerate(self.logs)
        }

    def page(self, query: Query, after: int = 0, limit: int = 20) -> tuple[Record, ...]:
        """The records that a query finds, by time, behind a place.

        Args:
            query: what to look for.
            after: the place behind which the page begins; 0 is the beginning.
            limit: the most records to return.
        """
        return tuple(_record(row) for row in self._rows(_PAGE, query.bound(after, limit)))

    def count(self, query: Query, after: int = 0) -> Count:
        """Count everything that a query finds."""
        bound = query.bound(after)
        ((total, first, last, before),) = self._rows(_COUNT, bound)
        services = tuple((name, number) for name, number in self._rows(_SERVICES, bound))
        return Count(total, before, first or "", last or "", services)

    def lines(self, artifact: str, first: int, last: int) -> tuple[Record, ...]:
        """The lines `first` to `last` of a log, both included; fewer where it is shorter."""
        bound = (_bindable(artifact), min(first, _MAX_INTEGER), min(last, _MAX_INTEGER))
        return tuple(_record(row) for row in self._rows(_LINES, bound))

    def said(self, artifact: str, line: int) -> tuple[str, str, str] | None:
        """Time, service and message of a line; None where there is none. It waits for nothing."""
        texts = self._texts.get(artifact)
        return texts.get(line) if texts else None

    def close(self) -> None:
        """Let go of the database; the index cannot be searched afterwards."""
        self._connection.close()

    def _rows(self, statement: str, bound: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        with self._lock:
            return self._connection.execute(statement, bound).fetchall()


_MAX_INTEGER = 2**63 - 1
"""SQLite's largest."""


def _bindable(text: str) -> str:
    """A text that SQLite takes: a lone surrogate, which UTF-8 has not, becomes `?`."""
    return text.encode("utf-8", "replace").decode("utf-8")


def fill(connection: sqlite3.Connection, logs: Iterable[tuple[Log, Iterable[LogRecord]]]) -> None:
    """Make the tables in an empty database, and put every line of every log into them."""
    connection.executescript(_CREATE)
    found: list[tuple[str, int, LogRecord]] = []
    for number, (log, records) in enumerate(logs):
        before = len(found)
        found += [(record.time, number, record) for record in records]
        row = (number, log.id, log.name, len(found) - before)
        connection.execute("INSERT INTO logs VALUES (?, ?, ?, ?)", row)
    found.sort(key=lambda one: (one[0], one[1], one[2].line))
    rows = [
        (place, n, r.line, time, LEVELS.index(r.level), r.service, r.message, r.message.casefold())
        for place, (time, n, r) in enumerate(found, 1)
    ]
    connection.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _record(row: tuple[Any, ...]) -> Record:
    place, artifact, line, time, level, service, message = row
    return Record(place, artifact, line, time, LEVELS[level], service, message)

"""Lines of a log, JSON or plain text, read as records with time, level and service."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, cast

__all__ = ["LEVELS", "Level", "LogRecord", "iso", "read_lines", "read_time"]

Level: TypeAlias = Literal["debug", "info", "warn", "error", "fatal"]

LEVELS: tuple[Level, ...] = ("debug", "info", "warn", "error", "fatal")
"""The levels, least first."""

_OTHER_NAMES: Mapping[str, Level] = {
    "trace": "debug",
    "notice": "info",
    "warning": "warn",
    "err": "error",
    "severe": "error",
    "critical": "fatal",
    "crit": "fatal",
    "alert": "fatal",
    "emergency": "fatal",
    "panic": "fatal",
}
_KEYS: Mapping[str, tuple[str, ...]] = {
    "time": ("time", "timestamp", "@timestamp", "ts", "datetime"),
    "level": ("level", "severity", "levelname", "log.level"),
    "service": ("service", "service.name", "app", "logger", "name"),
    "message": ("message", "msg", "event", "body"),
}
"""Names that common loggers use (python-json-logger, pino, zap, ECS, OpenTelemetry)."""

_TEXT = re.compile(
    r"\[?(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)\]?"
    r"\s+\[?(?P<level>[A-Za-z]{3,9})\]?\s+(?:\[?(?P<service>[\w.-]{1,64})\]?:\s+)?(?P<message>.*)"
)


_EPOCH = re.compile(r"\d{9,13}(?:\.\d{1,9})?")
_MILLISECOND_DIGITS = 12
"""Seconds have 10 digits until the year 2286, milliseconds 12 or 13 since 1973."""


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One line of a log.

    Attributes:
        line: its number, counted from 1.
        time: in UTC, ISO 8601 with milliseconds and `Z`; empty where none is known.
        level: `info` where it names none.
        service: who wrote it; empty where it does not say.
        message: what it says.
    """

    line: int
    time: str
    level: Level
    service: str
    message: str


def read_lines(lines: Iterable[str]) -> Iterator[LogRecord]:
    """Read every line, whatever it holds.

    A line that is neither a JSON object nor begins with a time and a level goes on with the
    record before it, and has that one's time, level and service: a stack trace, mostly.
    """
    before = LogRecord(0, "", "info", "", "")
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        found = _of_json(number, text) or _of_text(number, text)
        before = found or LogRecord(number, before.time, before.level, before.service, text)
        yield before


def read_time(text: str) -> datetime | None:
    """An ISO 8601 time, in UTC where it names no zone; None where it is none."""
    try:
        time = datetime.fromisoformat(text.strip().replace(",", "."))
    except ValueError:
        return None
    try:
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:  # a zone that leads out of the calendar
        return None


def iso(time: datetime) -> str:
    """A time as records hold it, so that texts compare as times do."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _of_json(number: int, text: str) -> LogRecord | None:
    if not text.startswith("{"):
        return None
    try:
        told: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    fields = {key: _first(cast("dict[str, Any]", told), names) for key, names in _KEYS.items()}
    message = fields["message"] or text
    return LogRecord(
        number, _time(fields["time"]), _level(fields["level"]), fields["service"][:64], message
    )


def _of_text(number: int, text: str) -> LogRecord | None:
    found = _TEXT.match(text)
    if found is None or not _time(found["time"]):
        return None
    return LogRecord(
        number,
        _time(found["time"]),
        _level(found["level"]),
        found["service"] or "",
        found["message"],
    )


def _first(told: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((str(told[name]) for name in names if told.get(name) or told.get(name) == 0), "")


def _time(text: str) -> str:
    """As `iso`, also of seconds or milliseconds since 1970, as pino and zap write them."""
    if _EPOCH.fullmatch(text):
        seconds = (
            float(text) if len(text.partition(".")[0]) < _MILLISECOND_DIGITS else float(text) / 1000
        )
        return iso(datetime.fromtimestamp(seconds, UTC))
    time = read_time(text)
    return iso(time) if time else ""


def _level(text: str) -> Level:
    name = text.lower()
    return name if name in LEVELS else _OTHER_NAMES.get(name, "info")

"""How an incident is looked into by fixed rules: which calls, and what follows each result.

It knows nothing of any one log. It finds where the errors are, reads where they begin and end,
and looks for changes around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from graphs.parts.log_lines import iso, read_time
from graphs.parts.log_results import LogLine
from graphs.parts.readings import Reading, Steps, read_all, together

__all__ = ["Evidence", "Gap", "Source", "investigate"]

SEARCH, READ = "search_logs", "read_file"

SOURCES = 3
"""Services that are looked into: those with the most errors."""

CHANGES = ("deploy", "rollback", "restart", "version")
"""Words of records that tell of a change."""

NOTICE = "alert"
"""Word of records that tell of somebody noticing."""

_BEFORE, _AFTER = timedelta(minutes=30), timedelta(minutes=15)
_AROUND = 5
"""Lines before and behind the first error that are read."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What was not read.

    Attributes:
        about: what was looked for: a service, a word or a log.
        read: records that were read.
        total: records that there are; None where it is not known.
        code: the failure's code; empty where only a part was read.
    """

    about: str
    read: int
    total: int | None
    code: str


@dataclass(frozen=True, slots=True)
class Source:
    """A service with errors.

    Attributes:
        service: its name.
        total: how many errors it has.
        first: its first error.
        last: its last error that was read.
    """

    service: str
    total: int
    first: LogLine
    last: LogLine


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an investigation has gathered.

    Attributes:
        total: how many errors there are.
        sources: the services with the most of them, the earliest first.
        changes: records that tell of a change around them, oldest first.
        notices: records that tell of somebody noticing.
        context: warnings and errors around the first one, oldest first.
        gaps: what was not read.
    """

    total: int
    sources: tuple[Source, ...] = ()
    changes: tuple[LogLine, ...] = ()
    notices: tuple[LogLine, ...] = ()
    context: tuple[LogLine, ...] = ()
    gaps: tuple[Gap, ...] = ()


def investigate(about: str) -> Steps[Evidence]:
    """Look into the errors of all logs.

    Args:
        about: the user's words; a service that they name is looked into first.
    """
    errors = yield from read_all(SEARCH, level="error")
    if errors.step == "narrow" and not errors.code:
        names = _most(errors.page.services, about)
        looked = yield from together([_look_into(name) for name in names])
        sources = [source for source, _ in looked if source]
        gaps = [gap for _, found in looked for gap in found]
    else:
        sources = _sources(errors.records)
        gaps = _gaps("error", errors)
    if not sources:
        return Evidence(errors.page.total, gaps=tuple(gaps))
    sources.sort(key=lambda one: one.first.time)
    around, noticed, *changed = yield from together(_look_around(sources))
    gaps += _gaps(sources[0].first.artifact, around)
    for word, found in zip((NOTICE, *CHANGES), (noticed, *changed), strict=True):
        gaps += _gaps(word, found)
    return Evidence(
        errors.page.total,
        tuple(sources),
        _in_order(one for found in changed for one in found.records if one.level != "debug"),
        _in_order(noticed.records),
        _in_order(one for one in around.records if one.level in {"warn", "error", "fatal"}),
        tuple(gaps),
    )


def _most(services: Mapping[str, int], about: str) -> list[str]:
    """The services to look into: those that the user names, then those with the most errors."""
    words = about.lower().split()
    return sorted(services, key=lambda name: name.lower() not in words)[:SOURCES]


def _look_into(service: str) -> Steps[tuple[Source | None, list[Gap]]]:
    """Where the errors of a service begin, and where they end."""
    asked = {"level": "error", "service": service}
    found = yield from read_all(SEARCH, **asked)
    records = found.records
    if found.step == "narrow" and not found.code:
        end = yield from read_all(SEARCH, **asked, since=found.page.last_time)
        records = [*records, *end.records]
    gaps = [replace(gap, read=len(records)) for gap in _gaps(service, found)]
    if not records:
        return None, gaps
    return Source(service, found.page.total, records[0], records[-1]), gaps


def _sources(records: Sequence[LogLine]) -> list[Source]:
    """The services with the most errors, of errors that were all read."""
    by_service: dict[str, list[LogLine]] = {}
    for record in records:
        by_service.setdefault(record.service, []).append(record)
    most = sorted(by_service.items(), key=lambda one: -len(one[1]))[:SOURCES]
    return [Source(name, len(found), found[0], found[-1]) for name, found in most]


def _look_around(sources: Sequence[Source]) -> list[Steps[Reading]]:
    """The lines around the first error, and every word for a change around all of them."""
    first = sources[0].first
    start = max(first.line - _AROUND, 1)
    window: dict[str, str] = {}
    if (begin := read_time(first.time)) and (end := read_time(max(o.last.time for o in sources))):
        window = {"since": iso(begin - _BEFORE), "until": iso(end + _AFTER)}
    return [
        read_all(READ, artifact=first.artifact, first_line=start, last_line=first.line + _AROUND),
        *(read_all(SEARCH, query=word, **window) for word in (NOTICE, *CHANGES)),
    ]


def _gaps(about: str, found: Reading) -> list[Gap]:
    return [] if found.is_whole else [Gap(about, len(found.records), found.total, found.code)]


def _in_order(records: Iterable[LogLine]) -> tuple[LogLine, ...]:
    """By time, every record once."""
    once = {(record.artifact, record.line): record for record in records}
    return tuple(sorted(once.values(), key=lambda one: (one.time, one.artifact, one.line)))

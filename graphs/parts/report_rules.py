"""An incident report out of what an investigation gathered, by fixed rules.

Every fact repeats what its record says; what follows from several records is an inference, and
is worded as one. Every quote is copied from its record.
"""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta

from graphs.parts.investigation import Evidence, Gap
from graphs.parts.log_lines import read_time
from graphs.parts.log_results import LogLine
from graphs.parts.request import Language
from schemas.incident_report import (
    Citation,
    ClaimKind,
    Finding,
    IncidentReport,
    Severity,
    TimelineEntry,
)

__all__ = ["make_report"]

MAX_EVENTS = 16
MAX_QUOTE = 160

_MAJOR = 100
"""Errors from which on an incident counts as major."""

_ENDING = timedelta(minutes=5)
"""How long after the last error a change may still be what ended it."""

_WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "title": "Errors in {services}",
        "no_title": "No errors in the logs",
        "summary": "The logs hold {total:,} errors; most are of {services}.",
        "no_summary": "The logs hold no record of level error or worse.",
        "failed_title": "The logs could not be searched",
        "failed_summary": "The search failed, so nothing is known.",
        "said": "{service} wrote: “{quote}”",
        "first_error": "{service} wrote its first error: “{quote}”",
        "cause": "The errors began after this change and are probably its effect: “{quote}”",
        "ended": "The errors probably ended because of this change: “{quote}”",
        "spread": "The errors of {later} follow those of {first} and are probably their effect.",
        "part": "“{about}”: {read:,} of {total:,} records were read.",
        "failed": "“{about}”: the search failed ({code}).",
        "nothing": "What goes wrong without being logged as an error cannot be seen here.",
        "no_change": "No record tells of a change in the half hour before the first error.",
    },
    "zh": {
        "title": "{services} 出现错误",
        "no_title": "日志中没有错误",
        "summary": "日志中有 {total:,} 条错误，主要来自 {services}。",
        "no_summary": "日志中没有 error 级别或更严重的记录。",
        "failed_title": "无法搜索日志",
        "failed_summary": "搜索失败，因此无从得知。",
        "said": "{service} 记录：“{quote}”",
        "first_error": "{service} 的第一条错误：“{quote}”",
        "cause": "错误在此变更之后开始，很可能由它引起：“{quote}”",
        "ended": "错误很可能因此变更而结束：“{quote}”",
        "spread": "{later} 的错误晚于 {first}，很可能由其引起。",
        "part": "“{about}”：读取了 {total:,} 条记录中的 {read:,} 条。",
        "failed": "“{about}”：搜索失败（{code}）。",
        "nothing": "未作为错误记录的问题在此无法看到。",
        "no_change": "第一条错误之前半小时内没有关于变更的记录。",
    },
}


def make_report(evidence: Evidence, language: Language) -> IncidentReport:
    """Write the report.

    Args:
        evidence: what was gathered.
        language: of the sentences; quotes stay as they are.
    """
    words = _WORDS[language]
    names = ", ".join(source.service for source in evidence.sources)
    gaps = [_gap(gap, words) for gap in evidence.gaps]
    if not evidence.sources:
        kind = "failed" if any(gap.code for gap in evidence.gaps) else "no"
        gaps = gaps or [words["nothing"]]
        return IncidentReport(
            title=words[f"{kind}_title"],
            severity="none",
            summary=words[f"{kind}_summary"],
            timeline=[],
            findings=[],
            gaps=gaps,
        )
    if _cause(evidence) is None:
        gaps.append(words["no_change"])
    return IncidentReport(
        title=words["title"].format(services=names),
        severity=_severity(evidence),
        summary=words["summary"].format(total=evidence.total, services=names),
        timeline=_timeline(evidence),
        findings=[*_facts(evidence, words), *_inferences(evidence, words)],
        gaps=gaps,
    )


def _severity(evidence: Evidence) -> Severity:
    if any(record.level == "fatal" for record in _records(evidence)):
        return "critical"
    return "major" if evidence.total >= _MAJOR else "minor"


def _records(evidence: Evidence) -> Iterator[LogLine]:
    yield from (record for one in evidence.sources for record in (one.first, one.last))
    yield from evidence.changes
    yield from evidence.notices


def _timeline(evidence: Evidence) -> list[TimelineEntry]:
    events: dict[tuple[str, int], TimelineEntry] = {}
    for record in _records(evidence):
        if len(events) < MAX_EVENTS and (time := read_time(record.time)):
            said = f"{record.service}: {_quote(record)}"
            entry = TimelineEntry(time=time, event=said, citations=[_cite(record)])
            events[record.artifact, record.line] = entry
    return sorted(events.values(), key=lambda entry: entry.time)


def _facts(evidence: Evidence, words: Mapping[str, str]) -> Iterator[Finding]:
    for source in evidence.sources:
        yield _claim("fact", words["first_error"], source.first)
    warned = [one for one in evidence.context if one.level == "warn"]
    same = [one for one in warned if one.service == evidence.sources[0].service]
    for record in same[:1]:
        yield _claim("fact", words["said"], record)
    for change in (_cause(evidence), _end(evidence)):
        if change:
            yield _claim("fact", words["said"], change)


def _inferences(evidence: Evidence, words: Mapping[str, str]) -> Iterator[Finding]:
    first, *later = evidence.sources
    if cause := _cause(evidence):
        yield _claim("inference", words["cause"], cause, first.first)
    if end := _end(evidence):
        last = max(evidence.sources, key=lambda one: one.last.time)
        yield _claim("inference", words["ended"], end, last.last)
    after = [one for one in later if one.first.time > first.first.time]
    if after:
        names = ", ".join(one.service for one in after)
        text = words["spread"].format(later=names, first=first.service)
        cited = [_cite(first.first), *(_cite(one.first) for one in after)]
        yield Finding(kind="inference", text=text, citations=cited)


def _cause(evidence: Evidence) -> LogLine | None:
    """Of the changes before the first error the newest, warnings before others."""
    before = [one for one in evidence.changes if one.time < evidence.sources[0].first.time]
    return max(before, key=lambda one: (one.level != "info", one.time), default=None)


def _end(evidence: Evidence) -> LogLine | None:
    """Of the changes since the first error the one that is nearest to the last, if it is near."""
    last = read_time(max(one.last.time for one in evidence.sources))
    near = [
        (abs(time - last), one.line, one)
        for one in evidence.changes
        if one.time > evidence.sources[0].first.time
        and last
        and (time := read_time(one.time))
        and abs(time - last) <= _ENDING
    ]
    return min(near)[2] if near else None


def _claim(kind: ClaimKind, text: str, quoted: LogLine, *others: LogLine) -> Finding:
    return Finding(
        kind=kind,
        text=text.format(service=quoted.service, quote=_quote(quoted)),
        citations=[_cite(one) for one in (quoted, *others)],
    )


def _cite(record: LogLine) -> Citation:
    return Citation(artifact=record.artifact, line=record.line, quote=_quote(record))


def _quote(record: LogLine) -> str:
    """Its message, or the beginning; half a number would be another number."""
    if len(record.message) <= MAX_QUOTE:
        return record.message
    begun = record.message[:MAX_QUOTE]
    return begun.rstrip("0123456789") or begun


def _gap(gap: Gap, words: Mapping[str, str]) -> str:
    if gap.code:
        return words["failed"].format(about=gap.about, code=gap.code)
    return words["part"].format(about=gap.about, read=gap.read, total=gap.total or 0)

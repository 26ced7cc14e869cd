"""Whether every citation of a report resolves: to a record that has the quoted words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from graphs.parts.log_files import log_index
from graphs.parts.log_lines import iso
from rendercall.errors import Issue
from rendercall.results.redaction import REDACTOR
from schemas.incident_report import Citation, IncidentReport

__all__ = ["check_citations"]

MIN_QUOTE = 12
"""Characters of a quote, where its line has as many: a letter is in every line."""


def check_citations(report: IncidentReport) -> Iterator[Issue]:
    """What is wrong with the citations; nothing where every one resolves.

    A citation resolves where its log is open, has the line, and the line, as the tools show it,
    has the quote. An event of the timeline must also have the time of a record that it cites, and
    every number of an event or a fact must stand in one of its records. (Whether the words of a
    claim follow from its records is for readers to judge: the quotes are beside it.)
    """
    for number, entry in enumerate(report.timeline):
        place = f"/timeline/{number}"
        records, issues = _resolve(entry.citations, f"{place}/citations")
        yield from issues
        if records and iso(entry.time) not in {record[0] for record in records}:
            message = "no cited record has this time; copy it from the record"
            yield Issue(f"{place}/time", "check", "time_not_cited", message)
        if not issues:
            yield from _unsaid(entry.event, records, f"{place}/event")
    for number, finding in enumerate(report.findings):
        place = f"/findings/{number}"
        records, issues = _resolve(finding.citations, f"{place}/citations")
        yield from issues
        if finding.kind == "fact" and not issues:
            yield from _unsaid(finding.text, records, f"{place}/text")


Said: TypeAlias = tuple[str, str, str]
"""Time, service and message of a record, as the tools show them."""


def _resolve(citations: Sequence[Citation], place: str) -> tuple[list[Said], list[Issue]]:
    """The records that are cited, and what is wrong with citations."""
    records: list[Said] = []
    issues: list[Issue] = []
    for number, citation in enumerate(citations):
        found = log_index().said(citation.artifact, citation.line)
        if found:
            time, service, message = found
            records.append((time, service, REDACTOR.text(message)))
            problem = _misquoted(citation.quote, records[-1])
        else:
            problem = _missing(citation.artifact)
        if problem:
            field, code, told = problem
            issues.append(Issue(f"{place}/{number}/{field}", "check", code, told))
    return records, issues


def _misquoted(quote: str, record: Said) -> tuple[str, str, str] | None:
    _, service, message = record
    if quote not in f"{service}: {message}":
        told = "the cited line does not have these words; copy them exactly"
        return "quote", "not_quoted", told
    if len(quote.strip()) < min(MIN_QUOTE, len(message.strip())):
        told = f"too short to say anything; copy {MIN_QUOTE} characters or the whole"
        return "quote", "short_quote", told
    return None


def _missing(artifact: str) -> tuple[str, str, str]:
    if any(log.id == artifact for log in log_index().logs):
        return "line", "no_such_line", "the log has no such line; cite a line that a tool has shown"
    return "artifact", "no_such_log", "no log has this id; copy it as the tools show it"


def _unsaid(claim: str, records: Sequence[Said], place: str) -> Iterator[Issue]:
    """A number in a claim that none of its records has."""
    said = set(_DIGITS.findall(_plain("\n".join("\n".join(record) for record in records))))
    if not said.issuperset(_NUMBER.findall(_plain(claim))):
        message = "a number here stands in no cited record; copy it, or make this an inference"
        yield Issue(place, "check", "number_not_cited", message)


def _plain(text: str) -> str:
    return _THOUSANDS.sub("", text)


_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"(?<![A-Za-z_-])(?<!\d)\d+")
"""A number, and no part of a name."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")

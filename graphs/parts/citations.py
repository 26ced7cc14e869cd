"""Whether every citation of a report resolves: to a record that has the quoted words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphs.parts.log_files import log_index
from graphs.parts.log_lines import iso
from rendercall.errors import Issue
from rendercall.results.redaction import REDACTOR
from schemas.incident_report import Citation, IncidentReport

__all__ = ["check_citations"]


def check_citations(report: IncidentReport) -> Iterator[Issue]:
    """What is wrong with the citations; nothing where every one resolves.

    A citation resolves where its log is open, has the line, and the line, as the
    tools show it, has the quote. An event
    of the timeline must also have the time of a record that it cites.
    """
    for number, entry in enumerate(report.timeline):
        place = f"/timeline/{number}"
        times, issues = _resolve(entry.citations, f"{place}/citations")
        yield from issues
        if times and iso(entry.time) not in times:
            message = "no cited record has this time; copy it from the record"
            yield Issue(f"{place}/time", "check", "time_not_cited", message)
    for number, finding in enumerate(report.findings):
        yield from _resolve(finding.citations, f"/findings/{number}/citations")[1]


def _resolve(citations: Sequence[Citation], place: str) -> tuple[list[str], list[Issue]]:
    """The times of the cited records, and what is wrong with the other citations."""
    index = log_index()
    known = {log.id for log in index.logs}
    times: list[str] = []
    issues: list[Issue] = []
    for number, citation in enumerate(citations):
        found = index.said(citation.artifact, citation.line)
        if found and citation.quote in REDACTOR.text(found[1]):
            times.append(found[0])
        elif found:
            message = "the cited line does not have these words; copy them exactly"
            issues.append(Issue(f"{place}/{number}/quote", "check", "not_quoted", message))
        elif citation.artifact in known:
            message = "the log has no such line; cite a line that a tool has shown"
            issues.append(Issue(f"{place}/{number}/line", "check", "no_such_line", message))
        else:
            message = "no log has this id; copy it as the tools show it"
            issues.append(Issue(f"{place}/{number}/artifact", "check", "no_such_log", message))
    return times, issues

"""The incident report: what `render_incident_report` shows."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

__all__ = ["Citation", "ClaimKind", "Finding", "IncidentReport", "Severity", "TimelineEntry"]

Severity: TypeAlias = Literal["critical", "major", "minor", "none"]
"""How bad it was, worst first; `none` where the records show no incident."""

ClaimKind: TypeAlias = Literal["fact", "inference"]
"""`fact`: a cited record says it. `inference`: it is concluded from the cited records."""

Text: TypeAlias = Annotated[str, Field(min_length=1)]


class Citation(BaseModel):
    """A record that supports a claim: one line of one log."""

    model_config = ConfigDict(extra="forbid")

    artifact: str = Field(min_length=1, description="Id of the log, as the tools name it.")
    line: int = Field(gt=0, description="Number of the line, counted from 1.")
    quote: str = Field(min_length=1, description="Words of that line, copied exactly.")


Citations: TypeAlias = Annotated[list[Citation], Field(min_length=1)]


class TimelineEntry(BaseModel):
    """One event of the incident."""

    model_config = ConfigDict(extra="forbid")

    time: AwareDatetime = Field(description="When, as a cited record has it.")
    event: Text = Field(description="What happened, in a few words.")
    citations: Citations = Field(description="The records that say so.")


class Finding(BaseModel):
    """One claim, and what it rests on."""

    model_config = ConfigDict(extra="forbid")

    kind: ClaimKind = Field(
        description="fact: a cited record says it. inference: you conclude it from the records."
    )
    text: Text = Field(description="The claim, one sentence.")
    citations: Citations = Field(description="The records that support it.")


class IncidentReport(BaseModel):
    """Show an incident report to the user. Call this once, as the final answer."""

    model_config = ConfigDict(extra="forbid")

    title: Text = Field(description="What happened, in a few words.")
    severity: Severity = Field(description="How bad it was.")
    summary: Text = Field(description="Two or three sentences; nothing that is not below.")
    timeline: list[TimelineEntry] = Field(description="The events, oldest first.")
    findings: list[Finding] = Field(description="The claims, facts before inferences.")
    gaps: list[Text] = Field(
        description="What the records do not show, or what was not read, one sentence each."
    )

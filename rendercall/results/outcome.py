"""What happened: four different things, told apart in type, text and event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from rendercall.results.tool_error import ToolError

__all__ = [
    "Covered",
    "Empty",
    "Failed",
    "Ok",
    "Outcome",
    "OutcomeName",
    "Truncated",
    "outcome_from_json",
]

OutcomeName: TypeAlias = Literal["ok", "empty", "truncated", "failed"]


@dataclass(frozen=True, slots=True)
class Covered:
    """The range that a result holds.

    Attributes:
        first: the first one, counted from 1.
        last: the last one, included.
        unit: what is counted.
    """

    first: int
    last: int
    unit: str = "records"


@dataclass(frozen=True, slots=True)
class Ok:
    """Everything that was asked for is here."""

    name: Literal["ok"] = "ok"

    def text(self) -> str:
        """Nothing needs to be said."""
        return ""

    def as_json(self) -> dict[str, Any]:
        """Its part of the artifact."""
        return {"outcome": self.name}


@dataclass(frozen=True, slots=True)
class Empty:
    """The search was made to its end, and there is nothing.

    Attributes:
        looked: what was looked through, e.g. "20,311 records"; it must not repeat the query.
    """

    looked: str = ""
    name: Literal["empty"] = "empty"

    def text(self) -> str:
        """That there is nothing, and that this is no failure."""
        where = f" in {self.looked}" if self.looked else ""
        return f"[empty: the search was complete, and nothing was found{where}]"

    def as_json(self) -> dict[str, Any]:
        """Its part of the artifact."""
        return {"outcome": self.name, "empty": {"looked": self.looked}}


@dataclass(frozen=True, slots=True)
class Truncated:
    """A part of what was asked for, with a way on.

    Attributes:
        next: arguments that get the next part, e.g. `{"cursor": "…"}` or `{"first_line": 201}`.
        covered: the range that is here.
        total: how many there are; None where nobody knows.
        reason: why it ends here, e.g. `max_items`, `max_bytes`, `repeated_cursor`.
    """

    next: Mapping[str, Any]
    covered: Covered
    total: int | None = None
    reason: str = ""
    name: Literal["truncated"] = "truncated"

    def __post_init__(self) -> None:
        """A cut without a way on would be a dead end that looks like an answer."""
        if not self.next:
            raise ValueError("Truncated needs a way on: next={'cursor': ...} or the like")

    def text(self) -> str:
        """What is here, what is not, and how to go on."""
        here, of = self.covered, "an unknown total" if self.total is None else f"{self.total:,}"
        on = ", ".join(f"{key}={value!r}" for key, value in self.next.items())
        why = f" ({self.reason})" if self.reason else ""
        return (
            f"[truncated{why}: {here.unit} {here.first:,}-{here.last:,} of {of}. "
            f"For more, call again with the same arguments and {on}]"
        )

    def as_json(self) -> dict[str, Any]:
        """Its part of the artifact."""
        told = {
            "next": dict(self.next),
            "covered": asdict(self.covered),
            "total": self.total,
            "reason": self.reason,
        }
        return {"outcome": self.name, "truncated": told}


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no result.

    Attributes:
        error: why.
    """

    error: ToolError
    name: Literal["failed"] = "failed"

    def text(self) -> str:
        """The error's words."""
        return f"[failed: {self.error.text()}]"

    def as_json(self) -> dict[str, Any]:
        """Its part of the artifact."""
        return {"outcome": self.name, "error": self.error.as_json()}


Outcome: TypeAlias = Ok | Empty | Truncated | Failed


_TRUNCATED = TypeAdapter(Truncated)
_EMPTY = TypeAdapter(Empty)


def outcome_from_json(artifact: Mapping[str, Any]) -> Outcome:
    """Read an outcome's part of an artifact; what cannot be read has failed."""
    name = artifact.get("outcome")
    try:
        if name == "ok":
            return Ok()
        if name == "empty":
            return _EMPTY.validate_python(artifact.get("empty") or {})
        if name == "truncated":
            return _TRUNCATED.validate_python(artifact.get("truncated"))
    except ValidationError:
        return Failed(ToolError("INTERNAL"))
    return Failed(ToolError.from_json(artifact.get("error")))

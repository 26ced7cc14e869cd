"""A tool's failure as data, and the exception that carries it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rendercall.errors import Issue, RenderCallError
from rendercall.results.error_codes import CODES, Code

__all__ = ["ToolError", "ToolFailed"]

MAX_ISSUES = 20
"""Issues named to the model at a time: more would cost more than they teach."""


@dataclass(frozen=True, slots=True)
class ToolError:
    """What is told about a failure.

    Attributes:
        code: what went wrong.
        message: what the model reads; that of the code where none is given. Whoever writes one
            must not put an exception's text into it.
        retryable: whether the same call may succeed later; the code's own by default.
        retry_after_ms: milliseconds to wait at least, where the service said so.
        issues: what is wrong with arguments or results: layer, JSON Pointer, rule, message.
        attempts: how often the tool was tried.
        reference: a word that finds the failure in the log; empty where nothing was logged.
    """

    code: Code
    message: str = ""
    retryable: bool | None = None
    retry_after_ms: int | None = None
    issues: tuple[Issue, ...] = ()
    attempts: int = 1
    reference: str = ""

    def __post_init__(self) -> None:
        """Take from the code what was not given."""
        row = CODES[self.code]
        object.__setattr__(self, "message", self.message or row.message)
        if self.retryable is None:
            object.__setattr__(self, "retryable", row.retryable)

    def final(self, *, replayable: bool, attempts: int) -> ToolError:
        """The error once the runtime has given up.

        A call that may have had its effect must not be made again: without `replayable` only a
        refusal for the rate is still retryable, because nothing was done.
        """
        retryable = bool(self.retryable) and (replayable or self.code == "RATE_LIMITED")
        return replace(self, retryable=retryable, attempts=attempts)

    def redacted(self, redact: Callable[[str], str]) -> ToolError:
        """The error with its words, and its places, as `redact` gives them."""
        issues = tuple(
            replace(one, pointer=redact(one.pointer), message=redact(one.message))
            for one in self.issues
        )
        return replace(self, message=redact(self.message), issues=issues)

    def text(self) -> str:
        """The words for the model: the code, the message, and each issue with its place."""
        lines = [f"{self.code}: {self.message}"]
        lines += [f"- {_told(issue)}" for issue in self.issues[:MAX_ISSUES]]
        if len(self.issues) > MAX_ISSUES:
            lines.append(f"- and {len(self.issues) - MAX_ISSUES} more")
        if self.retry_after_ms is not None:
            lines.append(f"Not before {self.retry_after_ms} ms from now.")
        if self.reference:
            lines.append(f"Reference: {self.reference}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, as it stands in a message's artifact and in an event."""
        told: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "retryable": self.retryable,
            "retry_after_ms": self.retry_after_ms,
            "attempts": self.attempts,
        }
        if self.issues:
            told["issues"] = [issue.to_json() for issue in self.issues]
        if self.reference:
            told["reference"] = self.reference
        return told

    @classmethod
    def from_json(cls, told: Any) -> ToolError:
        """Read `as_json`; what is no such thing, or of another version, is INTERNAL."""
        try:
            return _ERROR.validate_python(told)
        except ValidationError:
            return cls("INTERNAL")


_ERROR = TypeAdapter(ToolError)


class ToolFailed(RenderCallError):  # noqa: N818 - reads as what it says where it is raised
    """Raised by a tool to say how it failed, and by `require()` on a failed result.

    ```python
    raise ToolFailed("NOT_FOUND", "No lesson has this id. Call list_lessons for the ids.")
    ```

    Attributes:
        error: the failure.
    """

    def __init__(self, error: ToolError | Code, message: str = "", **fields: Any) -> None:
        self.error = error if isinstance(error, ToolError) else ToolError(error, message, **fields)
        super().__init__(self.error.text())


def _told(issue: Issue) -> str:
    return f"{issue.layer} {issue.pointer or '(whole)'}: {issue.message}"

"""The codes of failures: which may be tried again, who acts, and what is said about each.

The core is gRPC's (google.rpc.Code); what it lacks for tools is added. Only the runtime tries
again, never the model: see `rendercall.results.retry`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["CODES", "Actor", "Code", "CodeRow"]

Code: TypeAlias = Literal[
    "INVALID_ARGUMENT",
    "UNAUTHENTICATED",
    "FORBIDDEN",
    "NOT_FOUND",
    "CONFLICT",
    "FAILED_PRECONDITION",
    "RATE_LIMITED",
    "QUOTA_EXHAUSTED",
    "TIMEOUT",
    "UNAVAILABLE",
    "CANCELLED",
    "OUTPUT_INVALID",
    "OUTPUT_REJECTED",
    "SCHEMA_REJECTED",
    "TOO_LARGE",
    "UNSUPPORTED",
    "DATA_LOSS",
    "INTERNAL",
]
"""What went wrong, as a stable word."""

Actor: TypeAlias = Literal["model", "runtime", "user", "developer", "operator", "nobody"]
"""Who can do something about it."""


@dataclass(frozen=True, slots=True)
class CodeRow:
    """What a code means.

    Attributes:
        actor: who acts.
        message: what the model reads; it is ours, never an exception's own text.
        retryable: whether the same call may succeed later.
    """

    actor: Actor
    message: str
    retryable: bool = False


CODES: Mapping[Code, CodeRow] = {
    "INVALID_ARGUMENT": CodeRow(
        "model", "The arguments are not what the tool takes. Correct them and call again."
    ),
    "UNAUTHENTICATED": CodeRow(
        "user", "The service does not know who asks. The user must sign in again."
    ),
    "FORBIDDEN": CodeRow(
        "user", "This is not allowed for the user. Do not try again; say what is missing."
    ),
    "NOT_FOUND": CodeRow("model", "There is no such thing. Look for another name or id."),
    "CONFLICT": CodeRow(
        "model", "It was changed by somebody else. Read it again before you change it."
    ),
    "FAILED_PRECONDITION": CodeRow(
        "model", "It is not in the state that this needs. Change that state first."
    ),
    "RATE_LIMITED": CodeRow(
        "runtime",
        "The service takes no more calls for now. Go on without it, or stop.",
        retryable=True,
    ),
    "QUOTA_EXHAUSTED": CodeRow(
        "operator", "The quota is used up. Do not try again; say what is missing."
    ),
    "TIMEOUT": CodeRow(
        "runtime", "It took too long and was stopped. Ask for less.", retryable=True
    ),
    "UNAVAILABLE": CodeRow(
        "runtime", "The service cannot be reached now. Go on without it, or stop.", retryable=True
    ),
    "CANCELLED": CodeRow("nobody", "The call was stopped."),
    "OUTPUT_INVALID": CodeRow(
        "developer", "The tool gave a result that breaks its own schema; it is not shown."
    ),
    "OUTPUT_REJECTED": CodeRow("model", "The result was refused because of what it holds."),
    "SCHEMA_REJECTED": CodeRow("developer", "The tool's schema was refused."),
    "TOO_LARGE": CodeRow("model", "It is too large. Narrow it down, or ask page by page."),
    "UNSUPPORTED": CodeRow("developer", "The service cannot do this."),
    "DATA_LOSS": CodeRow("operator", "What was stored is not what was saved; it cannot be used."),
    "INTERNAL": CodeRow(
        "operator", "The tool failed. Do not call it again the same way; go on without it."
    ),
}
"""Every code's row. An exception that nobody knows is INTERNAL, and is not tried again."""

"""What a provider says no with, and what its rules share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Refusal", "listed"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request refused by a published rule.

    Attributes:
        status: the HTTP status.
        body: the provider's own error JSON.
        message: the sentence in it that names the rule and the place.
    """

    status: int
    body: dict[str, Any]
    message: str


def listed(value: Any) -> list[Any]:
    """An optional JSON array: null and absent are the empty one."""
    return list(value or ())

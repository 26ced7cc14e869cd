"""The UI summary: what people see of a tool call while it runs and after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from rendercall.card.words import Language
from rendercall.results import words
from rendercall.results.outcome import Failed, Outcome

__all__ = ["Label", "Summary", "SummaryStatus", "summary_of", "title_of"]

SummaryStatus: TypeAlias = Literal["running", "waiting", "success", "error"]

Label: TypeAlias = str | Mapping[Language, str]
"""A tool's name for people, in one language for all, or in each."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A tool call in a line, in each language.

    It is made of the tool's label, the outcome and counts alone: no argument, no query, no
    word of a result can be in it.

    Attributes:
        status: how it is.
        title: the tool's label, by language.
        detail: a few words more, by language; empty where there is nothing to say.
    """

    status: SummaryStatus
    title: Mapping[Language, str]
    detail: Mapping[Language, str]

    def as_json(self) -> dict[str, Any]:
        """Plain JSON: `status`, and `title` and `detail` by language."""
        return {"status": self.status, "title": dict(self.title), "detail": dict(self.detail)}

    @classmethod
    def from_json(cls, told: Any) -> Summary | None:
        """Read `as_json`; None where it is no such thing."""
        try:
            return _SUMMARY.validate_python(told)
        except ValidationError:
            return None

    @classmethod
    def of(
        cls, label: Label, status: SummaryStatus, tell: Callable[[Language], str] = lambda _: ""
    ) -> Summary:
        """Make one.

        Args:
            label: the tool's.
            status: how it is.
            tell: the detail in a language.
        """
        return cls(status, title_of(label), {one: tell(one) for one in words.LANGUAGES})


_SUMMARY = TypeAdapter(Summary)


def title_of(label: Label) -> dict[Language, str]:
    """A label in every language; where one is missing, another stands for it."""
    if isinstance(label, str):
        return dict.fromkeys(words.LANGUAGES, label)
    any_one = next(iter(label.values()), "")
    return {one: label.get(one, any_one) for one in words.LANGUAGES}


def summary_of(label: Label, outcome: Outcome) -> Summary:
    """What an outcome looks like."""
    status: SummaryStatus = "error" if isinstance(outcome, Failed) else "success"
    return Summary.of(label, status, lambda language: words.detail_of(outcome, language))

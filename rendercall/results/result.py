"""What a tool's function returns: one channel for the model, one for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from rendercall.results.error_codes import Code
from rendercall.results.outcome import Covered, Empty, Failed, Ok, Outcome, Truncated
from rendercall.results.tool_error import ToolError

__all__ = ["Content", "Replacement", "ToolResult"]

Content: TypeAlias = str | Sequence[Mapping[str, Any]]
"""Text, or content blocks as LangChain has them: `{"type": "text", …}`, `{"type": "image", …}`."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of one tool call.

    Attributes:
        content: what the model reads. The outcome's own words are added to it.
        structured: the complete result for programs: what the tool's `output` schema says. A
            Pydantic model, a dataclass or plain JSON.
        details: more for the interface and the log; no schema.
        usage: what it cost, e.g. `{"tokens": 812, "usd": 0.003}`.
        is_error: whether it failed. Content and details of a failure may carry diagnostics.
        terminate: the run ends after this batch of calls when every result of it says so.
        outcome: `Ok` by default, `Failed` where `is_error`; see `rendercall.results.outcome`.

    `structured`, `details` and `usage` never enter the model's messages. They are stored with
    the thread and sent to clients of the API: they are no place for secrets.
    """

    content: Content = ""
    structured: Any = None
    details: Any = None
    usage: Mapping[str, int | float] | None = None
    is_error: bool = False
    terminate: bool = False
    outcome: Outcome = field(default_factory=Ok)

    def __post_init__(self) -> None:
        """Keep `is_error` and `outcome` from saying different things."""
        if isinstance(self.outcome, Failed):
            object.__setattr__(self, "is_error", True)
        elif self.is_error:
            object.__setattr__(self, "outcome", Failed(ToolError("INTERNAL")))

    @classmethod
    def empty(cls, structured: Any = None, *, looked: str = "", **fields: Any) -> ToolResult:
        """Nothing was found by a search that was complete.

        Args:
            structured: the result, empty as it is.
            looked: what was looked through; it must not repeat the query.
            fields: as for the class.
        """
        return cls(structured=structured, outcome=Empty(looked), **fields)

    @classmethod
    def truncated(
        cls,
        content: Content,
        structured: Any = None,
        *,
        next: Mapping[str, Any],  # noqa: A002 - the field's own name
        covered: Covered,
        total: int | None = None,
        reason: str = "",
        **fields: Any,
    ) -> ToolResult:
        """A part, with the way on.

        Args:
            content: what the model reads.
            structured: the part, for programs.
            next: arguments that get the next part.
            covered: the range that is here.
            total: how many there are, where known.
            reason: why it ends here.
            fields: as for the class.
        """
        outcome = Truncated(next, covered, total, reason)
        return cls(content, structured, outcome=outcome, **fields)

    @classmethod
    def failed(cls, error: ToolError | Code, message: str = "", **fields: Any) -> ToolResult:
        """A failure that the tool itself found; an exception does as well.

        Args:
            error: the failure, or its code.
            message: what the model reads; that of the code by default.
            fields: as for the class.
        """
        told = error if isinstance(error, ToolError) else ToolError(error, message)
        return cls(outcome=Failed(told), **fields)


class _Kept:
    """Stands for a field that a hook leaves as it is."""

    def __repr__(self) -> str:
        return "KEPT"


KEPT: Any = _Kept()


@dataclass(frozen=True, slots=True)
class Replacement:
    """What an after-tool hook puts in place of fields of a result; the others stay.

    Content that is replaced alone drops `structured`, since the two might no longer agree: give
    both to keep both. `structured` that is replaced alone leaves the content.
    """

    content: Any = KEPT
    structured: Any = KEPT
    details: Any = KEPT
    usage: Any = KEPT
    is_error: Any = KEPT
    terminate: Any = KEPT
    outcome: Any = KEPT

    @property
    def drops_structured(self) -> bool:
        """Whether the structured result is lost."""
        return self.content is not KEPT and self.structured is KEPT

    def over(self, result: ToolResult) -> ToolResult:
        """The result with this in it."""
        given = {
            name: value for name in self.__slots__ if (value := getattr(self, name)) is not KEPT
        }
        if self.drops_structured:
            given["structured"] = None
        if given.get("is_error") is False and isinstance(result.outcome, Failed):
            given.setdefault("outcome", Ok())
        elif "outcome" in given and not isinstance(given["outcome"], Failed):
            given.setdefault("is_error", False)
        return replace(result, **given)

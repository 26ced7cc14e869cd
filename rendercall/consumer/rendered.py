"""The outcome of a render call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from rendercall.contract import Notice, RenderTool
from rendercall.errors import Issue, IssueKind, RenderNotOk

__all__ = ["Rendered", "Status"]

T = TypeVar("T")

Status: TypeAlias = Literal[
    "ok",
    "partial",
    "invalid",
    "truncated",
    "filtered",
    "refused",
    "failed",
    "absent",
    "aborted",
]
"""The closed set of outcomes:

- `ok`: the checked value.
- `partial`: still arriving.
- `invalid`: finished, but not what the schema or the bounds ask for.
- `truncated`: cut off, at a token limit or by a broken connection.
- `filtered`: the provider's content filter stopped it.
- `refused`: the model refused.
- `failed`: no usable answer: an empty message, a call that the provider calls malformed,
  or a call that the graph did not show.
- `absent`: the current turn has no render call.
- `aborted`: the run was cancelled while the call arrived.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered(Generic[T]):
    """A render call as it was read, in one of nine states.

    Attributes:
        status: what became of it.
        tool: the render tool that was called; None where none was.
        value: the checked value, only when `ok`.
        errors: why it is not `ok`, each with a JSON Pointer. Empty when `ok` or `absent`.
        warnings: what is worth knowing about an `ok` one.
        call_id: id of the tool call.
        message_id: id of the AI message.
        args_text: the args as JSON text, whatever the status; None without a call.
        finish_reason: the provider's own word for why the model stopped.
        refusal: the refusal's text, where the provider gave one.
    """

    status: Status
    tool: RenderTool[T] | None = None
    value: T | None = None
    errors: tuple[Issue, ...] = ()
    warnings: tuple[Notice, ...] = ()
    call_id: str | None = None
    message_id: str | None = None
    args_text: str | None = None
    finish_reason: str | None = None
    refusal: str | None = None

    @property
    def error_kind(self) -> IssueKind | None:
        """The layer that refused first; None without errors."""
        return self.errors[0].kind if self.errors else None

    def require(self) -> T:
        """Give the value of an `ok` result.

        Raises:
            RenderNotOk: any other status; it carries the status and every error.
        """
        if self.status == "ok" and self.value is not None:
            return self.value
        reasons = "; ".join(map(str, self.errors)) or "no render call in the current turn"
        raise RenderNotOk(f"the result is {self.status}: {reasons}", self.status, self.errors)

    def __repr__(self) -> str:
        name = self.tool.name if self.tool else "no call"
        detail = repr(self.value) if self.status == "ok" else "; ".join(map(str, self.errors))
        return f"<Rendered {self.status}: {name} {detail}>".replace(" >", ">")

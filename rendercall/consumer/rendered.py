"""The outcome of a render call."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic_core import to_jsonable_python

from rendercall.card.layout import lay_out
from rendercall.card.markup import snippet
from rendercall.card.words import language_of_environment
from rendercall.consumer.cost import Cost
from rendercall.contract import Notice, RenderTool
from rendercall.contract.finding import Finding
from rendercall.contract.status import Status
from rendercall.errors import Issue, IssueKind, Layer, RenderNotOk

__all__ = ["Rendered", "Status"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered(Generic[T]):
    """A render call as it was read, in one of nine states.

    Attributes:
        status: what became of it.
        tool: the render tool that was called; None where none was.
        value: the checked value, only when `ok`.
        errors: why it is not `ok`, each with a JSON Pointer. Empty when `ok` or `absent`.
        warnings: what is worth knowing about an `ok` one.
        findings: what the strings of its args could be taken for; where the policy rejects one,
            the status is `invalid` and the layer `text`.
        call_id: id of the tool call.
        message_id: id of the AI message.
        args_text: the args as JSON text, whatever the status; None without a call.
        finish_reason: the provider's own word for why the model stopped.
        refusal: the refusal's text, where the provider gave one.
        cost: what the turn has cost, where a render graph kept the ledger; two outcomes are
            equal whatever they cost.
    """

    status: Status
    tool: RenderTool[T] | None = None
    value: T | None = None
    errors: tuple[Issue, ...] = ()
    warnings: tuple[Notice, ...] = ()
    findings: tuple[Finding, ...] = ()
    call_id: str | None = None
    message_id: str | None = None
    args_text: str | None = None
    finish_reason: str | None = None
    refusal: str | None = None
    cost: Cost | None = field(default=None, compare=False)

    @property
    def error_kind(self) -> IssueKind | None:
        """What was found wrong first; None without errors."""
        return self.errors[0].kind if self.errors else None

    @property
    def layer(self) -> Layer | None:
        """The layer that refused it; None without errors."""
        return self.errors[0].layer if self.errors else None

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

    def _repr_html_(self) -> str:
        """The card in a notebook; of anything but an `ok` result, the reasons alone."""
        card = None
        if self.status == "ok" and self.tool is not None:
            card = lay_out(self.tool.schema, to_jsonable_python(self.value), complete=True)
        language = language_of_environment(os.environ)
        return snippet(card, self.status, language, issues=self.errors)

"""What a check makes of the args of one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from rendercall.contract.args import Args, ArgsState, Notice
from rendercall.contract.finding import Finding
from rendercall.errors import Issue

__all__ = ["Checker", "Verdict"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verdict(Generic[T]):
    """The judgement on one call's args.

    Attributes:
        state: `complete` means valid: there is a value. `incomplete` is a cut-off.
        value: the checked value; None unless `complete`.
        issues: every error, none if `complete`.
        notices: what a reader of a valid answer should know.
        findings: what its strings could be taken for; a verdict on the text may rest on them.
    """

    state: ArgsState
    value: T | None = None
    issues: tuple[Issue, ...] = ()
    notices: tuple[Notice, ...] = ()
    findings: tuple[Finding, ...] = ()


class Checker(Protocol[T]):
    """Turns args that kept the bounds into a typed value, or says what is wrong with them."""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the args (2020-12 unless it says otherwise)."""
        ...

    def check(self, args: Args) -> Verdict[T]:
        """Judge `complete` args."""
        ...

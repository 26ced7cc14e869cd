"""A structured result, read where it is used: the error state first, then checked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

from langchain_core.messages import ToolMessage
from pydantic import TypeAdapter

from rendercall.errors import Issue
from rendercall.results import tool_events
from rendercall.results.outcome import Failed, Outcome, outcome_from_json
from rendercall.results.output_check import Output, OutputCheck
from rendercall.results.summary import Summary
from rendercall.results.tool_error import ToolError, ToolFailed
from rendercall.results.tool_message import artifact_of, outcome_of

__all__ = ["ReadResult", "tool_result"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReadResult(Generic[T]):
    """What a program knows of one tool call.

    Attributes:
        tool: the tool's name.
        call_id: the call's id.
        outcome: what happened: `Ok`, `Empty`, `Truncated` or `Failed`.
        value: the structured result; None where it failed, or where a hook dropped it.
        details: more for the interface and the log; also of a failure.
        usage: what it cost.
        summary: the UI summary; None where the message has none.
    """

    tool: str
    call_id: str
    outcome: Outcome
    value: T | None = None
    details: Any = None
    usage: Mapping[str, Any] | None = None
    summary: Summary | None = None

    @property
    def error(self) -> ToolError | None:
        """Why there is no result; None where there is one."""
        return self.outcome.error if isinstance(self.outcome, Failed) else None

    def require(self) -> T:
        """The value.

        Raises:
            ToolFailed: the call failed, or there is no structured result.
        """
        if self.error is not None:
            raise ToolFailed(self.error)
        if self.value is None:
            raise ToolFailed("OUTPUT_INVALID", "A hook replaced the text and dropped the result.")
        return self.value


@overload
def tool_result(source: Any, output: type[T] | TypeAdapter[T]) -> ReadResult[T]: ...
@overload
def tool_result(source: Any, output: dict[str, Any]) -> ReadResult[Any]: ...
def tool_result(source: Any, output: Output[Any]) -> ReadResult[Any]:
    """Read the result of one tool call.

    Args:
        source: a `ToolMessage`, or one as the server's API gives it; the pair that `messages`
            mode streams; an `end` event of the `custom` stream, as it is, as a pair with its
            mode, as the SDK's part, or inside a v3 event.
        output: what the result must be: what the tool declares, or what this program needs.

    Returns:
        The result. Where it is not what `output` says, the outcome is `Failed` with the code
        OUTPUT_INVALID and the places.

    Raises:
        TypeError: the source is none of these.
    """
    told = _unwrapped(source)
    if isinstance(told, Mapping) and told.get("type") == tool_events.TYPE:
        held = told.get("result")
        artifact = held if isinstance(held, Mapping) else {}
        is_error, outcome = bool(told.get("is_error")), outcome_from_json(artifact)
        name, call_id = told.get("name"), told.get("tool_call_id")
    else:
        artifact, outcome = artifact_of(told) or {}, outcome_of(told)
        is_error, name, call_id = False, _field(told, "name"), _field(told, "tool_call_id")
    if is_error and not isinstance(outcome, Failed):
        outcome = Failed(ToolError("INTERNAL"))
    return _read(str(name or ""), str(call_id or ""), artifact, outcome, OutputCheck(output))


def _read(
    name: str, call_id: str, artifact: Mapping[str, Any], outcome: Outcome, check: OutputCheck[T]
) -> ReadResult[T]:
    value: T | None = None
    if not isinstance(outcome, Failed) and not artifact.get("structured_dropped"):
        verdict = check.check(artifact.get("structured"))
        value = verdict.value
        if verdict.issues:
            outcome = _invalid(verdict.issues)
    return ReadResult(
        name,
        call_id,
        outcome,
        value,
        artifact.get("details"),
        artifact.get("usage"),
        Summary.from_json(artifact.get("summary")),
    )


def _invalid(issues: Sequence[Issue]) -> Failed:
    return Failed(ToolError("OUTPUT_INVALID", issues=tuple(issues)))


def _unwrapped(source: Any) -> Any:
    """The message or the event in whatever streams put around it."""
    if isinstance(source, ToolMessage):
        return source
    if isinstance(source, Mapping):
        if source.get("type") in ("tool", "ToolMessage", tool_events.TYPE):
            return source
        inner = source.get("params", source)  # a v3 event has its data there
        if isinstance(inner, Mapping) and "data" in inner:
            return _unwrapped(inner["data"])
        if "payload" in source:
            return _unwrapped(source["payload"])
    elif getattr(source, "data", None) is not None:  # a part of the SDK's
        return _unwrapped(source.data)
    elif isinstance(source, Sequence) and not isinstance(source, str):
        for one in source:
            if isinstance(one, ToolMessage | Mapping):
                return _unwrapped(one)
    raise TypeError("tool_result reads a ToolMessage or an end event of a tool")


def _field(message: Any, name: str) -> Any:
    return message.get(name) if isinstance(message, Mapping) else getattr(message, name)

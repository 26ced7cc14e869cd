"""A result as a `ToolMessage`: text for the model, an artifact of plain JSON for programs.

The artifact is one JSON object; what is null is left out:

- `type`: `"tool_result"`; `outcome`: `ok`, `empty`, `truncated` or `failed`.
- `structured`, `details`, `usage`, `terminate`: as the tool gave them, redacted.
- `structured_dropped`: true where a hook replaced the text alone.
- `empty`, `truncated` or `error`: what belongs to the outcome.
- `summary`: the UI summary.

It is stored with the thread and sent to clients of the API, never to the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import ToolMessage

from rendercall.results.outcome import Failed, Ok, Outcome, outcome_from_json
from rendercall.results.redaction import REDACTOR, Redactor
from rendercall.results.result import ToolResult
from rendercall.results.summary import Label, summary_of
from rendercall.results.tool_error import ToolError

__all__ = ["TYPE", "artifact_of", "failed_message", "message_of", "outcome_of", "terminates"]

TYPE = "tool_result"


def message_of(
    result: ToolResult, *, name: str, call_id: str, label: Label, dropped: bool = False
) -> ToolMessage:
    """Write a result whose `structured` and `details` are plain JSON.

    Args:
        result: the result.
        name: of the tool.
        call_id: of the call.
        label: the tool's, for people.
        dropped: whether a hook replaced the text without the structured result.
    """
    told = {
        "structured": result.structured,
        "details": result.details,
        "usage": None if result.usage is None else dict(result.usage),
        "terminate": result.terminate or None,
        "structured_dropped": dropped or None,
    }
    artifact = {
        "type": TYPE,
        **result.outcome.as_json(),
        **{key: value for key, value in told.items() if value is not None},
        "summary": summary_of(label, result.outcome).as_json(),
    }
    return ToolMessage(
        _content(result),
        artifact=artifact,
        tool_call_id=call_id,
        name=name,
        status="error" if result.is_error else "success",
    )


def failed_message(
    error: ToolError, *, name: str, call_id: str, label: Label, redactor: Redactor = REDACTOR
) -> ToolMessage:
    """A failure that is all there is to say; whoever raised it may have written anything."""
    failed = ToolResult.failed(error.redacted(redactor.text))
    return message_of(failed, name=name, call_id=call_id, label=label)


def _content(result: ToolResult) -> Any:
    """The tool's own words, and after them the outcome's."""
    told = result.outcome.text()
    if isinstance(result.content, str):
        return "\n".join(part for part in (result.content, told) if part)
    blocks = [dict(block) for block in result.content]
    return [*blocks, {"type": "text", "text": told}] if told else blocks


def artifact_of(message: ToolMessage | Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The artifact of a structured result; None where the message has none."""
    held = message.artifact if isinstance(message, ToolMessage) else message.get("artifact")
    return held if isinstance(held, Mapping) and held.get("type") == TYPE else None


def outcome_of(message: ToolMessage | Mapping[str, Any]) -> Outcome:
    """What happened, by the message's status first, then by its artifact."""
    status = message.status if isinstance(message, ToolMessage) else message.get("status")
    artifact = artifact_of(message)
    outcome = Ok() if artifact is None else outcome_from_json(artifact)
    if status == "error" and not isinstance(outcome, Failed):
        return Failed(ToolError("INTERNAL"))
    return outcome


def terminates(message: ToolMessage) -> bool:
    """Whether the result asks for the run to end after its batch."""
    return bool((artifact_of(message) or {}).get("terminate"))

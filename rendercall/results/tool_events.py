"""Events of a tool call, as they stand in the run's `custom` stream.

An event is one JSON object:

- `type`: `"tool_event"`; `event`: `start`, `progress`, `waiting` or `end`.
- `tool_call_id`, `name`: whose event it is.
- `summary`: the UI summary: `status`, and `title` and `detail` by language.
- `progress`: only in that one: `done`, and `total` where it is known.
- only in `end`: `outcome`, `is_error`, `duration_ms`, `result`, which equals the artifact of the
  tool's message, and null where the tool has none.

A tool's arguments and its text for the model are not in it: those are in the messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.messages import ToolMessage

from rendercall.card.words import Language
from rendercall.results import words
from rendercall.results.current_call import current_call, emit
from rendercall.results.outcome import Failed
from rendercall.results.summary import Label, Summary, summary_of
from rendercall.results.tool_message import artifact_of, outcome_of

__all__ = ["TYPE", "end_event", "report_progress", "report_retry", "start_event", "waiting_event"]

TYPE = "tool_event"


def start_event(call_id: str, name: str, label: Label) -> dict[str, Any]:
    """The tool begins."""
    return _event("start", call_id, name, Summary.of(label, "running"))


def end_event(message: ToolMessage, label: Label, seconds: float) -> dict[str, Any]:
    """The tool has ended, and this is its message."""
    outcome = outcome_of(message)
    return {
        **_event("end", message.tool_call_id, message.name or "", summary_of(label, outcome)),
        "outcome": outcome.name,
        "is_error": isinstance(outcome, Failed),
        "duration_ms": round(seconds * 1000),
        "result": artifact_of(message),
    }


def waiting_event(
    call_id: str, name: str, label: Label, why: Callable[[Language], str]
) -> dict[str, Any]:
    """The tool waits.

    Args:
        call_id: of the call.
        name: of the tool.
        label: the tool's.
        why: for what, in a language: `words.taking_turns` or `words.answering`.
    """
    return _event("waiting", call_id, name, Summary.of(label, "waiting", why))


def report_retry(seconds: float) -> None:
    """Tell that the call that is running waits before it is tried again."""
    call = current_call()
    emit(
        waiting_event(call.call_id, call.tool, call.label, lambda one: words.retrying(seconds, one))
    )


def report_progress(done: int, total: int | None = None) -> None:
    """Tell how far the call that is running is; for the function of a structured tool.

    Args:
        done: how much is done.
        total: of how much, where it is known.

    Raises:
        ToolFailed: the call has timed out, and nobody waits for it: let this end the function.
        LookupError: no structured tool is running here.
    """
    call = current_call()
    call.check()
    summary = Summary.of(call.label, "running", lambda one: words.progress(done, total, one))
    told = {"done": done} if total is None else {"done": done, "total": total}
    emit({**_event("progress", call.call_id, call.tool, summary), "progress": told})


def _event(kind: str, call_id: str, name: str, summary: Summary) -> dict[str, Any]:
    return {
        "type": TYPE,
        "event": kind,
        "tool_call_id": call_id,
        "name": name,
        "summary": summary.as_json(),
    }

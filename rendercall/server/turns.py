"""A thread as the page shows it: one entry a turn, read by the rules of `last_render`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from pydantic_core import to_jsonable_python

from rendercall.consumer.messages import read_message
from rendercall.consumer.rendered import Rendered
from rendercall.consumer.scan import last_render
from rendercall.consumer.sources import messages_of
from rendercall.contract import RenderTool, read_args
from rendercall.errors import Issue
from rendercall.models import RULE_BASED
from rendercall.results.tool_message import artifact_of

__all__ = ["turns_of"]

_RUN_ERROR = Issue("", "aborted", "run_error", "the run ended with an error")
_STOPPED = Issue("", "aborted", "aborted", "the run was stopped")


def turns_of(
    state: Any, thread_status: str, tools: Sequence[RenderTool[Any]], *, only_last: bool = False
) -> list[dict[str, Any]]:
    """Read every turn of a thread, oldest first.

    Args:
        state: the thread's state, as LangGraph's server gives it.
        thread_status: `idle`, `busy`, `interrupted` or `error`, as the server gives it.
        tools: the render tools that may have been called.
        only_last: leave out the turns before the last one.

    Returns:
        For each turn:

        - `human`: what was asked. `text`: what the last AI message says beside its calls.
        - `status`, `tool`, `message_id`, `call_id`, `value`, `errors`, `warnings` and
          `refusal`: as in `Rendered`. An `ok` value is what the model wrote, with no default
          filled in, so that it is what the stream has shown.
        - `steps`: of each structured result its `tool_call_id`, the tool's `name` and the UI
          `summary`; nothing else of it.
        - `raw`: the args as JSON text, where the call is not `ok`.
        - `model`: the name that the model gave itself; None where it gave none.
        - `is_rule_based`: whether that is the rule-based planner.
    """
    *earlier, last = _split(messages_of(state)) or [[]]
    told = [] if only_last else [_turn(one, last_render(one, tools)) for one in earlier]
    if last:
        shown = last_render(last, tools)
        shown = _as_run_ended(shown, thread_status, has_interrupts=bool(_interrupts(state)))
        told.append(_turn(last, shown))
    return told


def _split(messages: Sequence[Any]) -> list[list[Any]]:
    """Cut the history before every human message."""
    turns: list[list[Any]] = []
    for message in messages:
        if read_message(message).role == "human" or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def _as_run_ended(
    shown: Rendered[Any], thread_status: str, *, has_interrupts: bool
) -> Rendered[Any]:
    """The last turn's outcome, or how its run ended before it wrote one.

    What an exception said stays in the server's log: it may hold secrets.
    """
    if thread_status == "busy":
        return Rendered(status="partial")
    if shown.status == "ok":
        return shown
    if thread_status == "error":
        return Rendered(status="failed", errors=(_RUN_ERROR,))
    if thread_status == "interrupted" and not has_interrupts:
        return Rendered(status="aborted", errors=(_STOPPED,))
    return shown


def _interrupts(state: Any) -> Any:
    return state.get("interrupts") if isinstance(state, Mapping) else None


def _turn(messages: Sequence[Any], shown: Rendered[Any]) -> dict[str, Any]:
    humans = [one for one in messages if read_message(one).role == "human"]
    answers = [one for one in messages if read_message(one).role == "ai"]
    model = _model_of(answers[-1]) if answers else None
    return {
        "human": _text(humans[0]) if humans else "",
        "text": _text(answers[-1]) if answers else "",
        "status": shown.status,
        "tool": shown.tool and shown.tool.name,
        "message_id": shown.message_id,
        "call_id": shown.call_id,
        "value": _value(shown),
        "errors": [issue.to_json() for issue in shown.errors],
        "warnings": [asdict(notice) for notice in shown.warnings],
        "refusal": shown.refusal,
        "steps": _steps(messages),
        "raw": None if shown.status == "ok" else shown.args_text,
        "model": model,
        "is_rule_based": model == RULE_BASED,
    }


def _steps(messages: Sequence[Any]) -> list[dict[str, Any]]:
    """What the tools' messages have stored for people."""
    results = [(one, artifact_of(one)) for one in messages if read_message(one).role == "tool"]
    return [
        {
            "tool_call_id": one.get("tool_call_id"),
            "name": one.get("name"),
            "summary": artifact.get("summary"),
        }
        for one, artifact in results
        if artifact is not None
    ]


def _value(shown: Rendered[Any]) -> Any:
    """The args as the model wrote them; as they were mended, where that was needed."""
    if shown.status != "ok" or shown.tool is None:
        return None
    args = read_args(shown.args_text or "", shown.tool.bounds)
    if args.state == "complete":
        return args.value
    return to_jsonable_python(shown.value, by_alias=True)


def _model_of(message: Mapping[str, Any]) -> str | None:
    metadata: Mapping[str, Any] = message.get("response_metadata") or {}
    return metadata.get("model_name") or metadata.get("model")


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    blocks = cast("Sequence[Any]", content or ())
    return "".join(one["text"] for one in blocks if isinstance(one, Mapping) and "text" in one)

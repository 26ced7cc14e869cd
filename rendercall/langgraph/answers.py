"""Tool messages that the graph writes itself, because no tool will answer those calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from langchain_core.messages import ToolMessage

from rendercall.consumer.messages import Call
from rendercall.errors import Issue
from rendercall.langgraph.notes import KEY

__all__ = ["answer", "ask_again", "not_run", "not_yet", "shown", "superseded", "unknown_tool"]

MAX_ISSUES = 20
"""Errors named to the model at a time: more would cost more than they teach."""


def answer(message_id: str | None, call: Call, text: str, reason: str) -> ToolMessage:
    """An answer with a stable id, so that the same answer is never added twice."""
    return ToolMessage(
        text,
        tool_call_id=call.id,
        id=f"ack-{message_id}-{call.id}",
        name=call.name or "unknown",
        status="success" if reason == "shown" else "error",
        additional_kwargs={KEY: {"reason": reason}},
    )


def shown() -> str:
    """The call was what it should be."""
    return "Shown to the user."


def ask_again(name: str, issues: Sequence[Issue]) -> str:
    """Every error with its place, and what to do; no echo of the value."""
    lines = [f"- {issue}" for issue in issues[:MAX_ISSUES]]
    if len(issues) > MAX_ISSUES:
        lines.append(f"- and {len(issues) - MAX_ISSUES} more")
    if any(issue.kind == "truncated" for issue in issues):
        return "\n".join(
            ["Not shown: the args were cut off.", f"Call {name} again, with shorter args."]
        )
    return "\n".join(["Not shown: the args are wrong.", *lines, f"Call {name} again, corrected."])


def not_yet(name: str) -> str:
    """A render call beside ordinary ones: their results are not in it yet."""
    return (
        f"Not shown yet: other tools were called in the same message. "
        f"Call {name} again, alone, with their results."
    )


def superseded(name: str) -> str:
    """An earlier render call of the same message."""
    return f"Not shown: {name} was called again in the same message, and only the last call counts."


def unknown_tool(name: str, known: Iterable[str]) -> str:
    """A tool that does not exist."""
    return f"There is no tool {name!r}. Call one of: {', '.join(sorted(known))}."


def not_run(why: str) -> str:
    """A call that was neither run nor shown."""
    return f"Not run: {why}."

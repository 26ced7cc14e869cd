"""Tool messages that the graph writes itself, because no tool will answer those calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.messages import ToolMessage

from rendercall.consumer.messages import Call
from rendercall.contract.json_patch import value_at
from rendercall.errors import Issue
from rendercall.langgraph.notes import KEY

__all__ = [
    "MAX_ISSUES",
    "answer",
    "applied",
    "ask_again",
    "edited",
    "not_alone",
    "not_patched",
    "not_run",
    "not_yet",
    "patched",
    "shown",
    "stopped",
    "superseded",
    "unknown_tool",
]

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


def ask_again(name: str, issues: Sequence[Issue], args: Any = None, patch: str = "") -> str:
    """Every error with its place, what stood there, and what to do; no echo of the whole.

    Args:
        name: the render tool.
        issues: the errors.
        args: the args, plain JSON; None where they are no object.
        patch: the patch tool, where it may be called.
    """
    if any(issue.kind == "truncated" for issue in issues):
        return "\n".join(
            ["Not shown: the args were cut off.", f"Call {name} again, with shorter args."]
        )
    do = f"Correct them with {patch}." if patch else f"Call {name} again, corrected."
    return "\n".join(["Not shown: the args are wrong.", *_lines(issues, args), do])


def stopped(name: str, issues: Sequence[Issue], args: Any, patch: str = "") -> str:
    """The call was stopped at an error; what closed before it is kept where it may be patched."""
    if not patch:
        head = "Not shown: you were stopped, because the args were wrong."
        return "\n".join([head, *_lines(issues, args), f"Call {name} again, corrected."])
    head = "Not shown: you were stopped at an error. The args up to it are kept."
    do = f"With {patch}, correct them and add what was still to come."
    return "\n".join([head, *_lines(issues, args), do])


def applied(name: str) -> str:
    """A patch that made the args right."""
    return f"Applied: {name} is called with the corrected args."


def edited(args_text: str) -> str:
    """Somebody changed the args that a patch had made right."""
    return f"Then its args were edited by hand: {args_text}"


def not_alone(name: str) -> str:
    """A patch beside other calls."""
    return f"Not applied: other tools were called in the same message. Call {name} again, alone."


def not_patched(issue: Issue, do: str) -> str:
    """A patch that does not apply."""
    where = f"{issue.pointer}: " if issue.pointer else ""
    return f"Not applied, none of it: {where}{issue.message}.\n{do}"


def patched(issues: Sequence[Issue], args: Any, do: str) -> str:
    """A patch that applies, and leaves errors."""
    return "\n".join(["Applied, but the args are still wrong.", *_lines(issues, args), do])


def _lines(issues: Sequence[Issue], args: Any) -> list[str]:
    lines = [f"- {issue}{_stood(issue, args)}" for issue in issues[:MAX_ISSUES]]
    if len(issues) > MAX_ISSUES:
        lines.append(f"- and {len(issues) - MAX_ISSUES} more")
    return lines


def _stood(issue: Issue, args: Any) -> str:
    value, there = value_at(args, issue.pointer)
    return f" (it was {_excerpt(value)})" if there and issue.pointer else ""


_LONG = 24
_UNBROKEN = re.compile(r"\S{16}")


def _excerpt(value: Any) -> str:
    """A value, shortened; long unbroken text may be a secret, and is only counted."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if not isinstance(value, str):
        return json.dumps(value)[:_LONG]
    if _UNBROKEN.search(value):
        return f"text of {len(value)} characters"
    return json.dumps(value[:_LONG] + "…" * (len(value) > _LONG), ensure_ascii=False)


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

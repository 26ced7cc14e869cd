"""From a call to its outcome: the raw text, the finish reason and the verdict together.

None of the three proves anything alone: providers report `tool_calls` on a cut-off, lenient
parsers complete cut JSON, and valid JSON may stop short of what the model meant.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rendercall.consumer.finish import classify
from rendercall.consumer.messages import Call, Message
from rendercall.consumer.names import known_name
from rendercall.consumer.rendered import Rendered, Status
from rendercall.contract import Notice, RenderTool, Verdict
from rendercall.errors import Issue

__all__ = ["judge_call", "judge_message", "judge_silence", "tool_of"]

T = TypeVar("T")


def tool_of(call: Call, tools: Sequence[RenderTool[Any]]) -> RenderTool[Any] | None:
    """The render tool that a call is for."""
    names = {tool.name: tool for tool in tools}
    name = known_name(call.name, names)
    return names[name] if name else None


def judge_call(message: Message, call: Call, tool: RenderTool[T], *, rejected: bool) -> Rendered[T]:
    """Judge one render call of a stored message.

    Args:
        message: the message that holds it.
        call: the call.
        tool: the render tool it is for.
        rejected: whether a tool message answered it with an error.
    """
    verdict = _verdict(call, tool)
    failure = _failure(message, call, verdict, rejected=rejected)
    if failure:
        return replace(_outcome(message, call, tool, *failure), findings=verdict.findings)
    return Rendered(
        status="ok",
        tool=tool,
        value=verdict.value,
        warnings=(*verdict.notices, *_stored_notices(message), *_name_notices(call, tool)),
        findings=verdict.findings,
        call_id=call.id,
        message_id=message.id,
        args_text=call.text,
        finish_reason=message.finish_reason,
    )


def _verdict(call: Call, tool: RenderTool[T]) -> Verdict[T]:
    if call.args is not None:
        verdict = tool.judge(call.args)
        if verdict.state == "complete":
            return verdict
    return tool.validate(call.text)  # the errors are those of the text, read as a whole


def judge_message(
    message: Message, tools: Sequence[RenderTool[Any]], rejected: Collection[str] = ()
) -> Rendered[Any] | None:
    """Judge the render call of a message that counts: the last one.

    Args:
        message: the message.
        tools: the render tools.
        rejected: ids of the calls that a tool message answered with an error.

    Returns:
        The outcome; None where the message holds no render call.
    """
    renders = [(call, tool) for call in message.calls if (tool := tool_of(call, tools))]
    if not renders:
        return None
    call, tool = renders[-1]
    shown = judge_call(message, call, tool, rejected=call.id in rejected)
    if len(renders) == 1:
        return shown
    notice = Notice("multiple_results", "the message held several render calls; the last counts")
    return replace(shown, warnings=(*shown.warnings, notice))


def judge_silence(message: Message) -> Rendered[Any] | None:
    """What the last AI message of a turn says where it holds no render call.

    Returns:
        None where the message is an ordinary one: text, or ordinary calls.
    """
    found = _silence(message)
    if found is None:
        return None
    status, issue = found
    return Rendered(
        status=status,
        errors=(issue,),
        message_id=message.id,
        finish_reason=message.finish_reason,
        refusal=message.refusal,
    )


def _noted_failure(message: Message) -> Issue | None:
    """What the graph wrote on the message where it gave up on it."""
    failure = message.note.get("failure")
    return Issue("", "not_shown", failure["code"], failure["message"]) if failure else None


def _silence(message: Message) -> tuple[Status, Issue] | None:
    kind = classify(message.finish_reason)
    if message.refusal or kind == "refusal":
        return "refused", _REFUSED
    if kind == "filter":
        return "filtered", _FILTERED
    if kind == "malformed":
        return "failed", _MALFORMED
    if noted := _noted_failure(message):
        return "failed", noted
    if message.calls:
        return None
    if kind == "length":
        return "truncated", _TRUNCATED
    return None if message.has_content else ("failed", _EMPTY)


_REFUSED = Issue("", "refusal", "refusal", "the model refused")
_MALFORMED = Issue(
    "", "provider_malformed_call", "malformed_call", "the provider could not read the model's call"
)
_EMPTY = Issue("", "empty_message", "empty_message", "the model's message is empty")
_TRUNCATED = Issue("", "truncated", "truncated", "the answer was cut off before it was complete")
_FILTERED = Issue(
    "", "content_filter", "content_filter", "the provider's content filter stopped it"
)
_UNSHOWN = Issue("", "not_shown", "not_shown", "the call was answered with an error, not shown")


def _failure(
    message: Message, call: Call, verdict: Verdict[Any], *, rejected: bool
) -> tuple[Status, tuple[Issue, ...]] | None:
    """Status and errors of a call that is not ok."""
    kind = classify(message.finish_reason)
    if message.role == "chunk":
        return "partial", ()
    if kind == "filter":
        return "filtered", (_FILTERED,)
    if kind == "refusal":
        return "refused", (_REFUSED,)
    if kind == "malformed" and verdict.state != "complete":
        return "failed", (_MALFORMED,)
    if verdict.state == "incomplete" and (stopped := message.note.get("stopped")):
        return "invalid", tuple(Issue(**one) for one in stopped)
    if verdict.state == "incomplete" or (
        kind in {"length", "broken"} and _may_be_cut(message, call)
    ):
        return "truncated", (_TRUNCATED,)
    if verdict.state == "invalid":
        return "invalid", verdict.issues
    return ("failed", (_noted_failure(message) or _UNSHOWN,)) if rejected else None


def _may_be_cut(message: Message, call: Call) -> bool:
    """Where an answer broke off, its last call may be a completed cut-off: its raw text tells."""
    raw_seen = call.raw or message.note.get("raw_seen", False)
    return not raw_seen and call is message.calls[-1]


def _stored_notices(message: Message) -> list[Notice]:
    """Notices that the model node left, which only it could see."""
    return [Notice(**notice) for notice in message.note.get("notices", ())]


def _name_notices(call: Call, tool: RenderTool[Any]) -> list[Notice]:
    if call.name == tool.name:
        return []
    return [Notice("tool_name_normalised", "the name came with a wrapper around it")]


def _outcome(
    message: Message, call: Call, tool: RenderTool[T], status: Status, errors: tuple[Issue, ...]
) -> Rendered[T]:
    return Rendered(
        status=status,
        tool=tool,
        errors=errors,
        call_id=call.id,
        message_id=message.id,
        args_text=call.text,
        finish_reason=message.finish_reason,
        refusal=message.refusal,
    )

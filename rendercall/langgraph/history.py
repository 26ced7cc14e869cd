"""Requests that every provider takes: each call answered, right after its message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from rendercall.consumer.judge import judge_call, tool_of
from rendercall.consumer.messages import Call, read_message
from rendercall.contract import RenderTool
from rendercall.langgraph import answers
from rendercall.langgraph.notes import note_of
from rendercall.langgraph.patch import ask_to_repair, is_edited
from rendercall.langgraph.policy import as_tuple
from rendercall.langgraph.provider_rules import SEALING, Provider, bridged, native, opened
from rendercall.langgraph.request_ids import RequestIds
from rendercall.langgraph.sendable import sendable
from rendercall.langgraph.tool_media import media_placed

__all__ = ["answer_for", "prepare_messages"]


def prepare_messages(
    messages: Sequence[AnyMessage],
    tools: RenderTool[Any] | Sequence[RenderTool[Any]],
    *,
    provider: Provider | None = None,
) -> list[AnyMessage]:
    """Make the request's messages from the stored ones.

    A display-only call is never executed, so nobody answered it, and providers refuse a
    request with an unanswered call (OpenAI: "An assistant message with 'tool_calls' must be
    followed by tool messages responding to each 'tool_call_id'"). Here every call is
    answered right after its message; answers that stand elsewhere are moved there, answers
    without a call are left out, and so are empty messages. Calls and answers are paired by
    position, since an id may come again in a later turn.

    Pure and idempotent: the stored messages are not touched, and messages that need no
    change are the same objects. Added answers have the id `ack-<message id>-<call id>`.

    Args:
        messages: the thread's messages.
        tools: the render tools, to tell a shown plan from a wrong one.
        provider: whose further rules to keep, see `provider_rules` and `request_ids`; None
            keeps those that all share, and leaves every id as it is.

    Returns:
        The messages to send.
    """
    renders = as_tuple(tools)
    ids = RequestIds()
    prepared: list[AnyMessage] = []
    for message, replies in _turns(messages):
        if not isinstance(message, AIMessage):
            prepared.append(message)
            continue
        own = native(message, provider)
        read = read_message(own)
        if not read.calls and not read.has_content:
            continue
        given = {reply.tool_call_id: reply for reply in replies}
        if provider in SEALING and note_of(message).get("patched") and _follows_answer(prepared):
            for call in read.calls:
                edit = answers.edited(call.text) if is_edited(message) else ""
                reply = given.get(call.id) or answer_for(message, call, renders)
                _add_to_last(prepared, edit, reply)
            continue
        sent = [replace(one, id=ids.take(one.id)) for one in read.calls] if provider else read.calls
        prepared.append(sendable(own, read.calls, sent))
        for call, named in zip(read.calls, sent, strict=True):
            reply = given.get(call.id) or answer_for(message, call, renders)
            prepared.append(_renamed(reply, named.id))
    placed = list(media_placed(prepared, provider))
    return list(bridged(opened(placed, provider), provider))


def _follows_answer(prepared: Sequence[AnyMessage]) -> bool:
    return bool(prepared) and isinstance(prepared[-1], ToolMessage)


def _add_to_last(prepared: list[AnyMessage], edit: str, reply: ToolMessage) -> None:
    """Tell what became of the call that the graph made where its patch was answered.

    The call has no thought of the model's, and these providers take none without.
    """
    last = prepared[-1]
    text = "\n".join(filter(None, [str(last.text), edit, str(reply.text)]))
    prepared[-1] = last.model_copy(update={"content": text, "status": reply.status})


def _renamed(reply: ToolMessage, call_id: str) -> ToolMessage:
    if reply.tool_call_id == call_id:
        return reply
    return reply.model_copy(update={"tool_call_id": call_id})


def _turns(
    messages: Sequence[AnyMessage],
) -> Iterator[tuple[AnyMessage, Sequence[ToolMessage]]]:
    """Each message but tool messages, an AI message with those up to the next AI message."""
    position = 0
    while position < len(messages):
        message = messages[position]
        position += 1
        if isinstance(message, ToolMessage):
            continue
        replies: list[ToolMessage] = []
        if isinstance(message, AIMessage):
            for later in messages[position:]:
                if isinstance(later, AIMessage):
                    break
                if isinstance(later, ToolMessage):
                    replies.append(later)
        yield message, replies


def answer_for(message: AIMessage, call: Call, renders: Sequence[RenderTool[Any]]) -> ToolMessage:
    """What became of a call that nobody answered."""
    tool = tool_of(call, renders)
    if tool is None:
        text = answers.not_run("the run ended before this tool was called")
        return answers.answer(message.id, call, text, "not_run")
    read = read_message(message)
    outcome = judge_call(read, call, tool, rejected=False)
    if outcome.status == "ok":
        return answers.answer(message.id, call, answers.shown(), "shown")
    text = ask_to_repair(read, call, outcome, may_patch=False)
    return answers.answer(message.id, call, text, "invalid")

"""Requests that every provider takes: each call answered, right after its message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolCall, ToolMessage

from rendercall.consumer.judge import judge_call, tool_of
from rendercall.consumer.messages import Call, read_message
from rendercall.contract import RenderTool
from rendercall.langgraph import answers
from rendercall.langgraph.policy import as_tuple

__all__ = ["RAW_ARGS", "Provider", "answer_for", "prepare_messages", "provider_of"]

Provider: TypeAlias = Literal["mistral"]
"""Providers with rules that the others do not share."""

RAW_ARGS = "raw_arguments"
"""The key under which broken argument text is sent, since args must be an object."""


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
        provider: whose further rules to keep; None keeps those that all share.
            `"mistral"` refuses a human message right after a tool message ("Unexpected role
            'user' after role 'tool'", code 3230), so a short assistant message goes between.

    Returns:
        The messages to send.
    """
    renders = as_tuple(tools)
    prepared: list[AnyMessage] = []
    for message, replies in _turns(messages):
        if not isinstance(message, AIMessage):
            prepared.append(message)
            continue
        read = read_message(message)
        if not read.calls and not read.has_content:
            continue
        prepared.append(_sendable(message, read.calls))
        given = {reply.tool_call_id: reply for reply in replies}
        prepared.extend(
            given.get(call.id) or answer_for(message, call, renders) for call in read.calls
        )
    return list(_bridged(prepared)) if provider == "mistral" else prepared


def provider_of(model: BaseChatModel) -> Provider | None:
    """The provider whose further rules a chat model's requests must keep."""
    return "mistral" if model._llm_type == "mistralai-chat" else None  # noqa: SLF001 - has no public name


def _bridged(messages: Sequence[AnyMessage]) -> Iterator[AnyMessage]:
    """The messages, with an assistant's word wherever a human follows a tool."""
    previous: AnyMessage | None = None
    for message in messages:
        if isinstance(previous, ToolMessage) and isinstance(message, HumanMessage):
            yield AIMessage("Done.", id=f"bridge-{previous.id}")
        yield message
        previous = message


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
    outcome = judge_call(read_message(message), call, tool, rejected=False)
    if outcome.status == "ok":
        return answers.answer(message.id, call, answers.shown(), "shown")
    text = answers.ask_again(tool.name, outcome.errors)
    return answers.answer(message.id, call, text, "invalid")


def _sendable(message: AIMessage, calls: Sequence[Call]) -> AIMessage:
    """The message as providers take it: every call with an id and args that are an object."""
    content = _content(message.content)
    broken = message.invalid_tool_calls or len(message.tool_calls) < len(calls)
    if not broken and content is message.content and all(one["id"] for one in message.tool_calls):
        return message
    parsed = [one["args"] for one in message.tool_calls]
    sent = [
        ToolCall(
            name=call.name,
            id=call.id,
            args=parsed[position] if position < len(parsed) else {RAW_ARGS: call.text},
            type="tool_call",
        )
        for position, call in enumerate(calls)
    ]
    return message.model_copy(
        update={"content": content, "tool_calls": sent, "invalid_tool_calls": []}
    )


def _content(content: str | list[Any]) -> str | list[Any]:
    """Content without the pieces of calls that `tool_calls` holds whole."""
    if isinstance(content, str) or not any(_is_piece(block) for block in content):
        return content
    return [block for block in content if not _is_piece(block)]


def _is_piece(block: object) -> bool:
    if not isinstance(block, Mapping):
        return False
    kind = block.get("type")
    broken = kind == "tool_use" and not isinstance(block.get("input"), Mapping)
    return broken or kind in {"input_json_delta", "invalid_tool_call"}

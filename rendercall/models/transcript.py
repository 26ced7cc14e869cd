"""A conversation with tool calls, told in plain text to a model whose template knows no tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    ToolMessage,
    merge_message_runs,
)

from rendercall.models.reply import Call

__all__ = ["plain_messages"]


def plain_messages(messages: Sequence[BaseMessage], render: str = "render_") -> list[BaseMessage]:
    """The same conversation without tool calls and tool messages; the input is not touched.

    A render call becomes the bare JSON that such a model wrote, an ordinary call
    `name(JSON)`; both follow the assistant's text. A tool's result becomes what the user
    says next. Neighbours of one role are merged, because many templates want the roles to
    take turns; an assistant message that says nothing is left out.

    Args:
        messages: the conversation as a graph stores it.
        render: the prefix of the render tools' names.
    """
    names = {
        call["id"]: call["name"] or "a tool"
        for message in messages
        if isinstance(message, AIMessage)
        for call in (*message.tool_calls, *message.invalid_tool_calls)
    }
    told: list[BaseMessage] = []
    for message in messages:
        if isinstance(message, AIMessage):
            if text := "\n".join(_said(message, render)):
                told.append(AIMessage(text))
        elif isinstance(message, ToolMessage):
            outcome = "Error" if message.status == "error" else "Result"
            name = names.get(message.tool_call_id) or message.name or "a tool"
            told.append(HumanMessage(f"{outcome} of {name}:\n{message.text}"))
        else:
            told.append(message)
    return merge_message_runs(told)


def _said(message: AIMessage, render: str) -> Iterator[str]:
    if message.text:
        yield str(message.text)
    for call in message.tool_calls:
        yield _called(call["name"], Call(call["name"], call["args"]).text, render)
    for broken in message.invalid_tool_calls:
        yield _called(broken["name"] or "", broken["args"] or "", render)


def _called(name: str, args: str, render: str) -> str:
    return args if name.startswith(render) else f"{name}({args})"

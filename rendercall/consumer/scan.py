"""Render calls found in a history, from its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, overload

from rendercall.consumer.cost import Cost
from rendercall.consumer.judge import judge_call, judge_message, judge_silence, tool_of
from rendercall.consumer.messages import Message, read_message
from rendercall.consumer.rendered import Rendered
from rendercall.consumer.sources import messages_of
from rendercall.contract import RenderTool

__all__ = ["last_render", "scan_renders"]

T = TypeVar("T")


@overload
def last_render(source: Any, tool: RenderTool[T]) -> Rendered[T]: ...


@overload
def last_render(source: Any, tool: Sequence[RenderTool[Any]]) -> Rendered[Any]: ...


def last_render(source: Any, tool: RenderTool[T] | Sequence[RenderTool[Any]]) -> Rendered[Any]:
    """Read the result of the current turn: the last render call after the last human message.

    An older plan is never handed over as the answer of a newer turn. The search goes from
    the end and stops at the human message, whatever the length of the history.

    Args:
        source: messages (objects or any dict form), or what holds them: a state, a
            `StateSnapshot`, a thread state of the server, a checkpoint or checkpoint tuple.
        tool: the render tool, or all that may have been called.

    Returns:
        The outcome; `absent` where the turn has no render call. It never raises on what a
        model wrote.

    Raises:
        StateError: the messages were stored in a way that loses tool calls.
    """
    tools = _tools(tool)
    silence: Rendered[Any] | None = None
    cost: Cost | None = None
    first = True
    for message, rejected in _from_end(messages_of(source)):
        if message.role == "human":
            break
        cost = cost or Cost.of_note(message.note)
        shown = judge_message(message, tools, rejected)
        if shown is not None:
            chosen = silence if silence is not None and shown.status != "ok" else shown
            return chosen if cost is None else replace(chosen, cost=cost)
        if first and message.role == "ai":
            silence = judge_silence(message)
            first = False
    return replace(silence or Rendered(status="absent"), cost=cost)


@overload
def scan_renders(source: Any, tool: RenderTool[T]) -> Iterator[Rendered[T]]: ...


@overload
def scan_renders(source: Any, tool: Sequence[RenderTool[Any]]) -> Iterator[Rendered[Any]]: ...


def scan_renders(
    source: Any, tool: RenderTool[T] | Sequence[RenderTool[Any]]
) -> Iterator[Rendered[Any]]:
    """Read every render call of a history, newest first, each with its own outcome.

    Args:
        source: as for `last_render`.
        tool: as for `last_render`.
    """
    tools = _tools(tool)
    for message, rejected in _from_end(messages_of(source)):
        for call in reversed(message.calls):
            called = tool_of(call, tools)
            if called is not None:
                yield judge_call(message, call, called, rejected=call.id in rejected)


def _tools(tool: RenderTool[Any] | Sequence[RenderTool[Any]]) -> Sequence[RenderTool[Any]]:
    return [tool] if isinstance(tool, RenderTool) else tool


def _from_end(messages: Sequence[Any]) -> Iterator[tuple[Message, frozenset[str]]]:
    """Messages newest first, an AI message with the ids of its calls that were rejected.

    Calls and answers are paired by position: an id may come again in a later turn.
    """
    rejected: set[str] = set()
    for source in reversed(messages):
        message = read_message(source)
        if message.role == "tool":
            if message.is_error:
                rejected.update(message.answers)
            continue
        yield message, frozenset(rejected)
        rejected.clear()

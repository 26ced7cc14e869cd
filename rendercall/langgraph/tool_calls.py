"""Tool calls as a graph makes them: with events before and after, one at a time where asked.

`watched_call` and `awatched_call` are wrappers for a `ToolNode`, and for agents through
`RenderMiddleware`; `tool_node` is the node of `render_graph`. Events go to the run's `custom`
stream; see `rendercall.results.tool_events`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from threading import Lock
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from rendercall.card.words import Language
from rendercall.results import words
from rendercall.results.current_call import emitting
from rendercall.results.error_mapping import passes_through
from rendercall.results.failure_log import failure_of
from rendercall.results.summary import Label
from rendercall.results.tool_events import end_event, start_event, waiting_event
from rendercall.results.tool_message import failed_message, terminates

__all__ = [
    "Answer",
    "AsyncExecute",
    "Execute",
    "awatched_call",
    "batch_terminates",
    "tool_node",
    "watched_call",
]

Answer: TypeAlias = ToolMessage | Command[Any]
Execute: TypeAlias = Callable[[ToolCallRequest], Answer]
AsyncExecute: TypeAlias = Callable[[ToolCallRequest], Awaitable[Answer]]


def tool_node(tools: Sequence[BaseTool]) -> ToolNode:
    """The node that runs ordinary calls: with events, and every failure as an answer.

    What a tool raises never ends the run, and the model never reads its text.

    Args:
        tools: structured tools and any others.
    """

    def run(request: ToolCallRequest, execute: Execute) -> Answer:
        def answered(one: ToolCallRequest) -> Answer:
            try:
                return execute(one)
            except Exception as error:  # noqa: BLE001 - told as data, or raised again
                return _failed(one, error)

        return watched_call(request, answered)

    async def arun(request: ToolCallRequest, execute: AsyncExecute) -> Answer:
        async def answered(one: ToolCallRequest) -> Answer:
            try:
                return await execute(one)
            except Exception as error:  # noqa: BLE001 - told as data, or raised again
                return _failed(one, error)

        return await awatched_call(request, answered)

    return ToolNode(tools, handle_tool_errors=False, wrap_tool_call=run, awrap_tool_call=arun)


def watched_call(request: ToolCallRequest, execute: Execute) -> Answer:
    """Make a tool call with its events; for `ToolNode(wrap_tool_call=…)`.

    Args:
        request: the call.
        execute: makes it; what it raises is raised on.
    """
    with _watching(request) as watched, _turn(request, watched):
        watched.start()
        answer = execute(request)
        watched.end(answer)
        return answer


async def awatched_call(request: ToolCallRequest, execute: AsyncExecute) -> Answer:
    """As `watched_call`, for `ToolNode(awrap_tool_call=…)`."""
    with _watching(request) as watched:
        async with _aturn(request, watched):
            watched.start()
            answer = await execute(request)
            watched.end(answer)
            return answer


def batch_terminates(messages: Sequence[Any]) -> bool:
    """Whether the run ends after the last batch of calls, because every result of it says so."""
    answers: list[ToolMessage] = []
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            break
        if isinstance(message, ToolMessage):
            answers.append(message)
    return bool(answers) and all(terminates(one) for one in answers)


def _label_of(tool: BaseTool | None) -> Label | None:
    """A tool's name for people. A plain LangChain tool has none of its own: its metadata may."""
    return getattr(tool, "label", None) or (getattr(tool, "metadata", None) or {}).get("label")


class _Watched:
    """Writes one call's events."""

    def __init__(self, request: ToolCallRequest) -> None:
        self.write = request.runtime.stream_writer
        self.call_id = request.tool_call["id"] or ""
        self.name = request.tool_call["name"]
        self.label: Label = _label_of(request.tool) or self.name
        self.began = time.monotonic()

    def wait(self, why: Callable[[Language], str]) -> None:
        self.write(waiting_event(self.call_id, self.name, self.label, why))

    def start(self) -> None:
        self.began = time.monotonic()
        self.write(start_event(self.call_id, self.name, self.label))

    def end(self, answer: object) -> None:
        for message in _messages_in(answer):
            if message.tool_call_id == self.call_id:
                self.write(end_event(message, self.label, time.monotonic() - self.began))
                break

    def failed(self, error: Exception) -> ToolMessage:
        told = failure_of(error, self.name)
        return failed_message(told, name=self.name, call_id=self.call_id, label=self.label)


def _messages_in(answer: object) -> Iterator[ToolMessage]:
    """The messages of an answer: itself, or what commands write to the state."""
    if isinstance(answer, ToolMessage):
        yield answer
    elif isinstance(answer, Command):
        update: Any = answer.update
        yield from _messages_in(update.get("messages") if isinstance(update, dict) else update)
    elif isinstance(answer, list):
        for one in answer:
            yield from _messages_in(one)


@contextmanager
def _watching(request: ToolCallRequest) -> Iterator[_Watched]:
    """Events of the tool itself go the same way; a call that raises ends with a failure too."""
    watched = _Watched(request)
    try:
        with emitting(watched.write):
            yield watched
    except Exception as error:
        if passes_through(error):
            watched.wait(words.answering)
        else:
            watched.end(watched.failed(error))
        raise


def _failed(request: ToolCallRequest, error: Exception) -> ToolMessage:
    if passes_through(error):
        raise error
    return _Watched(request).failed(error)


_locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()
_alocks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
_guard = Lock()


def _batch(request: ToolCallRequest) -> str:
    """Names the message that the call is in; empty for a call that waits for no other."""
    if getattr(request.tool, "execution_mode", "parallel") != "sequential":
        return ""
    state = request.state
    messages = state.get("messages", ()) if isinstance(state, dict) else state
    last = next((one for one in reversed(messages) if isinstance(one, AIMessage)), None)
    return (last and last.id) or ""


@contextmanager
def _turn(request: ToolCallRequest, watched: _Watched) -> Iterator[None]:
    batch = _batch(request)
    if not batch:
        yield
        return
    with _guard:
        lock = _locks.setdefault(batch, Lock())
    if not lock.acquire(blocking=False):
        watched.wait(words.taking_turns)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


@asynccontextmanager
async def _aturn(request: ToolCallRequest, watched: _Watched) -> AsyncIterator[None]:
    batch = _batch(request)
    if not batch:
        yield
        return
    lock = _alocks.setdefault(batch, asyncio.Lock())
    if lock.locked():
        watched.wait(words.taking_turns)
    async with lock:
        yield

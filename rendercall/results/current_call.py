"""The tool call that is running: who asked, in which thread, and where its events go."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Event
from typing import Any, TypeAlias

from rendercall.results.summary import Label
from rendercall.results.tool_error import ToolFailed

__all__ = ["CurrentCall", "Emit", "current_call", "emit", "emitting", "running"]

Emit: TypeAlias = Callable[[dict[str, Any]], None]
"""Takes an event; where a graph runs the tool, LangGraph's stream writer."""


@dataclass(frozen=True, slots=True)
class CurrentCall:
    """One call of a tool.

    Attributes:
        tool: the tool's name.
        args: the model's arguments, as it wrote them.
        call_id: the call's id; empty where the tool is called by hand.
        thread_id: the conversation; empty where there is none.
        label: the tool's name for people.
        owner: whose data this is: the signed-in user, else the thread. Stores and caches keep
            one owner's data apart from another's by it.
        stopped: set when the call has timed out, so that a thread can see it.
    """

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    call_id: str = ""
    thread_id: str = ""
    label: Label = ""
    owner: str = "local"
    stopped: Event = field(default_factory=Event)

    @classmethod
    def of(
        cls,
        tool: str,
        args: Mapping[str, Any],
        call_id: str | None,
        config: Mapping[str, Any],
        label: Label = "",
    ) -> CurrentCall:
        """Read thread and user from a run's config.

        The user is `langgraph_auth_user_id`, which LangGraph's servers set from the auth
        handler; clients cannot.
        """
        known = config.get("configurable") or {}
        thread_id, user = known.get("thread_id"), known.get("langgraph_auth_user_id")
        owner = f"user:{user}" if user else f"thread:{thread_id}" if thread_id else "local"
        return cls(tool, dict(args), call_id or "", str(thread_id or ""), label or tool, owner)

    @property
    def idempotency_key(self) -> str:
        """The same in each attempt of this call, and in no other call; empty where called by hand.

        For services that do a thing once however often it is asked for under one key.
        """
        if not self.call_id:
            return ""
        whole = [self.owner, self.thread_id, self.call_id, self.tool, self.args]
        return sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()[:32]

    def check(self) -> None:
        """End a thread whose call has timed out: nobody waits for its result.

        Raises:
            ToolFailed: the call was stopped.
        """
        if self.stopped.is_set():
            raise ToolFailed("CANCELLED")


def _drop(event: dict[str, Any]) -> None:
    """Outside a graph nobody listens."""
    del event


_call: ContextVar[CurrentCall | None] = ContextVar("rendercall_tool_call", default=None)
_emit: ContextVar[Emit] = ContextVar("rendercall_tool_emit", default=_drop)


def current_call() -> CurrentCall:
    """The call in which this code runs.

    Raises:
        LookupError: no structured tool is running here.
    """
    call = _call.get()
    if call is None:
        raise LookupError("current_call() works inside the function of a structured tool only")
    return call


@contextmanager
def running(call: CurrentCall) -> Iterator[CurrentCall]:
    """Make `call` the one that is running."""
    token = _call.set(call)
    try:
        yield call
    finally:
        _call.reset(token)


@contextmanager
def emitting(emit: Emit) -> Iterator[None]:
    """Send the events of the calls inside to `emit`."""
    token = _emit.set(emit)
    try:
        yield
    finally:
        _emit.reset(token)


def emit(event: dict[str, Any]) -> None:
    """Send an event to whoever listens."""
    _emit.get()(event)

"""The attempts of one tool call: each with its time limit, and each failure as a code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event
from typing import Any, TypeAlias

from rendercall.results.current_call import current_call, running
from rendercall.results.error_mapping import passes_through
from rendercall.results.failure_log import failure_of
from rendercall.results.result import ToolResult
from rendercall.results.retry import Replay, Retry, Retrying
from rendercall.results.retry_budget import RetryBudget
from rendercall.results.time_limit import acall_within, await_within, call_within
from rendercall.results.tool_error import ToolFailed

__all__ = ["Attempts"]

Within: TypeAlias = Callable[[float | None, Callable[[], Any]], Awaitable[Any]]
"""Runs a function within seconds, where there is a limit."""


class Attempts:
    """Runs the function of one call until it succeeds or has failed for good.

    Args:
        retry: bounds on attempts and on the time in all.
        replay: whether there may be more than one.
        timeout: seconds for each; None is no limit.
        budget: the tool's retries.
    """

    def __init__(
        self, retry: Retry, replay: Replay, timeout: float | None, budget: RetryBudget
    ) -> None:
        self._replay = replay
        self._timeout = timeout
        self._retrying = Retrying(retry, replay, budget)

    def run(self, function: Callable[[], Any]) -> Any:
        """What a sync function returned, or a failed `ToolResult`."""

        def attempt() -> Any:
            with _failures():
                limit = self._limit()
                return function() if limit is None else call_within(limit, function)

        try:
            return self._retrying.run(attempt)
        except ToolFailed as failure:
            return self._given_up(failure)

    async def run_in_thread(self, function: Callable[[], Any]) -> Any:
        """As `run`, in an event loop."""
        return await self.arun(function, acall_within)

    async def arun(self, function: Callable[[], Any], within: Within = await_within) -> Any:
        """As `run`, of an async function, which is cancelled at its limit."""

        async def attempt() -> Any:
            with _failures():
                return await within(self._limit(), function)

        try:
            return await self._retrying.arun(attempt)
        except ToolFailed as failure:
            return self._given_up(failure)

    def _limit(self) -> float | None:
        """Seconds for the next attempt; a tool that is tried again keeps the time in all too."""
        if self._replay == "never":
            return self._timeout
        left = self._retrying.left
        return left if self._timeout is None else min(self._timeout, left)

    def _given_up(self, failure: ToolFailed) -> ToolResult:
        replayable = self._replay == "safe"
        attempts = max(1, self._retrying.attempt)
        return ToolResult.failed(failure.error.final(replayable=replayable, attempts=attempts))


@contextmanager
def _failures() -> Iterator[None]:
    """One attempt; whatever it raises becomes a `ToolFailed`, which says nothing of its text."""
    with running(replace(current_call(), stopped=Event())) as call:
        try:
            yield
        except Exception as error:
            if passes_through(error):
                raise
            raise ToolFailed(failure_of(error, call.tool)) from None

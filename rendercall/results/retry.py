"""Trying again: by the runtime, never the model, and only where it can do no harm.

Only codes that are retryable, only tools that may be replayed, never sooner than the service
asked for, within bounds on attempts, on the time in all, and on the retries of all calls
together. The waits are full jitter (random up to an exponential limit), on top of what the
service asked for.
"""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from rendercall.errors import import_extra
from rendercall.results.retry_budget import RetryBudget
from rendercall.results.tool_error import ToolError, ToolFailed
from rendercall.results.tool_events import report_retry

__all__ = ["Replay", "Retry", "Retrying"]

T = TypeVar("T")

Replay: TypeAlias = Literal["never", "safe"]
"""Whether a call may be made twice: `safe` if that has the same effect as once."""

MAX_RETRY_AFTER = 120.0
"""Seconds that are waited for a service at most; a longer wait is told instead (as openai's)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """How often and how long a call is tried.

    Attributes:
        attempts: calls in all, the first included.
        total: seconds in all, waits included.
        wait_initial: seconds; limit of the first random wait, doubled each time.
        wait_max: seconds; limit of any random wait.
        budget: retries that all calls of the tool may make together before some succeed; None
            is no bound.
    """

    attempts: int = 3
    total: float = 45.0
    wait_initial: float = 0.5
    wait_max: float = 5.0
    budget: int | None = 100

    def __post_init__(self) -> None:
        """Refuse limits that mean nothing."""
        if self.attempts < 1 or min(self.total, self.wait_initial, self.wait_max) <= 0:
            raise ValueError("Retry: attempts must be at least 1, and times above 0")

    def wait(self, error: ToolError, attempt: int, elapsed: float) -> float | None:
        """Seconds to wait after a failed attempt; None ends it.

        Args:
            error: the failure.
            attempt: which attempt it was, from 1.
            elapsed: seconds since the first one began.
        """
        floor = (error.retry_after_ms or 0) / 1000
        if not error.retryable or attempt >= self.attempts or floor > MAX_RETRY_AFTER:
            return None
        limit = min(self.wait_max, self.wait_initial * 2.0 ** (attempt - 1))
        wait = floor + random.uniform(0, limit)  # noqa: S311 - jitter is no secret
        return wait if elapsed + wait < self.total else None


class Retrying:
    """The attempts of one call, made by stamina (extra `results`).

    Args:
        retry: the bounds.
        replay: `never` makes one attempt.
        budget: of the tool.
    """

    def __init__(self, retry: Retry, replay: Replay, budget: RetryBudget) -> None:
        self._retry = retry
        self._budget = budget
        self._attempts = retry.attempts if replay == "safe" else 1
        self._start = time.monotonic()
        self.attempt = 0

    @property
    def left(self) -> float:
        """Seconds of the total that are left."""
        return max(0.0, self._retry.total - self._elapsed)

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self._start

    def run(self, attempt: Callable[[], T]) -> T:
        """Try until it succeeds, or raise the last failure."""
        if self._attempts == 1:
            self.attempt = 1
            return attempt()
        for one in self._context():
            with one:
                self.attempt = one.num
                result = attempt()
                self._budget.succeeded(one.num - 1)
                return result
        raise AssertionError("stamina raises the last failure")

    async def arun(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """As `run`, asynchronously."""
        if self._attempts == 1:
            self.attempt = 1
            return await attempt()
        async for one in self._context():
            with one:
                self.attempt = one.num
                result = await attempt()
                self._budget.succeeded(one.num - 1)
                return result
        raise AssertionError("stamina raises the last failure")

    def _context(self) -> Any:
        stamina = import_extra("stamina", "results")
        return stamina.retry_context(
            on=self._wait, attempts=self._attempts, timeout=self._retry.total
        )

    def _wait(self, error: Exception) -> bool | float:
        """Stamina's question: whether to try again, and after how many seconds."""
        if not isinstance(error, ToolFailed):
            return False
        wait = self._retry.wait(error.error, self.attempt, self._elapsed)
        if wait is None or not self._budget.take():
            return False
        report_retry(wait)
        return wait

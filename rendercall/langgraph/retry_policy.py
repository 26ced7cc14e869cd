"""Retries of whole nodes: LangGraph's `RetryPolicy` with our table of what may be tried again.

LangGraph's default tries almost every exception again and knows no `Retry-After`. A policy's
wait cannot depend on the exception, but there may be several policies, and the first that takes
an exception counts: here one for each step of waiting.
"""

from __future__ import annotations

from collections.abc import Callable

from langgraph.types import RetryPolicy

from rendercall.results.error_mapping import error_of, passes_through
from rendercall.results.retry import MAX_RETRY_AFTER, Retry

__all__ = ["retry_policies"]

_STEPS = (1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, MAX_RETRY_AFTER)


def retry_policies(retry: Retry | None = None) -> tuple[RetryPolicy, ...]:
    """Policies for `add_node(..., retry_policy=retry_policies())`.

    Only for nodes that may run twice. Only retryable codes are tried again, and none sooner than
    the service asked for. LangGraph logs the text of what it retries: raise `ToolFailed` where
    that could hold a secret.

    Args:
        retry: bounds; `total` bounds what a service may ask to wait.
    """
    bounds = retry or Retry()
    usual = RetryPolicy(
        initial_interval=bounds.wait_initial,
        max_interval=bounds.wait_max,
        max_attempts=bounds.attempts,
        retry_on=_asks_at_most(0.0),
    )
    asked = [
        RetryPolicy(
            initial_interval=seconds,
            backoff_factor=1.0,
            max_interval=seconds,
            max_attempts=bounds.attempts,
            retry_on=_asks_at_most(seconds),
        )
        for seconds in _STEPS
        if seconds < bounds.total
    ]
    return (usual, *asked)


def _asks_at_most(seconds: float) -> Callable[[Exception], bool]:
    """Takes a retryable failure that asks for no longer wait."""

    def takes(error: Exception) -> bool:
        if passes_through(error):
            return False
        told = error_of(error)
        return bool(told.retryable) and (told.retry_after_ms or 0) / 1000 <= seconds

    return takes

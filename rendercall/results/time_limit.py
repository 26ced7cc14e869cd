"""A limit on the time of one attempt, after which nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

from rendercall.results.current_call import current_call
from rendercall.results.tool_error import ToolFailed

__all__ = ["acall_within", "call_within"]

T = TypeVar("T")


async def acall_within(seconds: float, attempt: Callable[[], Awaitable[T]]) -> T:
    """Await an attempt, and cancel it when its time is up.

    Raises:
        ToolFailed: TIMEOUT.
    """
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await attempt()
    except TimeoutError:
        if limit.expired():
            raise ToolFailed("TIMEOUT") from None
        raise


def call_within(seconds: float, attempt: Callable[[], T]) -> T:
    """Call an attempt in a thread, and leave it alone when its time is up.

    Python cannot end a thread. What it does later is dropped, and it ends by itself where it
    calls `report_progress` or `current_call().check()`.

    Raises:
        ToolFailed: TIMEOUT.
    """
    done: Future[T] = Future()
    context = copy_context()

    def work() -> None:
        try:
            done.set_result(context.run(attempt))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            done.set_exception(error)

    Thread(target=work, name=f"tool-{current_call().tool}", daemon=True).start()
    try:
        return done.result(seconds)
    except FutureTimeout:
        if done.done():
            raise  # the attempt's own
        current_call().stopped.set()
        raise ToolFailed("TIMEOUT") from None

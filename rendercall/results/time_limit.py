"""A limit on the time of one attempt, after which nobody waits for it any more.

Python cannot end a thread. A sync function that is given up is left alone: what it does later is
dropped, and it ends by itself where it calls `report_progress` or `current_call().check()`. Each
has a thread of its own, so that those which hang keep no other waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

from rendercall.results.current_call import current_call
from rendercall.results.tool_error import ToolFailed

__all__ = ["acall_within", "await_within", "call_within"]

T = TypeVar("T")


async def await_within(seconds: float | None, attempt: Callable[[], Awaitable[T]]) -> T:
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


async def acall_within(seconds: float | None, attempt: Callable[[], T]) -> T:
    """Call a sync attempt in a thread; it is told when its time is up, or its run is cancelled.

    Raises:
        ToolFailed: TIMEOUT.
    """
    done = _started(attempt)
    try:
        return await await_within(seconds, lambda: asyncio.wrap_future(done))
    finally:
        if not done.done():
            current_call().stopped.set()


def call_within(seconds: float, attempt: Callable[[], T]) -> T:
    """As `acall_within`, outside an event loop.

    Raises:
        ToolFailed: TIMEOUT.
    """
    done = _started(attempt)
    try:
        return done.result(seconds)
    except TimeoutError:
        if done.done():
            raise  # the attempt's own
        raise ToolFailed("TIMEOUT") from None
    finally:
        if not done.done():
            current_call().stopped.set()


def _started(attempt: Callable[[], T]) -> Future[T]:
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()  # from here on, nobody but the thread ends it
    context = copy_context()

    def work() -> None:
        try:
            done.set_result(context.run(attempt))
        except StopIteration as error:  # a future cannot hold one
            done.set_exception(RuntimeError(type(error).__name__))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            done.set_exception(error)

    Thread(target=work, name=f"tool-{current_call().tool}", daemon=True).start()
    return done

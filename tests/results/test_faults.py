from __future__ import annotations

import asyncio
import copy
import logging
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import httpx
import pytest
from langchain_core.messages import ToolMessage

from rendercall.results import (
    Retry,
    ToolError,
    ToolResult,
    current_call,
    structured_tool,
    tool_result,
)
from rendercall.results.current_call import emitting
from tests.results.faulty_service import PASSWORD, FaultyService

RETRY = Retry(attempts=3, total=20.0, wait_initial=0.001, wait_max=0.002, budget=None)
CALLS = 1_000

SCHEDULE: dict[str, tuple[str, int, str | None]] = {
    # steps of the service: (attempts, code)
    "429,200": ("429,200", 2, None),
    "429 with a wait": ("429:150,200", 2, None),
    "429 with seconds": ("429:1000,200", 2, None),
    "429 twice with waits": ("429:60,429:120,200", 3, None),
    "429 for ever": ("429", 3, "RATE_LIMITED"),
    "429 with a wait that is too long": ("429:600000", 1, "RATE_LIMITED"),
    "503,200": ("503,200", 2, None),
    "503 with a wait": ("503:90,200", 2, None),
    "503 for ever": ("503", 3, "UNAVAILABLE"),
    "hang, then well": ("hang,200", 2, None),
    "reset, then well": ("reset,200", 2, None),
    "reset for ever": ("reset", 3, "UNAVAILABLE"),
    "401": ("401,200", 1, "UNAUTHENTICATED"),
    "403": ("403,200", 1, "FORBIDDEN"),
    "404": ("404,200", 1, "NOT_FOUND"),
    "422": ("422,200", 1, "INVALID_ARGUMENT"),
    "500": ("500,200", 1, "INTERNAL"),
    "raises": ("200", 1, "INTERNAL"),
    "503, then 403": ("503,403,200", 2, "FORBIDDEN"),
    "well": ("200", 1, None),
}


def tool_of(client: httpx.AsyncClient, replay: Any) -> Any:
    @structured_tool(replay=replay, retry=RETRY, timeout=4.0, output={"type": "object"})
    async def fetch(path: str, kind: str) -> ToolResult:
        """Fetch."""
        answer = await client.get(path)
        answer.raise_for_status()
        if kind == "raises":
            raise KeyError(f"password={PASSWORD}")
        return ToolResult("fetched", {})

    return fetch


async def run(
    replay: str, caplog: pytest.LogCaptureFixture
) -> tuple[FaultyService, list[tuple[str, str, ToolMessage]], str]:
    """Every call of the schedule, 50 at a time; the service, the messages, and all that was written."""
    written: list[Any] = []
    kinds = list(SCHEDULE)
    gate = asyncio.Semaphore(50)
    with FaultyService() as service, caplog.at_level(logging.DEBUG):
        limits = httpx.Limits(max_connections=100, max_keepalive_connections=0)
        async with httpx.AsyncClient(
            base_url=service.url, limits=limits, trust_env=False
        ) as client:
            fetch = tool_of(client, replay)

            async def one(number: int) -> tuple[str, str, ToolMessage]:
                kind = kinds[number % len(kinds)]
                args = {"path": f"/{number}/{SCHEDULE[kind][0]}", "kind": kind}
                async with gate:
                    with emitting(written.append):
                        return (
                            str(number),
                            kind,
                            await fetch.ainvoke(
                                {"type": "tool_call", "name": "fetch", "id": "c", "args": args}
                            ),
                        )

            messages = await asyncio.gather(*(one(number) for number in range(CALLS)))
    logged = [vars(one) for one in caplog.records]
    everything = repr(logged) + repr(written) + repr([one for *_, one in messages])
    return service, messages, everything


async def test_a_fault_schedule_of_a_thousand_calls(caplog: pytest.LogCaptureFixture) -> None:
    """Attempts and codes are those of the table, no wait is too short, no secret is anywhere."""
    service, messages, everything = await run("safe", caplog)
    for number, kind, message in messages:
        steps, attempts, code = SCHEDULE[kind]
        arrivals = service.arrivals[number]
        error = tool_result(message, {"type": "object"}).error
        assert (len(arrivals), error and error.code) == (attempts, code), kind
        if error:
            assert error.attempts == attempts, kind
        for (earlier, later), step in zip(pairwise(arrivals), steps.split(",") * 3, strict=False):
            assert later - earlier >= int(step.partition(":")[2] or 0) / 1000, kind
    assert PASSWORD not in everything
    assert Counter(kind for _, kind, _ in messages)["429 with a wait"] >= 50


async def test_a_tool_that_must_not_be_replayed_is_called_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Whatever the service says; and a call that may have had its effect is not called retryable."""
    service, messages, everything = await run("never", caplog)
    for number, kind, message in messages:
        assert len(service.arrivals[number]) == 1, kind
        error = tool_result(message, {"type": "object"}).error
        if error:
            assert error.retryable == (error.code == "RATE_LIMITED"), kind
    assert PASSWORD not in everything


@pytest.mark.parametrize(
    ("error", "attempt", "elapsed", "least", "most"),
    [
        (ToolError("UNAVAILABLE"), 1, 0.0, 0.0, 0.5),
        (ToolError("UNAVAILABLE"), 2, 0.0, 0.0, 1.0),
        (ToolError("RATE_LIMITED", retry_after_ms=3_000), 1, 0.0, 3.0, 3.5),
        (ToolError("UNAVAILABLE"), 3, 0.0, None, None),
        (ToolError("RATE_LIMITED", retry_after_ms=44_000), 1, 2.0, None, None),
        (ToolError("RATE_LIMITED", retry_after_ms=130_000), 1, 0.0, None, None),
        (ToolError("UNAVAILABLE"), 1, 45.0, None, None),
        (ToolError("NOT_FOUND"), 1, 0.0, None, None),
        (ToolError("UNAVAILABLE", retryable=False), 1, 0.0, None, None),
    ],
)  # fmt: skip
def test_how_long_is_waited(
    error: ToolError, attempt: int, elapsed: float, least: float | None, most: float | None
) -> None:
    """What the service asks for is a floor; attempts and the time in all are bounds."""
    for _ in range(50):
        wait = Retry().wait(error, attempt, elapsed)
        if least is None or most is None:
            assert wait is None
        else:
            assert wait is not None
            assert least <= wait <= most


async def test_a_service_that_is_down_is_not_stormed() -> None:
    """Its tool has so many retries and no more; those that help do not use them up."""
    budget = 20
    tried: Counter[str] = Counter()

    @structured_tool(replay="safe", retry=replace(RETRY, budget=budget))
    async def fetch(how: str) -> ToolResult:
        """Fetch."""
        tried[how] += 1
        if how == "down" or (how == "shaky" and tried[how] % 2):
            raise ConnectionResetError
        return ToolResult("fetched")

    for _ in range(200):
        assert (await fetch.ainvoke({"how": "shaky"})).status == "success"
    failed = await asyncio.gather(*(fetch.ainvoke({"how": "down"}) for _ in range(200)))
    assert {one.artifact["error"]["code"] for one in failed} == {"UNAVAILABLE"}
    assert tried == {"shaky": 400, "down": 200 + budget}
    fetch = copy.deepcopy(fetch)
    for _ in range(10):
        await fetch.ainvoke({"how": "well"})
    await asyncio.gather(*(fetch.ainvoke({"how": "down"}) for _ in range(200)))
    assert tried["down"] == 400 + budget + 2


def test_every_attempt_of_a_call_has_the_same_key() -> None:
    """And no other call has it: not of another thread, nor with other arguments."""
    keys: list[str] = []

    @structured_tool(replay="safe", retry=RETRY)
    def pay(amount: int) -> ToolResult:
        """Pay."""
        keys.append(current_call().idempotency_key)
        raise ConnectionResetError(amount)

    for thread, call_id, amount in (("1", "a", 5), ("1", "b", 5), ("2", "a", 5), ("1", "a", 6)):
        call = {"type": "tool_call", "name": "pay", "id": call_id, "args": {"amount": amount}}
        pay.invoke(call, {"configurable": {"thread_id": thread}})
    assert sorted(Counter(keys).values()) == [3, 3, 3, 3]
    pay.invoke({"amount": 5})
    assert keys[-1] == ""


def test_sync_functions_are_tried_again_too() -> None:
    """And those who watch are told that it waits."""
    left, written = [2], []

    @structured_tool(replay="safe", retry=RETRY)
    def fetch() -> ToolResult:
        """Fetch."""
        left[0] -= 1
        if left[0] >= 0:
            raise ConnectionResetError
        return ToolResult("fetched")

    with emitting(written.append):
        assert fetch.invoke({}).text == "fetched"
    assert [(one["event"], one["summary"]["status"]) for one in written] == [
        ("waiting", "waiting")
    ] * 2

"""Every way in which a run on the server can be watched, sync and async."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from langgraph_sdk import get_client, get_sync_client

__all__ = ["CHANNELS", "MODES", "WAYS", "Watched", "ask", "until_end"]

MODES = ("messages-tuple", "values", "updates", "custom")
"""Of v1."""

CHANNELS = ("messages", "custom")
"""Of v3; `lifecycle` tells the end."""


@dataclass(frozen=True)
class Watched:
    """A run: its thread, and every event of the stream, in the SDK's own form."""

    thread_id: str
    events: list[Any]


Way = Callable[[str, str, str, str], Awaitable[Watched]]
"""Takes the server's address, the graph's name, the human's words, and what to watch."""


def ask(words: str) -> Any:
    return {"messages": [{"role": "user", "content": words}]}


async def v1(url: str, graph: str, words: str, mode: Any) -> Watched:
    async with get_client(url=url) as api:
        thread_id = (await api.threads.create())["thread_id"]
        parts = api.runs.stream(
            thread_id, graph, input=ask(words), stream_mode=mode,
            stream_subgraphs=True, on_disconnect="continue",
        )  # fmt: skip
        return Watched(thread_id, [part async for part in parts])


def sync_v1(url: str, graph: str, words: str, mode: Any) -> Watched:
    with get_sync_client(url=url) as api:
        thread_id = api.threads.create()["thread_id"]
        parts = api.runs.stream(
            thread_id, graph, input=ask(words), stream_mode=mode,
            stream_subgraphs=True, on_disconnect="continue",
        )  # fmt: skip
        return Watched(thread_id, list(parts))


async def v3(url: str, graph: str, words: str, channel: str) -> Watched:
    async with get_client(url=url) as api, api.threads.stream(assistant_id=graph) as thread:
        events = thread.subscribe([channel, "lifecycle"])
        await thread.run.start(input=ask(words))
        return Watched(thread.thread_id, [event async for event in until_end(events)])


def sync_v3(url: str, graph: str, words: str, channel: str) -> Watched:
    with get_sync_client(url=url) as api, api.threads.stream(assistant_id=graph) as thread:
        events = thread.subscribe([channel, "lifecycle"])
        thread.run.start(input=ask(words))
        return Watched(thread.thread_id, list(sync_until_end(events)))


async def until_end(events: AsyncIterator[Any]) -> AsyncIterator[Any]:
    async for event in events:
        yield event
        if has_ended(event):
            return


def sync_until_end(events: Iterator[Any]) -> Iterator[Any]:
    for event in events:
        yield event
        if has_ended(event):
            return


def has_ended(event: Any) -> bool:
    """Whether a v3 event ends the run: the stream itself stays open."""
    params = event["params"]
    ended = event["method"] == "lifecycle" and params["data"]["event"] not in {"running", "started"}
    return ended and not params["namespace"]


WAYS: dict[str, tuple[Way, tuple[str, ...]]] = {
    "v1": (v1, MODES),
    "sync v1": (partial(asyncio.to_thread, sync_v1), MODES),
    "v3": (v3, CHANNELS),
    "sync v3": (partial(asyncio.to_thread, sync_v3), CHANNELS),
}

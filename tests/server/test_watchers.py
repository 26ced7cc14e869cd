from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from langgraph_sdk import get_client, get_sync_client

from rendercall import RenderStream, RenderTool, last_render
from rendercall.consumer.cursor import CursorDecoder
from rendercall.consumer.deltas import apply
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import BAD, GOOD
from tests.server.conftest import Served
from tests.server.watched_graphs import SCRIPTS
from tests.server.watching import WAYS, ask, until_end

pytestmark = pytest.mark.server

ENDS = {"right": "ok", "search, wrong, right": "ok", "cut": "truncated"}
NAMESPACES: dict[str, tuple[str, ...]] = {"root": (), "child": ("plan",), "inside": ("plan",)}
EVERY_WAY = [
    pytest.param(way, what, id=f"{name}, {what}")
    for name, (way, whats) in WAYS.items()
    for what in whats
]


def state_of(served: Served, thread_id: str) -> Any:
    with get_sync_client(url=served.api) as api:
        return api.threads.get_state(thread_id)


def bare(state: Any) -> list[dict[str, Any]]:
    """Messages less what differs from run to run: LangChain's new ids, and the time it took."""
    messages = [dict(one) for one in state["values"]["messages"]]
    for message in messages:
        del message["id"]
        message.get("response_metadata", {}).get("rendercall", {}).pop("cost", None)
    return messages


@pytest.fixture(scope="session")
def expected(watched: Served) -> dict[str, list[dict[str, Any]]]:
    """The messages of each script's run that nobody watched."""
    found = {}
    with get_sync_client(url=watched.api) as api:
        for words in SCRIPTS:
            thread_id = api.threads.create()["thread_id"]
            api.runs.wait(thread_id, "root", input=ask(words))
            found[words] = bare(api.threads.get_state(thread_id))
    return found


@pytest.mark.parametrize(("way", "what"), EVERY_WAY)
async def test_every_watcher_sees_the_same_run(
    way: Any,
    what: str,
    watched: Served,
    expected: dict[str, list[dict[str, Any]]],
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """Fragments while they arrive, nothing false, the same end, and the same messages in state.

    In a graph of its own, as a node of another graph, and called inside a node.
    """
    runs = [(graph, words) for graph in NAMESPACES for words in ENDS]
    seen = await asyncio.gather(*(way(watched.api, graph, words, what) for graph, words in runs))
    for (graph, words), run in zip(runs, seen, strict=True):
        state = state_of(watched, run.thread_id)
        end = last_render(state, plan_tool)
        assert end.status == ENDS[words], (graph, words)
        assert bare(state) == expected[words]
        if what == "custom":
            check_frames(run.events, end.status)
        else:
            check_fragments(run.events, graph, end, plan_tool, streams="messages" in what)


def check_fragments(
    events: list[Any], graph: str, end: Any, plan_tool: RenderTool[LearningPlan], *, streams: bool
) -> None:
    stream = RenderStream(plan_tool, namespace=NAMESPACES[graph])
    steps = 0
    for event in events:
        update = stream.feed(event)
        if update is not None:
            steps += 1
            assert_true(update.value)
    shown = stream.finish()
    assert (shown.status, shown.value) == (end.status, end.value)
    assert shown.message_id == end.message_id
    assert shown.call_id == end.call_id
    assert steps > 5 if streams else steps == 0


def check_frames(events: list[Any], status: str) -> None:
    """Frames of one call are numbered without a gap, and the last one has the verdict."""
    decoder, document = CursorDecoder(), None
    last: dict[str, Any] = {}
    frames = list(frames_of(events))
    for frame in frames:
        if frame.get("message_id", last.get("message_id")) != last.get("message_id"):
            decoder, document, last = CursorDecoder(), None, {"seq": -1}
        assert frame["seq"] == last["seq"] + 1
        last = {**last, **frame}
        if frame["frame"] is not None:
            document = apply(document, decoder.decode(frame["frame"]))
            assert_true(document)
    assert len(frames) > 2
    assert last["done"]["status"] == status
    if status == "ok":
        assert document == GOOD


def frames_of(events: list[Any]) -> Iterator[dict[str, Any]]:
    for event in events:
        if isinstance(event, dict):
            data = event["params"]["data"] if event["method"] == "custom" else None
            data = data.get("payload", data) if data else None
        else:
            data = event.data if event.event.startswith("custom") else None
        if data and data["type"] == "render_frame":
            yield data


def assert_true(shown: Any) -> None:
    """What is shown is the beginning of a plan that the model writes."""
    assert any(begins(shown, plan) for plan in (GOOD, BAD)), shown


def begins(shown: Any, whole: Any) -> bool:
    if isinstance(shown, str) and isinstance(whole, str):
        return whole.startswith(shown)
    if isinstance(shown, dict):
        return all(key in whole and begins(one, whole[key]) for key, one in shown.items())
    if isinstance(shown, list):
        pairs = zip(shown, whole, strict=False)
        return len(shown) <= len(whole) and all(begins(one, other) for one, other in pairs)
    return type(shown) is type(whole) and shown == whole


@pytest.mark.parametrize("rejoin", [False, True], ids=["join", "rejoin"])
async def test_a_late_watcher_of_frames_catches_up(
    rejoin: bool, watched: Served, plan_tool: RenderTool[LearningPlan]
) -> None:
    """v1: one who joins in mid-run, or comes back, has the whole plan at the end, and the state says it."""
    async with get_client(url=watched.api) as api:
        thread_id = (await api.threads.create())["thread_id"]
        run = await api.runs.create(
            thread_id, "slow", input=ask("right"), stream_mode=["custom", "values"],
            stream_resumable=True,
        )  # fmt: skip
        last_id, before = await first_frames(api, thread_id, run["run_id"], 2)
        resume = {"last_event_id": last_id} if rejoin else {"last_event_id": "0"}
        after = [part async for part in api.runs.join_stream(thread_id, run["run_id"], **resume)]
        frames = list(frames_of([*before, *after] if rejoin else after))
        document = read(frames)
        state = await api.threads.get_state(thread_id)
    assert document == GOOD
    assert frames[-1]["done"]["status"] == last_render(state, plan_tool).status == "ok"
    stream = RenderStream(plan_tool)
    for part in after:
        stream.feed(part)
    assert stream.finish().value == LearningPlan.model_validate(GOOD)


async def first_frames(api: Any, thread_id: str, run_id: str, count: int) -> tuple[str, list[Any]]:
    """The events up to some frames, and the id of the last; then the connection is closed."""
    seen: list[Any] = []
    async for part in api.runs.join_stream(thread_id, run_id, last_event_id="0"):
        seen.append(part)
        if sum(1 for _ in frames_of(seen)) >= count:
            return str(part.id), seen
    raise AssertionError("the run ended before its first frames")


def read(frames: list[dict[str, Any]]) -> Any:
    """The document, by the rules of the frames: what was seen before is left out, a gap waits for a keyframe."""
    decoder, document, expected_seq = CursorDecoder(), None, 0
    for frame in frames:
        keyframe = isinstance(frame["frame"], dict)
        if frame["seq"] < expected_seq or (frame["seq"] > expected_seq and not keyframe):
            continue
        if frame["frame"] is not None:
            document = apply(document, decoder.decode(frame["frame"]))
        expected_seq = frame["seq"] + 1
    return document


async def test_a_late_watcher_of_the_thread_catches_up(
    watched: Served, plan_tool: RenderTool[LearningPlan]
) -> None:
    """v3: one who opens the thread in mid-run gets what was sent before, and the end from the state."""
    async with get_client(url=watched.api) as api:
        async with api.threads.stream(assistant_id="slow") as first:
            events = first.subscribe(["messages", "custom", "lifecycle"])
            await first.run.start(input=ask("right"))
            async for event in events:
                if event["method"] == "custom":
                    break
            thread_id = first.thread_id
        async with api.threads.stream(thread_id, assistant_id="slow") as second:
            events = second.subscribe(["messages", "custom", "values", "lifecycle"])
            late = [event async for event in until_end(events)]
        state = await api.threads.get_state(thread_id)
    stream = RenderStream(plan_tool)
    steps = 0
    for event in late:
        update = stream.feed(event)
        if update is not None:
            steps += 1
            assert_true(update.value)
    end = last_render(state, plan_tool)
    assert (stream.finish().status, stream.finish().value) == (end.status, end.value)
    assert end.status == "ok"
    assert steps > 5
    assert read(list(frames_of(late))) == GOOD

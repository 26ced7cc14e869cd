from __future__ import annotations

import json
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.graph import START, MessagesState, StateGraph

from rendercall import RenderTool, last_render
from rendercall.consumer.assembler import ArrivingCall
from rendercall.consumer.cursor import CursorDecoder
from rendercall.consumer.deltas import apply
from rendercall.consumer.plans import plan_of_tool
from rendercall.consumer.readings import Readings
from rendercall.langgraph.frames import EnableCustom, FrameWriter
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import ASK, BAD, CUT, GOOD, NAME, MakeGraph, render

PLAN = {
    **GOOD,
    "lessons": [{"title": f"Lesson {n} 课", "duration_minutes": n + 1} for n in range(99)],
}
TOOL = RenderTool(LearningPlan)
NAMES = ("call_id", "message_id", "tool")


def rebuilt(frames: list[dict[str, Any]]) -> Any:
    """The document that a client has after these frames; they begin a call or are a keyframe."""
    decoder, document = CursorDecoder(), None
    for one in frames:
        if one["frame"] is not None:
            document = apply(document, decoder.decode(one["frame"]))
    return document


def written(text: str, sizes: int, interval: float, step: float) -> list[dict[str, Any]]:
    """The frames of a text in pieces, by a clock that moves `step` seconds a piece."""
    frames: list[dict[str, Any]] = []
    ticks = iter(range(10**9))
    writer = FrameWriter(
        lambda one: frames.append(json.loads(json.dumps(one))), interval, lambda: next(ticks) * step
    )
    call = ArrivingCall(NAME, "c1", Readings(plan_of_tool(TOOL), TOOL.bounds), TOOL)
    assert call.readings is not None
    for at in range(0, len(text), sizes):
        writer.feed(call, call.readings.feed(text[at : at + sizes]))
    writer.finish(None)
    return frames


@pytest.mark.parametrize("size", [1, 4, 50, 10_000])
@pytest.mark.parametrize("interval", [0.0, 0.04, 60.0])
def test_frames_rebuild_the_document(size: int, interval: float) -> None:
    """Whatever the pieces and the pace; numbered without a gap."""
    frames = written(json.dumps(PLAN, ensure_ascii=False), size, interval, 0.01)
    assert rebuilt(frames) == PLAN
    assert [one["seq"] for one in frames] == list(range(len(frames)))


@given(st.integers(1, 9), st.data())
def test_one_who_joins_late_catches_up_at_a_keyframe(size: int, data: st.DataObject) -> None:
    """From any keyframe on, the frames give the whole document."""
    frames = written(json.dumps(PLAN, ensure_ascii=data.draw(st.booleans())), size, 0.04, 0.01)
    keyframes = [n for n, one in enumerate(frames) if isinstance(one["frame"], dict)]
    assert len(keyframes) >= 2
    assert all(frames[n].keys() >= set(NAMES) for n in keyframes)
    start = data.draw(st.sampled_from(keyframes))
    assert rebuilt(frames[start:]) == PLAN


def test_a_frame_that_is_sent_later_is_the_frame_that_was_written() -> None:
    """An engine writes frames out when it comes to it: by then the call has grown."""
    kept: list[tuple[dict[str, Any], str]] = []
    writer = FrameWriter(lambda one: kept.append((one, json.dumps(one))), 0.0, lambda: 0.0)
    call = ArrivingCall(NAME, "c1", Readings(plan_of_tool(TOOL), TOOL.bounds), TOOL)
    assert call.readings is not None
    text = json.dumps(PLAN)
    for at in range(0, len(text), 3):
        writer.feed(call, call.readings.feed(text[at : at + 3]))
    assert [json.dumps(one) for one, _ in kept] == [then for _, then in kept]


def test_frames_keep_their_interval_and_the_first_comes_at_once() -> None:
    """At most one frame in 40 ms, by the clock."""
    text = json.dumps(PLAN)
    frames = written(text, 4, 0.04, 0.01)
    assert len(frames) <= len(text) / 4 / 4 + 2
    assert rebuilt(frames[:1]) == {}


def test_frames_are_small() -> None:
    """With keyframes and numbers, four-character pieces cost a small multiple of the text."""
    text = json.dumps(PLAN, ensure_ascii=False)
    frames = [one["frame"] for one in written(text, 4, 0.0, 0.01)]
    size = sum(
        len(json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode()) for one in frames
    )
    assert size < 4 * len(text.encode())


def test_a_frame_says_whose_it_is_where_that_changes() -> None:
    """Two calls in turns: each change is named, and a frame that goes on is not."""
    frames: list[dict[str, Any]] = []
    writer = FrameWriter(frames.append, 0.0, lambda: 0.0)
    calls = [
        ArrivingCall(NAME, id_, Readings(plan_of_tool(TOOL), TOOL.bounds), TOOL)
        for id_ in ("c1", "c2")
    ]
    texts = ['{"topic": "a', "b", "c"], ['{"topic": "d', "e", "f"]
    for number in (0, 0, 1, 0, 1, 1):
        readings = calls[number].readings
        assert readings is not None
        writer.feed(calls[number], readings.feed(texts[number].pop(0)))
    assert [one.get("call_id") for one in frames] == ["c1", None, "c2", "c1", "c2", None]


def frames_of(parts: Any) -> list[dict[str, Any]]:
    """The frames, each with the names of its call."""
    found: list[dict[str, Any]] = []
    for one in parts:
        if isinstance(one, dict) and one.get("type") == "render_frame":
            before = found[-1] if found else {}
            found.append({**{name: before.get(name) for name in NAMES}, **one})
    return found


async def test_v1_watchers_get_them_in_custom_mode(scripted: MakeGraph) -> None:
    """Sync and async, with the verdict in the last one."""
    sync = frames_of(scripted(render()).graph.stream(ASK, stream_mode="custom"))
    asynchronous = frames_of(
        [one async for one in scripted(render()).graph.astream(ASK, stream_mode="custom")]
    )
    for frames in (sync, asynchronous):
        assert rebuilt(frames) == GOOD
        assert frames[-1]["done"] == {"status": "ok", "errors": [], "warnings": []}
        assert {one["tool"] for one in frames} == {NAME}
        assert len({one["message_id"] for one in frames}) == 1


async def test_v3_watchers_get_them_on_channel_custom(scripted: MakeGraph) -> None:
    """The graph asks for the channel itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # v3 is beta, and says so
        run = await scripted(render()).graph.astream_events(ASK, version="v3")
        data = [event["params"]["data"] async for event in run if event["method"] == "custom"]
    frames = frames_of(data)
    assert rebuilt(frames) == GOOD
    assert frames[-1]["done"]["status"] == "ok"


def test_frames_come_out_of_a_subgraph(scripted: MakeGraph) -> None:
    """Both protocols carry a child graph's frames, with its namespace."""
    child = scripted(render()).graph
    builder = StateGraph(MessagesState)
    builder.add_node("child", child)
    builder.add_edge(START, "child")
    parent = builder.compile(transformers=[EnableCustom])
    parts = list(parent.stream(ASK, stream_mode="custom", subgraphs=True))
    assert rebuilt(frames_of(data for _, data in parts)) == GOOD
    assert all(namespace[0].startswith("child:") for namespace, _ in parts)


def test_each_attempt_is_its_own_message(scripted: MakeGraph, plan_tool: RenderTool[Any]) -> None:
    """A wrong call ends with its errors; the next message starts anew."""
    made = scripted(render(BAD), render())
    parts = list(made.graph.stream(ASK, stream_mode=["custom", "values"]))
    frames = frames_of(data for mode, data in parts if mode == "custom")
    first, second = dict.fromkeys(one["message_id"] for one in frames)
    of_first = [one for one in frames if one["message_id"] == first]
    of_second = [one for one in frames if one["message_id"] == second]
    assert rebuilt(of_first) == BAD
    assert of_first[-1]["done"]["status"] == "invalid"
    assert [one["pointer"] for one in of_first[-1]["done"]["errors"]] == [
        "/level",
        "/total_minutes",
    ]
    assert rebuilt(of_second) == GOOD
    assert last_render(parts[-1][1], plan_tool).message_id == second


def test_a_cut_call_ends_as_truncated_without_a_false_value(scripted: MakeGraph) -> None:
    """The half number is not in the frames."""
    made = scripted(render(CUT), max_repairs=0)
    frames = frames_of(made.graph.stream(ASK, stream_mode="custom"))
    assert frames[-1]["done"]["status"] == "truncated"
    assert "total_minutes" not in rebuilt(frames)

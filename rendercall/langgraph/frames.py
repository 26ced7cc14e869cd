"""Render frames: small, numbered pieces of a forming call, written to the run's `custom` stream.

Watchers that get fragments (`messages`) must parse them; the engines pay for each of them.
Frames are fewer and already read: deltas in cursor form (`rendercall.consumer.cursor`), put
together for 40 ms, with a keyframe whenever the document has grown fourfold, and a last frame
with the verdict.

A frame is one JSON object:

- `type`: `"render_frame"`.
- `call_id`, `message_id`, `tool`: whose frame it is; left out where they are those of the
  frame before it, but never in a call's first and last frame or beside a keyframe. A frame of
  a new message supersedes what an older message of the same turn has shown.
- `seq`: 0, 1, 2, … within one call; after a gap, wait for the next keyframe.
- `frame`: the cursor frame; null where nothing changed.
- `done`: only in the last one: `status`, `errors` (`pointer`, `kind`, `layer`, `code`,
  `message`) and
  `warnings` (`pointer`, `code`, `message`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict
from typing import Any

from langgraph.stream import StreamTransformer

from rendercall.consumer.assembler import ArrivingCall
from rendercall.consumer.cursor import Frame, encode, keyframe
from rendercall.consumer.deltas import Delta
from rendercall.consumer.plans import plan_of_tool
from rendercall.consumer.readings import Readings
from rendercall.consumer.rendered import Rendered

__all__ = ["EnableCustom", "FrameWriter"]

FIRST_KEYFRAME = 1024
"""Characters of args before the first keyframe; the next ones each take four times as many."""

Write = Callable[[dict[str, Any]], None]


class EnableCustom(StreamTransformer):
    """Lets v3 watchers have the `custom` channel; set on the root graph.

    `builder.compile(transformers=[EnableCustom])`. v1 watchers ask for
    `stream_mode="custom"` and need nothing.
    """

    required_stream_modes = ("custom",)

    def init(self) -> dict[str, Any]:
        """No projection of its own."""
        return {}

    def process(self, event: Any) -> bool:
        """Let every event through."""
        del event
        return True


class FrameWriter:
    """Writes the frames of one model message.

    Args:
        write: takes a frame; LangGraph's `get_stream_writer()`.
        interval: seconds between two frames of a call; the first comes at once.
        clock: gives seconds; monotonic.
    """

    def __init__(
        self, write: Write, interval: float = 0.04, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._write = write
        self._interval = interval
        self._clock = clock
        self._calls: dict[int, _CallFrames] = {}
        self._named: dict[str, Any] = {}  # whose frame was written last
        self.message_id: str | None = None
        self.first: float | None = None  # when the first value was there, by the clock

    def clear(self) -> None:
        """Forget the message: the model is called again for it."""
        self._calls.clear()
        self._named = {}
        self.message_id = None
        self.first = None

    def feed(self, call: ArrivingCall, deltas: list[Delta]) -> None:
        """Take what a fragment changed in a render call."""
        frames = self._calls.get(id(call))
        if frames is None:
            frames = self._calls[id(call)] = _CallFrames(call)
        frames.pending += deltas
        now = self._clock()
        if self.first is None and any(_is_value(value) for _, _, value in deltas):
            self.first = now
        if now >= frames.due:
            frames.due = now + self._interval
            self._send(frames)

    def finish(self, shown: Rendered[Any] | None) -> None:
        """Write what is left, and the verdict with the call that it is of."""
        for frames in self._calls.values():
            mine = shown is not None and shown.call_id in {frames.call.id, None}
            last = frames is list(self._calls.values())[-1]
            verdict = _verdict(shown) if shown is not None and (mine or last) else None
            self._send(frames, verdict)

    def whole(self, shown: Rendered[Any]) -> None:
        """Write a call that nothing streamed: all of it, and the verdict.

        Args:
            shown: its outcome; it supersedes every call before it.
        """
        tool = shown.tool
        assert tool is not None  # noqa: S101 - the outcome of a call
        readings = Readings(plan_of_tool(tool), tool.bounds)
        call = ArrivingCall(tool.name, shown.call_id, readings, tool)
        self.clear()
        self.message_id = shown.message_id
        self.feed(call, readings.feed(shown.args_text or ""))
        self.finish(shown)

    def _send(self, frames: _CallFrames, verdict: dict[str, Any] | None = None) -> None:
        frame = frames.take()
        if frame is None and verdict is None:
            return
        written: dict[str, Any] = {"type": "render_frame", "seq": frames.seq, "frame": frame}
        names = {
            "call_id": frames.call.id,
            "message_id": self.message_id,
            "tool": frames.call.tool and frames.call.tool.name,
        }
        if names != self._named or isinstance(frame, dict) or verdict is not None:
            written |= names
            self._named = names
        if verdict is not None:
            written["done"] = verdict
        frames.seq += 1
        self._write(written)


class _CallFrames:
    """What one call still has to send."""

    def __init__(self, call: ArrivingCall) -> None:
        self.call = call
        self.pending: list[Delta] = []
        self.seq = 0
        self.due = 0.0
        self._sent = 0  # characters since the last keyframe
        self._next = FIRST_KEYFRAME

    def take(self) -> Frame | None:
        """The next frame: the pending deltas, or everything."""
        deltas, self.pending = self.pending, []
        self._sent += sum(len(value) for _, _, value in deltas if isinstance(value, str))
        self._sent += 8 * len(deltas)
        if self._sent < self._next or self.call.readings is None:
            return encode(deltas)
        self._sent = 0
        self._next *= 4
        reader = self.call.readings.reader
        # A copy: the engine writes it out later, when the live document has grown.
        return keyframe(deepcopy(reader.document()), reader.shown_path)


def _is_value(value: Any) -> bool:
    """Whether a delta's value is one to show: containers open empty, and closing has none."""
    return value is not None and not isinstance(value, dict | list)


def _verdict(shown: Rendered[Any]) -> dict[str, Any]:
    return {
        "status": shown.status,
        "errors": [issue.to_json() for issue in shown.errors],
        "warnings": [asdict(notice) for notice in shown.warnings],
    }

"""A render call read while it arrives, from any stream, with a final verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar, overload

from rendercall.consumer.assembler import ArrivingCall, Assembler, readings_of
from rendercall.consumer.deltas import Delta
from rendercall.consumer.events import read_event
from rendercall.consumer.finish import graver, undouble
from rendercall.consumer.fragments import Fragment
from rendercall.consumer.judge import judge_message, judge_silence
from rendercall.consumer.messages import Call, Message, read_message
from rendercall.consumer.names import known_name
from rendercall.consumer.open_call import OpenCall
from rendercall.consumer.rendered import Rendered
from rendercall.consumer.scan import last_render
from rendercall.consumer.snapshots import open_text
from rendercall.consumer.stream_event import Namespace, StreamEvent, is_within
from rendercall.consumer.update import Update
from rendercall.contract import Notice, RenderTool

__all__ = ["RenderStream"]

T = TypeVar("T")

_new = object.__new__


class RenderStream(Generic[T]):
    """Reads render calls from a stream, fragment by fragment, in linear time.

    It takes whatever is at hand: `AIMessageChunk`s, `(chunk, metadata)`, the parts of
    `graph.stream` and its v3 events, the SDK's parts, OpenAI's chunks and Responses events,
    Anthropic's events; see `read_event`. A new message supersedes what was half there;
    state (`values`) is the truth over whatever was streamed.

    Args:
        tool: the render tool, or all that may be called.
        namespace: of the graph whose calls count; `()` is the root graph, and node names are
            enough for another one: `("plan",)`.

    Example:
        ```python
        stream = RenderStream(plan_tool)
        for chunk in chunks:
            update = stream.feed(chunk)
            if update:
                print(update.partial)
        result = stream.finish()
        ```
    """

    @overload
    def __init__(self, tool: RenderTool[T], *, namespace: Namespace = ...) -> None: ...
    @overload
    def __init__(
        self: RenderStream[Any], tool: Sequence[RenderTool[Any]], *, namespace: Namespace = ...
    ) -> None: ...

    def __init__(
        self, tool: RenderTool[T] | Sequence[RenderTool[Any]], *, namespace: Namespace = ()
    ) -> None:
        tools = [tool] if isinstance(tool, RenderTool) else list(tool)
        self._tools = {one.name: one for one in tools}
        self._namespace = namespace
        self._result: Rendered[Any] | None = None
        self._cancelled = False
        self._spoken = False  # whether any message of the model was seen
        self._superseded: set[str | None] = set()  # ids of messages
        self._begin(None)

    def _begin(self, message_id: str | None) -> None:
        self._assembler = Assembler(readings_of(list(self._tools.values())))
        self._message_id = message_id
        self._superseded.discard(message_id)
        self._finish_reason: str | None = None
        self._refusal = ""
        self._content = False
        self._ended = False
        self._calls_id: str | None = None  # the message's, as its first call has it
        self._ids_change = False  # from piece to piece
        self._raw = False  # whether one call's text is fed, and no events
        self._open: OpenCall | None = None

    def feed(self, event: Any) -> Update[T] | None:
        """Read the next event.

        Args:
            event: see the class.

        Returns:
            What changed in a render call; None where nothing did.
        """
        opened = self._open
        chunk = event
        if type(event) is tuple and event[:2] == (self._namespace, "messages"):
            chunk = event[2][0]  # (namespace, "messages", (chunk, metadata)), as `watch` gets it
        if opened is not None and (text := opened.next_piece(chunk)) is not None:
            return self.feed_text(text)
        read = read_event(event)
        if read is None or not is_within(read.namespace, self._namespace):
            return None
        if read.messages is not None:
            self._settle(read.messages)
            return None
        if read.whole is not None:
            return self._take_whole(read)
        update = self._take(read)
        if update is not None:
            self._open = OpenCall.of(update.call, type(chunk), read.fragments[-1].index)
        elif read.fragments:
            self._open = None  # the next piece may be another call's
        return update

    def feed_text(self, text: str) -> Update[T] | None:
        """Read the next piece of the raw args of one call, where no events are at hand.

        The text is read as it is: what stands in it was no transport's doing.
        """
        opened = self._open
        if opened is not None:
            deltas = opened.send(text)
            if opened.progress.over and not self._raw:
                self._open = None
                return self._update(opened.call, opened.end(deltas))
            if not deltas:
                return None
            update: Update[T] = _new(Update)  # a call of the class would take twice as long
            update.call, update.deltas, update.partial = opened.call, deltas, opened.partial
            return update
        if not self._assembler.calls:
            self._assembler.feed(Fragment(0, None, next(iter(self._tools)), ""))
            self._raw = self._ended = True  # raw text has no finish reason to wait for
        call = self._assembler.calls[-1]
        readings = self._assembler.readings(call)
        if not self._raw:
            return self._update(call, readings.feed(text))
        if not readings.reader.awaits_tag:
            self._open = OpenCall(call, None, None)
            return self.feed_text(text)
        return self._update(call, readings.reader.feed(text))

    def finish(self) -> Rendered[T]:
        """Judge what arrived: nothing more will come.

        Returns:
            The same as `last_render` of the message that the stream became.
        """
        shown = self._result or self._judge()
        if self._cancelled and shown.status != "ok":
            return Rendered(status="aborted", message_id=self._message_id)
        return shown

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call of the present message so far, ordinary ones too, with its raw text."""
        return tuple(
            Call(call.name, call_id, text, raw=True, args=args)
            for position, call in enumerate(self._assembler.calls)
            for call_id, text, args in call.identified(f"call-{position}")
        )

    def _judge(self) -> Rendered[T]:
        self._assembler.finish()
        message = Message(
            "ai",
            self._message_id,
            self.calls,
            has_content=self._content,
            finish_reason=self._finish_reason,
            refusal=self._refusal or None,
        )
        shown = judge_message(message, list(self._tools.values()))
        if shown is None:
            silence = judge_silence(message) if self._spoken else None
            return silence or Rendered(status="absent")
        return replace(shown, warnings=(*shown.warnings, *self._notices(shown)))

    def _notices(self, shown: Rendered[T]) -> list[Notice]:
        """What was healed in the call, and whether the stream ended as streams do."""
        notices = [
            notice
            for position, call in enumerate(self._assembler.calls)
            if call.readings
            and any(shown.call_id == one for one, _, _ in call.identified(f"call-{position}"))
            for notice in call.readings.notices
        ]
        if not self._ended and self._finish_reason is None:
            notices.append(Notice("no_finish_reason", "the stream ended without a finish reason"))
        return notices

    def _settle(self, messages: Sequence[Any]) -> None:
        """Take the state's word for it."""
        self._result = last_render(messages, list(self._tools.values()))

    def _take_whole(self, event: StreamEvent) -> Update[T] | None:
        """A whole message replaces what is known of it, and is never added to it."""
        if event.final:
            self._begin(event.message_id)
            self._settle([event.whole])
            return None
        fragments = tuple(self._growth(event.whole))
        return self._take(StreamEvent(fragments, event.message_id))

    def _growth(self, message: Any) -> Iterator[Fragment]:
        """What a snapshot of a message has more than the one before; it never takes back."""
        known = {call.id: call.text for call in self.calls}
        for position, call in enumerate(read_message(message).calls):
            name = known_name(call.name, self._tools)
            if name is not None and call.text and not call.raw:  # else it could not be parsed
                text = open_text(json.loads(call.text), self._tools[name].schema)
                before = known.get(call.id, "")
                if text.startswith(before):
                    yield Fragment(position, call.id, call.name, text[len(before) :])

    def _take(self, event: StreamEvent) -> Update[T] | None:
        self._cancelled = self._cancelled or event.cancelled
        self._spoken = self._spoken or not event.starts
        if event.cancelled:
            return None
        if event.starts or self._is_another(event):
            self._superseded.add(self._calls_id)
            self._begin(event.message_id)
        elif event.fragments and self._differs(event):
            if event.message_id in self._superseded:
                return None  # it was still on its way
            self._ids_change = True
        if event.fragments:
            self._result = None
            self._calls_id = self._calls_id or event.message_id
        self._message_id = self._message_id or event.message_id
        self._finish_reason = graver(self._finish_reason, undouble(event.finish_reason))
        self._refusal += event.refusal
        self._content = self._content or event.content
        found: Update[T] | None = None
        for fragment in event.fragments:
            call, deltas = self._assembler.feed(fragment)
            found = self._update(call, deltas, found) or found
        return found

    def _is_another(self, event: StreamEvent) -> bool:
        """Whether a message begins: a call opens under another id than the calls before it.

        An id alone says nothing: some clients change it at the first or the last chunk, some
        servers at every one.
        """
        if not any(one.name and not one.is_middle for one in event.fragments):
            return False
        if not self._assembler.began:  # the message before had no calls, and is over
            over = self._finish_reason is not None
            return over and event.message_id not in {None, self._message_id}
        return self._differs(event) and not self._ids_change

    def _differs(self, event: StreamEvent) -> bool:
        """Whether the event's message is by its id another than that of the calls so far."""
        return self._assembler.began and event.message_id not in {None, self._calls_id}

    def _update(
        self, call: ArrivingCall | None, deltas: list[Delta], before: Update[T] | None = None
    ) -> Update[T] | None:
        if call is None or call.tool is None or call.readings is None or not deltas:
            return None
        if before is not None and before.call_id == call.id:
            deltas = [*before.deltas, *deltas]
        return Update(call, deltas, call.readings.reader.partial)

"""What a model really sent: raw fragments, recorded however the run is watched."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

# langchain-core streams a model inside `invoke` only for handlers of this kind. It has no
# public name, and langgraph uses the same one ("THIS IS USED IN LANGGRAPH", its source says).
from langchain_core.tracers._streaming import _StreamingCallbackHandler

from rendercall.consumer.assembler import Assembler, readings_of
from rendercall.consumer.finish import graver, reported_reason
from rendercall.consumer.fragments import Fragment, from_chunk, from_protocol_event
from rendercall.consumer.open_call import OpenCall
from rendercall.langgraph.frames import FrameWriter
from rendercall.langgraph.policy import Policy

__all__ = ["Recorder"]


class Recorder(BaseCallbackHandler, _StreamingCallbackHandler[Any]):
    """A callback that records one model call.

    It sees v1 chunks (`on_llm_new_token`) or v3 events (`on_stream_event`), whichever the
    watchers of the run made the model send, and makes the model stream where nobody
    watches. Only the last model run counts, since a failed one may be tried again; a run
    inside another one does not, since a model that wraps another one reports twice.

    Args:
        policy: its render tools, whose calls are read while they arrive.
        frames: is told what each fragment changed in a render call.

    Attributes:
        assembler: the calls, with their raw text.
        finish_reason: the provider's word; None where the stream ended without one.
        refusal: the refusal's text, in full.
        streamed: whether the model streamed at all.
    """

    run_inline = True
    raise_error = True

    def __init__(self, policy: Policy, frames: FrameWriter) -> None:
        self._renders = policy.renders
        self._frames = frames
        self._forget()

    def _forget(self) -> None:
        self.assembler = Assembler(readings_of(self._renders))
        self.finish_reason: str | None = None
        self.refusal = ""
        self.streamed = False
        self._open: OpenCall | None = None
        self._run_id: UUID | None = None
        self._ended = False
        self._kind = ""  # of the reports that count: chunk or event
        self._frames.clear()

    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[Any]], *, run_id: UUID, **_: Any
    ) -> None:
        """Take a model run as the one to record, unless it is inside the recorded one."""
        del serialized, messages
        if self._ended:
            self._forget()
        if self._run_id is None:
            self._run_id = run_id

    def on_llm_end(self, response: Any, *, run_id: UUID, **_: Any) -> None:
        """Note that the recorded run is over; the next one supersedes it."""
        del response
        self._ended = self._ended or run_id == self._run_id

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """Forget a run that failed: its message never came to be."""
        del error
        if run_id == self._run_id:
            self._forget()

    def on_llm_new_token(
        self, token: str | list[Any], *, chunk: Any = None, run_id: UUID, **_: Any
    ) -> None:
        """Record a v1 chunk."""
        del token
        message = getattr(chunk, "message", None)
        if message is None or not self._listens(run_id, "chunk"):
            return
        opened = None if chunk.generation_info else self._open
        if opened and (text := opened.next_piece(message)) is not None:
            deltas = opened.send(text)
            if opened.progress.over:
                self._open = None
                deltas = opened.end(deltas)
            self._frames.feed(opened.call, deltas)
            return
        self._take(message.id, from_chunk(message), type(message))
        # A client that reports its own chunks leaves the reason where langchain-core looks.
        self._finish({**(chunk.generation_info or {}), **message.response_metadata})
        self.refusal += message.additional_kwargs.get("refusal") or ""

    def on_stream_event(self, event: Any, *, run_id: UUID, **_: Any) -> None:
        """Record a v3 event."""
        if not self._listens(run_id, "event"):
            return
        self._take(event.get("id"), from_protocol_event(event))
        if event.get("event") == "message-finish":
            self._finish(event.get("metadata") or {})

    def _listens(self, run_id: UUID, kind: str) -> bool:
        """Whether it is the recorded run, told in the way in which it was told first.

        For a v3 watcher, clients that report their own chunks (langchain-openai's Responses,
        langchain-anthropic) tell everything twice: as chunks, and as events made of them.
        """
        if run_id != self._run_id:
            return False
        self.streamed = True
        self._kind = self._kind or kind
        return self._kind == kind

    def _take(
        self,
        message_id: str | None,
        fragments: Iterable[Fragment],
        chunk_type: type[Any] | None = None,
    ) -> None:
        self._open = None
        self._frames.message_id = self._frames.message_id or message_id
        for fragment in fragments:
            call, deltas = self.assembler.feed(fragment)
            if call is not None and call.tool is not None and deltas:
                self._frames.feed(call, deltas)
                self._open = OpenCall.of(call, chunk_type, fragment.index)

    def _finish(self, metadata: Mapping[str, Any]) -> None:
        self.finish_reason = graver(self.finish_reason, reported_reason(metadata))

    def tap_output_aiter(self, run_id: UUID, output: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Pass through: part of the handler protocol."""
        del run_id
        return output

    def tap_output_iter(self, run_id: UUID, output: Iterator[Any]) -> Iterator[Any]:
        """Pass through: part of the handler protocol."""
        del run_id
        return output

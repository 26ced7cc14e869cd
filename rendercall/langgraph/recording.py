"""What a model really sent: raw fragments, recorded however the run is watched."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

# langchain-core streams a model inside `invoke` only for handlers of this kind. It has no
# public name, and langgraph uses the same one ("THIS IS USED IN LANGGRAPH", its source says).
from langchain_core.tracers._streaming import _StreamingCallbackHandler

from rendercall.consumer.assembler import Assembler
from rendercall.consumer.finish import undouble
from rendercall.consumer.fragments import from_chunk, from_protocol_event

__all__ = ["Recorder"]


class Recorder(BaseCallbackHandler, _StreamingCallbackHandler[Any]):
    """A callback that records one model call.

    It sees v1 chunks (`on_llm_new_token`) or v3 events (`on_stream_event`), whichever the
    watchers of the run made the model send, and makes the model stream where nobody
    watches. Only the first model run counts: a model that wraps another one reports twice.

    Attributes:
        assembler: the calls, with their raw text.
        finish_reason: the provider's word; None where the stream ended without one.
        refusal: the refusal's text, in full.
        streamed: whether the model streamed at all.
    """

    run_inline = True
    raise_error = True

    def __init__(self) -> None:
        self.assembler = Assembler()
        self.finish_reason: str | None = None
        self.refusal = ""
        self.streamed = False
        self._run_id: UUID | None = None

    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[Any]], *, run_id: UUID, **_: Any
    ) -> None:
        """Take the first model run as the one to record."""
        del serialized, messages
        if self._run_id is None:
            self._run_id = run_id

    def on_llm_new_token(
        self, token: str | list[Any], *, chunk: Any = None, run_id: UUID, **_: Any
    ) -> None:
        """Record a v1 chunk."""
        del token
        message = getattr(chunk, "message", None)
        if run_id != self._run_id or message is None:
            return
        self.streamed = True
        for fragment in from_chunk(message):
            self.assembler.feed(fragment)
        metadata = message.response_metadata
        self._finish(metadata.get("finish_reason") or metadata.get("stop_reason"))
        self.refusal += message.additional_kwargs.get("refusal") or ""

    def on_stream_event(self, event: Any, *, run_id: UUID, **_: Any) -> None:
        """Record a v3 event."""
        if run_id != self._run_id:
            return
        self.streamed = True
        for fragment in from_protocol_event(event):
            self.assembler.feed(fragment)
        if event.get("event") == "message-finish":
            metadata = event.get("metadata") or {}
            self._finish(metadata.get("finish_reason") or metadata.get("stop_reason"))

    def _finish(self, reason: str | None) -> None:
        self.finish_reason = undouble(reason) or self.finish_reason

    def tap_output_aiter(self, run_id: UUID, output: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Pass through: part of the handler protocol."""
        del run_id
        return output

    def tap_output_iter(self, run_id: UUID, output: Iterator[Any]) -> Iterator[Any]:
        """Pass through: part of the handler protocol."""
        del run_id
        return output

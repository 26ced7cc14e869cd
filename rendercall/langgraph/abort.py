"""Early abort: a model that is definitely wrong is stopped while it still writes.

An exception of the recording callback goes through the client's own stream, so that its
connection closes, sync and async. What the model sent until then is kept.
"""

from __future__ import annotations

from dataclasses import asdict
from traceback import clear_frames
from typing import Any
from uuid import UUID, uuid4

from langchain_core.messages import AIMessage
from typing_extensions import override

from rendercall.errors import Issue
from rendercall.langgraph.frames import FrameWriter
from rendercall.langgraph.notes import with_note
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.recording import Recorder

__all__ = ["Stopped", "StoppingRecorder"]


class Stopped(BaseException):
    """The model was stopped at a definite error.

    It is no `Exception`, as a cancellation is none: langchain-core logs those that come of a
    callback as errors, and whoever tries a failed call again takes them for failures.
    """

    def __init__(self) -> None:
        super().__init__("the model was stopped at a definite error of its render call")


class StoppingRecorder(Recorder):
    """A recorder that stops the model at the first definite error of a render call.

    Attributes:
        armed: whether it stops at all. Anthropic signs a thought when it is over, and with
            thinking on refuses a call whose signed thought is missing: there it must not.
        issues: what was definitely wrong; empty where the model was not stopped.
        text: what the model said beside its calls.
    """

    def __init__(self, policy: Policy, frames: FrameWriter) -> None:
        super().__init__(policy, frames)
        self.armed = policy.on_error == "abort_and_continue"
        self.issues: tuple[Issue, ...] = ()
        self.text = ""

    @override
    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[Any]], *, run_id: UUID, **rest: Any
    ) -> None:
        if self.issues:  # somebody between tries again what was stopped
            raise Stopped
        self.text = ""
        super().on_chat_model_start(serialized, messages, run_id=run_id, **rest)

    @override
    def on_llm_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        if not isinstance(error, Stopped):
            super().on_llm_error(error, run_id=run_id, **rest)

    @override
    def on_llm_new_token(
        self, token: str | list[Any], *, chunk: Any = None, run_id: UUID, **rest: Any
    ) -> None:
        super().on_llm_new_token(token, chunk=chunk, run_id=run_id, **rest)
        if self._recorded(run_id, "chunk"):
            if token:
                self.text += str(chunk.message.text)
            self._look()

    @override
    def on_stream_event(self, event: Any, *, run_id: UUID, **rest: Any) -> None:
        super().on_stream_event(event, run_id=run_id, **rest)
        if self._recorded(run_id, "event"):
            delta = event.get("delta") or {}
            if delta.get("type") == "text-delta":
                self.text += delta.get("text", "")
            self._look()

    def _recorded(self, run_id: UUID, kind: str) -> bool:
        return self.armed and run_id == self._run_id and kind == self._kind

    def _look(self) -> None:
        """Stop at an error that nothing which may still come could undo.

        `_open` is a call whose pieces are ordinary ones: until then, another reading of them
        may count, and once the object is whole there is nothing left to save.
        """
        opened = self._open
        if opened is None:
            return
        if opened.call.errors:
            self.issues = tuple(opened.call.errors)
            raise Stopped

    def message(self, error: BaseException) -> AIMessage | None:
        """What the model sent until it was stopped, less its calls, which `correct` adds.

        Reasoning is left out: it is sealed at its end, which a watcher of v3 events never saw.

        Args:
            error: what came out of the model's call: `Stopped`, or what somebody between made of
                it. langchain-core's `agenerate` looks for results in what is no `Exception`, and
                raises an `AttributeError`.

        Returns:
            None where the model was not stopped, or the run itself was cancelled.
        """
        if not self.issues or not isinstance(error, Stopped | Exception):
            return None
        clear_frames(error.__traceback__)  # they hold the client's open stream
        message = AIMessage(self.text, id=self._frames.message_id or str(uuid4()))
        return with_note(message, stopped=[asdict(issue) for issue in self.issues])

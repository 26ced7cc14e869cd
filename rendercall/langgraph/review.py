"""What others, a human among them, made of a message before what it holds is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from rendercall.consumer.judge import tool_of
from rendercall.consumer.messages import read_message
from rendercall.contract import RenderTool
from rendercall.langgraph.history import answer_for
from rendercall.langgraph.notes import KEY, note_of, with_note

__all__ = ["Edits", "Reviewed", "is_final"]

Edits: TypeAlias = Mapping[str, Mapping[str, Any]]
"""What a human wrote instead of a call, by the call's id."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The last AI message, after everybody listed behind us had a look at it.

    Attributes:
        message: the message; a render call in it is not answered yet.
        replies: the answers to its calls, by the call's id.
        renders: the render tools.
    """

    message: AIMessage
    replies: Mapping[str, ToolMessage]
    renders: Sequence[RenderTool[Any]]

    @classmethod
    def of(
        cls, messages: Sequence[AnyMessage], renders: Sequence[RenderTool[Any]]
    ) -> Reviewed | None:
        """The last AI message of a thread; None where there is none."""
        replies: dict[str, ToolMessage] = {}
        for message in reversed(messages):
            if isinstance(message, AIMessage):
                return cls(message, replies, renders)
            if isinstance(message, ToolMessage):
                replies[message.tool_call_id] = message
        return None

    @property
    def note(self) -> Mapping[str, Any]:
        """What the graph decided about it."""
        return note_of(self.message)

    @property
    def is_rejected(self) -> bool:
        """Whether somebody else, a human, answered a render call that was to be shown."""
        answers = [self.replies[one] for one in self._render_ids if one in self.replies]
        return any(KEY not in one.additional_kwargs for one in answers)

    def goes_back(self, edits: Edits) -> bool:
        """Whether the model is asked again: not where a human has corrected its wrong call."""
        corrected = any(one in edits for one in self._render_ids)
        return self.is_rejected or (self.note.get("next") == "model" and not corrected)

    def with_edits(self, edits: Edits, *, acknowledge: bool) -> list[AnyMessage]:
        """What the state gets, now that it is shown.

        Args:
            edits: the args that a human wrote. langchain's `HumanInTheLoopMiddleware` keeps them
                beside the message, for the execution of the tool, which a render call never has.
            acknowledge: whether to answer the calls that nobody else will answer.
        """
        edited = _edited(self.message, edits)
        changed = [] if edited is self.message else [edited]
        running = self.note.get("run", ())
        acks = [
            answer_for(edited, call, self.renders)
            for call in read_message(edited).calls
            if (call.id in edits if call.id in self.replies else acknowledge)
            if call.id not in running
        ]
        return [*changed, *acks]

    @property
    def _render_ids(self) -> list[str]:
        calls = read_message(self.message).calls
        return [call.id for call in calls if tool_of(call, self.renders)]


def is_final(request: ToolCallRequest) -> bool:
    """Whether a call is in a message that the turn is to end on.

    For `when=` of langchain's `HumanInTheLoopMiddleware`, so that a human is asked about right
    plans only, and not about each that the model is about to correct.
    """
    last = Reviewed.of(request.state["messages"], ())
    return last is not None and "end" in {last.note.get("next"), last.note.get("after_tools")}


def _edited(message: AIMessage, edits: Edits) -> AIMessage:
    """The message with other args in its calls."""
    if not any(call["id"] in edits for call in message.tool_calls):
        return message
    calls = [
        {**call, "args": edits[call["id"] or ""]["args"]} if call["id"] in edits else call
        for call in message.tool_calls
    ]
    edited = message.model_copy(update={"tool_calls": calls})
    goes_on = note_of(message).get("next") == "tools"
    return edited if goes_on else with_note(edited, next="end")

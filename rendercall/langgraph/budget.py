"""What is left of a turn's limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from rendercall.langgraph.notes import note_of
from rendercall.langgraph.policy import Policy

__all__ = ["Budget"]


@dataclass(frozen=True, slots=True)
class Budget:
    """What is left of a turn's limits.

    Attributes:
        model_calls: further calls of the model.
        repairs: further times that it may be asked again.
    """

    model_calls: int
    repairs: int

    @classmethod
    def of(cls, messages: Sequence[AnyMessage], policy: Policy) -> Budget:
        """Count from the current turn's messages, so that nothing else must be stored."""
        calls = repairs = 0
        for message in reversed(messages):
            if isinstance(message, HumanMessage):
                break
            if isinstance(message, AIMessage):
                note = note_of(message)
                calls += not (note.get("search_first") or note.get("patched"))
                repairs += bool(note.get("repair"))
        return cls(policy.max_model_calls - calls, policy.max_repairs - repairs)

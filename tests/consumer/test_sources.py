from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage
from pydantic import BaseModel

from rendercall import RenderTool, last_render
from rendercall.consumer.sources import messages_of
from rendercall.errors import StateError
from schemas.learning_plan import LearningPlan

MESSAGE = AIMessage("", id="a1")
STATE = {"messages": [MESSAGE]}


class Snapshot(NamedTuple):
    """As LangGraph's `StateSnapshot`, which is a tuple."""

    values: Any
    next: tuple[str, ...] = ()


class Tuple(NamedTuple):
    """As a saver's `CheckpointTuple`."""

    config: Any
    checkpoint: Any


@dataclass
class Output:
    """As LangGraph's `GraphOutput`."""

    value: Any


@dataclass
class State:
    """A state of a user's own class."""

    messages: list[AnyMessage]


class PydanticState(BaseModel):
    """A state that keeps its messages' calls."""

    messages: list[AnyMessage]


class LossyState(BaseModel):
    """A state whose messages lose their calls once it is dumped or stored."""

    messages: list[BaseMessage]


SOURCES: dict[str, Any] = {
    "list": [MESSAGE],
    "tuple": (MESSAGE,),
    "state": STATE,
    "snapshot": Snapshot(STATE),
    "snapshot of a class": Snapshot(State([MESSAGE])),
    "snapshot of a list": Snapshot([MESSAGE]),
    "output": Output(STATE),
    "thread state": {"values": STATE, "next": [], "checkpoint": {"thread_id": "1"}},
    "thread state, root list": {"values": [MESSAGE], "next": []},
    "checkpoint": {"v": 4, "channel_values": STATE, "channel_versions": {}},
    "checkpoint tuple": Tuple({}, {"v": 4, "channel_values": STATE}),
    "object state": State([MESSAGE]),
    "Pydantic state": PydanticState(messages=[MESSAGE]),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_messages_are_found_in_every_holder(source: Any) -> None:
    """And they are the stored ones, not copies of them."""
    (found,) = messages_of(source)
    assert found.id == "a1"


NOTHING: dict[str, Any] = {
    "dict": {},
    "no state yet": {"values": {}, "checkpoint": {"thread_id": "1"}},
    "null": {"values": None},
    "number": 42,
    "text": "messages",
    "new checkpoint": Tuple({}, {"channel_values": {}}),
}


@pytest.mark.parametrize("source", NOTHING.values(), ids=NOTHING)
def test_no_messages_are_no_messages(source: Any) -> None:
    """A holder without messages is an empty history."""
    assert list(messages_of(source)) == []


def test_a_state_class_that_loses_calls_is_refused_by_name() -> None:
    """Before it was stored, and not only when the plan has vanished."""
    with pytest.raises(StateError, match=r"LossyState\.messages is declared list\[BaseMessage\]"):
        last_render(LossyState(messages=[MESSAGE]), RenderTool(LearningPlan))

"""Where the messages are in what users hold: lists, states, snapshots, checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast, get_args

from rendercall.consumer.messages import MessageLike
from rendercall.errors import StateError

__all__ = ["messages_of"]

_HOLDERS = ("messages", "values", "value", "channel_values", "checkpoint")
"""A state's messages, else what a snapshot or thread state, an output, a checkpoint or a
checkpoint tuple has the state under. A thread state has a `checkpoint` too, which is none."""


def messages_of(source: Any) -> Sequence[MessageLike]:
    """Find the messages of a thread.

    Args:
        source: a list of messages; a state with `messages`, as a dict or an object; a
            `StateSnapshot`, `GraphOutput` or thread state of the server; a checkpoint or
            `CheckpointTuple` of any saver.

    Returns:
        The messages as they are; empty where there are none.

    Raises:
        StateError: the state is a Pydantic class that loses tool calls.
    """
    get = source.get if isinstance(source, Mapping) else partial(_attribute, source)
    for name in _HOLDERS:
        found = get(name)
        if found is not None and not callable(found):
            if name != "messages":
                return messages_of(found)
            _refuse_loss(type(source))
            return cast("Sequence[MessageLike]", found)
    return source if isinstance(source, Sequence) and not isinstance(source, str) else ()


def _attribute(source: object, name: str) -> Any:
    return getattr(source, name, None)


def _refuse_loss(state: type[Any]) -> None:
    """Pydantic writes what a field is declared as: `list[BaseMessage]` has no tool calls."""
    field = getattr(state, "model_fields", {}).get("messages")
    if field is None:
        return
    if any(getattr(one, "__name__", "") == "BaseMessage" for one in get_args(field.annotation)):
        raise StateError(
            f"{state.__name__}.messages is declared list[BaseMessage], and Pydantic drops the "
            "tool calls of its messages wherever it is stored or dumped. Declare it "
            "list[AnyMessage] (langchain_core.messages), or keep the messages in the graph's "
            "own state."
        )

"""What a model call adds to the cost of its turn."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from rendercall.consumer.cost import Cost
from rendercall.consumer.messages import Call, read_message
from rendercall.langgraph.notes import note_of

__all__ = ["cost_of"]


def cost_of(
    messages: Sequence[AnyMessage],
    message: AIMessage,
    shown: str | None,
    calls: Sequence[Call],
    *,
    seconds: float,
    first_field: float | None,
) -> Cost:
    """The cost of a turn with one more message of the model.

    Args:
        messages: the thread's messages before it; the ones of the turn carry their own cost.
        message: what the model sent.
        shown: the args of the right render call that the turn ends on; None where it goes on.
        calls: its calls with their raw text, where it was streamed; else none.
        seconds: what the call took.
        first_field: seconds into the call until the first value was there, if one was.
    """
    turn = _turn(messages)
    noted = (cost for one in reversed(turn) if (cost := Cost.of_note(note_of(one))))
    before = next(noted, Cost())
    calls = calls or read_message(message).calls
    written = len(str(message.text)) + sum(len(call.text) for call in calls)  # no thoughts
    asked_again = bool(turn) and bool(note_of(turn[-1]).get("repair"))
    usage = message.usage_metadata
    first = None if first_field is None else before.seconds + first_field
    return Cost(
        calls=before.calls + 1,
        written=before.written + written,
        repaired=before.repaired + (written if asked_again else 0),
        saved=sum(_saved(one, shown) for one in turn) if shown else 0,
        seconds=before.seconds + seconds,
        first_field=first if before.first_field is None else before.first_field,
        input_tokens=_sum(before.input_tokens, usage and usage["input_tokens"]),
        output_tokens=_sum(before.output_tokens, usage and usage["output_tokens"]),
    )


def _turn(messages: Sequence[AnyMessage]) -> list[AIMessage]:
    found: list[AIMessage] = []
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        if isinstance(message, AIMessage):
            found.append(message)
    return found[::-1]


def _saved(message: AIMessage, shown: str) -> int:
    """What a stopped call left unwritten, if it was to be as long as the answer."""
    if not note_of(message).get("stopped"):
        return 0
    return max(0, len(shown) - sum(len(call.text) for call in read_message(message).calls))


def _sum(before: int | None, more: int | None) -> int | None:
    return before if more is None else (before or 0) + more

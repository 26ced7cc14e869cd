"""Stream events of every kind, in one form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rendercall.consumer.fragments import Fragment

__all__ = ["Namespace", "StreamEvent", "is_within"]

Namespace: TypeAlias = tuple[str, ...]
"""Of the graph that speaks; `()` is the root graph, `("plan:<task id>",)` a graph in its node."""


def is_within(namespace: Namespace, wanted: Namespace) -> bool:
    """Whether a namespace is the wanted one. Node names are enough: task ids are made in the run.

    Args:
        namespace: of an event.
        wanted: with task ids or without, e.g. `("plan",)`.
    """
    return namespace == wanted or (
        len(namespace) == len(wanted)
        and all(
            want in {part, part.partition(":")[0]}
            for part, want in zip(namespace, wanted, strict=True)
        )
    )


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """What one event of a stream says about tool calls.

    Attributes:
        fragments: pieces of calls.
        message_id: of the AI message that the event belongs to; None where it says none.
        namespace: of the graph that speaks.
        starts: a new message begins: what was half there before is superseded.
        finish_reason: the provider's word, at a message's end.
        refusal: a piece of a refusal's text.
        content: whether the message holds text or other content.
        whole: a whole AI message, in any of its forms.
        final: whether `whole` is finished; else it grows, and its args were half parsed.
        messages: the state's messages: they are the truth, whatever was streamed.
        ended: the stream is over, though no finish reason may have come.
        cancelled: the run was cancelled.
    """

    fragments: tuple[Fragment, ...] = ()
    message_id: str | None = None
    namespace: Namespace = ()
    starts: bool = False
    finish_reason: str | None = None
    refusal: str = ""
    content: bool = False
    whole: Mapping[str, Any] | Any | None = None
    final: bool = True
    messages: Sequence[Any] | None = None
    ended: bool = False
    cancelled: bool = False

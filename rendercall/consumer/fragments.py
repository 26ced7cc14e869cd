"""Pieces of tool calls as they arrive, taken out of every kind of stream event."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Fragment", "from_chunk", "from_protocol_event", "to_fragment"]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of one tool call.

    Attributes:
        index: the provider's place for the call; None where it gave none.
        id: the call's id; None where this piece carries none.
        name: the tool's name or a piece of it; None where this piece carries none.
        args: argument text; may be empty.
        whole: `args` are all of them, said again at the end: news only where no piece came.
    """

    index: int | str | None
    id: str | None
    name: str | None
    args: str
    whole: bool = False

    @property
    def begins(self) -> bool:
        """Whether the text can be the beginning of an object."""
        return self.args.lstrip().startswith("{")

    @property
    def is_middle(self) -> bool:
        """Whether the text can only be the middle of an object: none begins like that."""
        return not self.begins and not self.args.isspace() and self.args != ""


def from_chunk(chunk: Any) -> Iterator[Fragment]:
    """Fragments of an `AIMessageChunk`, as an object or as its dict form."""
    pieces: Sequence[Mapping[str, Any]]
    if isinstance(chunk, Mapping):
        pieces = chunk.get("tool_call_chunks") or ()
    else:
        pieces = getattr(chunk, "tool_call_chunks", ())
    for piece in pieces or ():
        yield _fragment(piece.get("index"), piece)


def from_protocol_event(event: Mapping[str, Any]) -> Iterator[Fragment]:
    """Fragments of one v3 message event (`content-block-start`, `-delta`, `-finish`).

    A call of a provider that sends it whole (Gemini, Mistral) has no deltas: its block starts
    empty, and its args are parsed ones in the finish.
    """
    kind = event.get("event")
    if kind == "content-block-start":
        block = event["content"]
        if block.get("type") == "tool_call_chunk":
            yield _fragment(event.get("index"), block)
    elif kind == "content-block-delta":
        delta = event["delta"]
        if delta.get("type") == "tool-call-delta":
            yield _fragment(event.get("index"), delta)
        elif delta.get("type") == "block-delta":  # of older cores: all of the block so far
            block = delta.get("fields") or {}
            if block.get("type") == "tool_call_chunk":
                yield _fragment(event.get("index"), block)
    elif kind == "content-block-finish":
        block = event["content"]
        if block.get("type") == "tool_call":
            yield replace(_fragment(event.get("index"), block), whole=True)


def to_fragment(index: Any, call_id: Any, name: Any, args: Any) -> Fragment:
    """A fragment from a wire's fields, whatever gateways make of them.

    Empty texts are none, an index as text is a number, an id as a number is text, and args
    as an object are its JSON.
    """
    if isinstance(index, str) and index.isdecimal():
        index = int(index)
    if args is not None and not isinstance(args, str):
        args = json.dumps(args, ensure_ascii=False)
    return Fragment(index, str(call_id) if call_id else None, name or None, args or "")


def _fragment(index: Any, piece: Mapping[str, Any]) -> Fragment:
    return to_fragment(index, piece.get("id"), piece.get("name"), piece.get("args"))

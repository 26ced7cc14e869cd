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


def from_chunk(chunk: Any) -> Iterator[Fragment]:
    """Fragments of an `AIMessageChunk`, as an object or as its dict form."""
    pieces: Sequence[Mapping[str, Any]]
    if isinstance(chunk, Mapping):
        pieces = chunk.get("tool_call_chunks") or ()
    else:
        pieces = getattr(chunk, "tool_call_chunks", ())
    for piece in pieces:
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
    elif kind == "content-block-finish":
        block = event["content"]
        if block.get("type") == "tool_call":
            args = json.dumps(block.get("args"), ensure_ascii=False)
            fragment = to_fragment(event.get("index"), block.get("id"), block.get("name"), args)
            yield replace(fragment, whole=True)


def to_fragment(index: Any, call_id: Any, name: Any, args: Any) -> Fragment:
    """A fragment from a wire's fields: empty texts are none, an index as text is a number."""
    if isinstance(index, str) and index.isdecimal():
        index = int(index)  # some gateways send the index as text
    return Fragment(index, call_id or None, name or None, args or "")


def _fragment(index: Any, piece: Mapping[str, Any]) -> Fragment:
    return to_fragment(index, piece.get("id"), piece.get("name"), piece.get("args"))

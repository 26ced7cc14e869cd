"""What the graph writes on its messages, under one key of their metadata.

On an AI message, in `response_metadata["rendercall"]`:

- `raw_seen`: the raw argument text was seen, so args in `tool_calls` are complete.
- `notices`: warnings that only the model node could see.
- `next`: where the graph goes after this message: `model`, `tools` or `end`.
- `run`: ids of the ordinary calls to run, where `next` is `tools`.
- `after_tools`: where it goes after the tools: `model` (default) or `end`.
- `repair`: asking again after this message counts against `max_repairs`.
- `failure`: code and message, where the graph gave up on this message.
- `stopped`: the graph stopped the model on this message at a definite error; the errors, each
  with `pointer`, `kind`, `code` and `message`.
- `patched`: the graph made this render call itself: `call_id` of the wrong one, `patches`, the
  ids of the calls that patched it, and a `digest` of its args, by which an edit is seen.
- `cost`: the turn's cost up to this message, see `rendercall.consumer.cost`.
- `search_first`: the graph wrote this message itself, to search before the model speaks.

On a tool message, in `additional_kwargs["rendercall"]`: `reason`, why the graph answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

__all__ = ["KEY", "note_of", "with_note"]

KEY = "rendercall"


def note_of(message: BaseMessage) -> Mapping[str, Any]:
    """The note on a message; empty where there is none."""
    holder = message.response_metadata if isinstance(message, AIMessage) else {}
    note: Mapping[str, Any] = holder.get(KEY) or {}
    return note


def with_note(message: AIMessage, **entries: Any) -> AIMessage:
    """A copy of the message with entries added to its note; false entries are left out."""
    note = {**note_of(message), **{key: value for key, value in entries.items() if value}}
    if not note:
        return message
    metadata = {**message.response_metadata, KEY: note}
    return message.model_copy(update={"response_metadata": metadata})

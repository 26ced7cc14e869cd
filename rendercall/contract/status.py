"""The outcomes that a render call can have."""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["Status"]

Status: TypeAlias = Literal[
    "ok",
    "partial",
    "invalid",
    "truncated",
    "filtered",
    "refused",
    "failed",
    "absent",
    "aborted",
]
"""The closed set of outcomes:

- `ok`: the checked value.
- `partial`: still arriving.
- `invalid`: finished, but not what the schema or the bounds ask for.
- `truncated`: cut off, at a token limit or by a broken connection.
- `filtered`: the provider's content filter stopped it.
- `refused`: the model refused.
- `failed`: no usable answer: an empty message, a call that the provider calls malformed,
  or a call that the graph did not show.
- `absent`: the current turn has no render call.
- `aborted`: the run was cancelled while the call arrived.
"""

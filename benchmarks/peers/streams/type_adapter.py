"""Pydantic's own partial mode: validates the text so far again after each fragment."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from benchmarks.documents import Shape
from benchmarks.peers.streams.way import of_prefixes

__all__ = ["WAYS"]


@cache
def adapter_of(shape: Shape) -> TypeAdapter[Any]:
    """The adapter of a shape's TypedDict."""
    return TypeAdapter(shape.partial_type)


WAYS = [
    of_prefixes(
        "TypeAdapter (TypedDict), allow_partial",
        lambda text, shape: adapter_of(shape).validate_json(
            text, experimental_allow_partial="trailing-strings"
        ),
        refuses=ValueError,
    )
]

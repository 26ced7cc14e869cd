"""Fixed limits on the args of a render call: checked before any schema.

They are I-JSON (RFC 7493) plus sizes. A check that comes first must be cheap and must not
be the denial of service itself, so everything here is linear in the text.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MAX_DEPTH", "MAX_SAFE_INTEGER", "Bounds"]

MAX_SAFE_INTEGER = 2**53 - 1
"""Largest integer that every JSON reader keeps exact (RFC 7493, section 2.2)."""

MAX_DEPTH = 128
"""Nesting that every validator takes on the smallest stack of a thread; jsonschema-rs 0.61 ends
the process on 500 levels where the stack has 128 KB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How large the args of one render call may be.

    Attributes:
        max_bytes: size of the text in UTF-8.
        max_depth: nesting of objects and arrays; the root object is depth 1.
        max_string: characters in one string or key.
        max_items: entries of one array or object.
        max_nodes: values in the whole document, the root included.
        max_number: characters in one number literal.
    """

    max_bytes: int = 1_048_576
    max_depth: int = 64
    max_string: int = 262_144
    max_items: int = 10_000
    max_nodes: int = 100_000
    max_number: int = 128

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) < 1:
                raise ValueError(f"Bounds.{name} must be at least 1")

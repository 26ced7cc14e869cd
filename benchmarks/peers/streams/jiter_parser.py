"""jiter: the text so far, parsed again after each fragment."""

from __future__ import annotations

import jiter

from benchmarks.peers.streams.way import of_prefixes

__all__ = ["WAYS"]

WAYS = [
    of_prefixes(
        "jiter.from_json, partial",
        lambda text, _: jiter.from_json(text.encode(), partial_mode="trailing-strings"),
        refuses=ValueError,
    )
]

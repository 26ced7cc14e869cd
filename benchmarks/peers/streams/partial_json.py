"""partial-json-parser: the text so far, parsed again after each fragment."""

from __future__ import annotations

from partial_json_parser import loads

from benchmarks.peers.streams.way import of_prefixes

__all__ = ["WAYS"]

WAYS = [of_prefixes("partial-json-parser", lambda text, _: loads(text), refuses=Exception)]

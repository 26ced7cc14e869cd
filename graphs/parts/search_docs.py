"""`search_docs`: the graphs' ordinary tool, over the documentation that ships with Python.

Two channels: the model reads a short numbered text, programs read the same hits as the tool
message's `artifact`, a list of `{"title", "source", "snippet", "complete"}`.
"""

from __future__ import annotations

import asyncio
import atexit
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from threading import Lock
from typing import Any

from langchain_core.tools import StructuredTool

from graphs.parts.docs_index import DocsIndex, Hit, open_docs_index

__all__ = ["search_docs"]

_ECHO_CHARS = 80
_opening = Lock()


def _search(query: str) -> tuple[str, list[dict[str, Any]]]:
    """Search the documentation that ships with Python: the language and its standard library.

    Args:
        query: A few English keywords, such as "list comprehensions".
    """
    with _opening:  # the first call may build the index; one build is enough
        index = _shared_index()
    hits = index.search(query)
    return _text(query, hits), [asdict(hit) for hit in hits]


async def _search_in_thread(query: str) -> tuple[str, list[dict[str, Any]]]:
    # An event loop must not wait for a disk.
    return await asyncio.to_thread(_search, query)


@cache
def _shared_index() -> DocsIndex:
    index = open_docs_index()
    atexit.register(index.close)
    return index


def _text(query: str, hits: Sequence[Hit]) -> str:
    asked = " ".join(query.split())
    if len(asked) > _ECHO_CHARS:
        asked = asked[:_ECHO_CHARS] + "…"
    if not hits:
        return (
            f'No hits in the Python documentation for "{asked}"; '
            "try fewer or other English keywords, or go on without it."
        )
    lines = [] if hits[0].complete else ["No page has all of these words; these have some:"]
    for number, hit in enumerate(hits, 1):
        lines.append(f"{number}. {hit.title} ({hit.source})\n   {hit.snippet}")
    return "\n".join(lines)


search_docs = StructuredTool.from_function(
    func=_search,
    coroutine=_search_in_thread,
    name="search_docs",
    response_format="content_and_artifact",
    parse_docstring=True,
    metadata={"label": {"en": "Search the Python documentation", "zh": "搜索 Python 文档"}},
)
"""The tool. Sync and async; the text is at most about 1,500 characters long."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from blockbuster import BlockingError, blockbuster_ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage

from graphs.parts import search_docs as module
from graphs.parts.search_docs import search_docs


def call(query: str) -> dict[str, Any]:
    return {"type": "tool_call", "name": "search_docs", "id": "c1", "args": {"query": query}}


def search(query: str) -> ToolMessage:
    return cast("ToolMessage", search_docs.invoke(call(query)))


def test_two_channels() -> None:
    """The model reads numbered hits with their sources; programs read the same hits."""
    message = search("yield")
    assert message.status == "success"
    text = str(message.text)
    assert text.startswith("1. ")
    assert 1 <= len(message.artifact) <= 5
    for number, hit in enumerate(message.artifact, 1):
        assert set(hit) == {"title", "source", "snippet", "complete"}
        assert f"{number}. {hit['title']} ({hit['source']})\n   {hit['snippet']}" in text
    assert "Python docs: topic 'yield'" in text


def test_no_hits_is_said() -> None:
    """An empty result is an honest sentence and an empty list."""
    message = search("装饰器")
    assert str(message.text).startswith('No hits in the Python documentation for "装饰器"')
    assert message.artifact == []


def test_partial_hits_are_said_to_be_partial() -> None:
    """The model learns that no page has all of its words."""
    assert str(search("generator photosynthesis").text).startswith("No page has all of these words")


@settings(deadline=None)
@given(query=st.text())
def test_the_text_is_bounded(query: str) -> None:
    """No query makes the answer long."""
    assert 0 < len(str(search(query).text)) <= 1600


@pytest.mark.parametrize("query", ["x " * 5000, "装" * 5000, "class " * 5000])
def test_a_long_query_is_not_echoed(query: str) -> None:
    """What the model wrote comes back in short."""
    assert len(str(search(query).text)) <= 1600


async def test_async_gives_the_same() -> None:
    """Many searches at once give what one at a time gives."""
    queries = ["yield", "sqlite", "装饰器", "regular expressions"] * 4
    answers = await asyncio.gather(*(search_docs.ainvoke(call(query)) for query in queries))
    assert [a.content for a in answers] == [search(query).content for query in queries]


async def test_the_event_loop_is_not_blocked() -> None:
    """Opening the index and searching it happen in a thread."""
    module._shared_index.cache_clear()
    with blockbuster_ctx():
        with pytest.raises(BlockingError):  # the guard sees what a blocking search would do
            search("yield")
        assert (await search_docs.ainvoke(call("yield"))).artifact

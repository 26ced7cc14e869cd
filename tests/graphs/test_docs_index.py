from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graphs.parts import docs_index
from graphs.parts.docs_index import (
    SNIPPET_CHARS,
    DocsIndex,
    cache_file,
    match_expressions,
    open_docs_index,
)
from graphs.parts.docs_pages import Page

SYNTAX = ["title:", "AND", "OR", "NOT", "NEAR(", ")", '"', "'", "*", "^", ":", "-", "+", "{"]
LETTERS = ["\0", "\ud800", "窗口", "é", "e\u0301", "_", "𞤀", "\U0001fae8", "\U00011f02", "%", "\n"]
PIECES = SYNTAX + LETTERS

anything = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(query=anything)
@example(query='"')
@example(query="yield " * 5000)
@example(query="x" * 100_000)
def test_no_text_is_query_syntax(docs: DocsIndex, query: str) -> None:
    """Whatever a model or a user writes, the search answers, within its bounds."""
    hits = docs.search(query)
    assert len(hits) <= 5
    assert all(hit.title and hit.source and len(hit.snippet) <= SNIPPET_CHARS for hit in hits)
    assert all("\n" not in hit.snippet for hit in hits)


@pytest.mark.parametrize(
    ("query", "title", "source"),
    [
        ("yield", 'The "yield" statement', "Python docs: topic 'yield'"),
        ("sqlite", "sqlite3", "Python docs: module sqlite3"),
        ("regular expressions", "re", "Python docs: module re"),
        ("http.server", "http.server", "Python docs: module http.server"),
        ("What is exception handling in Python?", "Exceptions", "Python docs: topic 'exceptions'"),
        ("TopologicalSorter", "graphlib.TopologicalSorter", ""),
    ],
)
def test_the_right_page_is_among_the_hits(
    docs: DocsIndex, query: str, title: str, source: str
) -> None:
    """Plain questions find the page that a reader would open."""
    found = {hit.title: hit for hit in docs.search(query)}
    assert title in found
    assert found[title].complete
    assert found[title].source.endswith(source)


@pytest.mark.parametrize(
    "query", ["", "   ", "!?", "装饰器", "我想学 Python 装饰器", "photosynthesis"]
)
def test_no_hits_is_an_empty_answer(docs: DocsIndex, query: str) -> None:
    """What the documentation does not know is not made up."""
    assert docs.search(query) == ()


def test_some_of_the_words_is_said_to_be_some(docs: DocsIndex) -> None:
    """Hits of the second, looser search are marked."""
    hits = docs.search("generator photosynthesis")
    assert hits
    assert not any(hit.complete for hit in hits)


def test_limit(docs: DocsIndex) -> None:
    """The number of hits is the caller's choice."""
    assert len(docs.search("class", limit=2)) == 2


@pytest.mark.parametrize(
    ("query", "expressions"),
    [
        ("", ()),
        ("yield", ('("yield" OR "yields")',)),
        ("the", ('("the" OR "thes")',)),
        ('NOT "x', ('("not" OR "nots") AND ("x" OR "xs")', '("not" OR "nots") OR ("x" OR "xs")')),
        ("queries", ('("queries" OR "queriess" OR "querie" OR "queri" OR "query")',)),
    ],
    ids=["nothing", "one word has one search", "only a common word", "quoted", "plural"],
)
def test_expressions(query: str, expressions: tuple[str, ...]) -> None:
    """Every word is quoted; singular and plural count as one word."""
    assert match_expressions(query) == expressions


@pytest.fixture
def few_pages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """Three pages instead of thousands, an empty cache; gives the list of builds."""
    builds: list[int] = []

    def pages() -> Iterator[Page]:
        builds.append(1)
        for name in ("alpha", "beta", "gamma"):
            yield Page("module", name, name, f"About {name} in python.")

    monkeypatch.setattr(docs_index, "python_pages", pages)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return builds


def titles(query: str) -> list[str]:
    index = open_docs_index()
    try:
        return [hit.title for hit in index.search(query)]
    finally:
        index.close()


def test_built_once(few_pages: list[int]) -> None:
    """The second opening reads the file of the first, and finds the same."""
    assert titles("beta") == titles("beta") == ["beta"]
    assert len(few_pages) == 1
    assert [path.name for path in cache_file().parent.iterdir()] == [cache_file().name]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\0" * 200])
def test_a_spoilt_file_is_replaced(few_pages: list[int], content: bytes) -> None:
    """A file that is no index is built anew, once."""
    cache_file().parent.mkdir(parents=True)
    cache_file().write_bytes(content)
    assert titles("gamma") == titles("gamma") == ["gamma"]
    assert len(few_pages) == 1


def test_a_database_of_something_else_is_replaced(few_pages: list[int]) -> None:
    """A real database without our table is no index either."""
    cache_file().parent.mkdir(parents=True)
    other = sqlite3.connect(cache_file())
    other.execute("CREATE TABLE t (x)")
    other.close()
    assert titles("gamma") == ["gamma"]
    assert len(few_pages) == 1


def test_memory_serves_where_the_cache_cannot_be_written(
    few_pages: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A folder that cannot be made costs the file, not the search."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert titles("alpha") == titles("alpha") == ["alpha"]
    assert len(few_pages) == 2


@pytest.mark.usefixtures("few_pages")
def test_a_failed_save_leaves_nothing_behind() -> None:
    """Where the file cannot take its place, no half file stays."""
    cache_file().mkdir(parents=True)  # a folder in its place
    assert titles("alpha") == ["alpha"]
    assert [path.name for path in cache_file().parent.iterdir()] == [cache_file().name]


@pytest.mark.usefixtures("few_pages")
def test_builders_at_the_same_time() -> None:
    """Several builders do not disturb each other or a reader; one whole file stays."""
    barrier = Barrier(6)

    def build(_: int) -> list[str]:
        barrier.wait()
        return titles("beta")

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(build, range(6))) == [["beta"]] * 6
    assert [path.name for path in cache_file().parent.iterdir()] == [cache_file().name]
    assert titles("beta") == ["beta"]


def test_a_relative_cache_home_is_void(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As the XDG base directory specification says."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert cache_file().parent == tmp_path / ".cache" / "rendercall"


def test_without_a_home_memory_serves(
    few_pages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user without a home folder can search too."""

    def no_home() -> Path:
        raise RuntimeError

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", no_home)
    assert titles("alpha") == ["alpha"]
    assert few_pages == [1]

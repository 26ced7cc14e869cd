from __future__ import annotations

import sys
from pathlib import Path
from pydoc_data import topics

import pytest

from graphs.parts.docs_pages import Page, docstring_pages, python_pages, topic_pages

LONG = "Says what it is for in a sentence of more than sixty characters."

SOURCES = {
    "plain.py": f'"""Plain."""\ndef shown():\n    """{LONG}"""\ndef _own():\n    """{LONG}"""\n',
    "listed.py": f'"""Lists its names."""\n__all__ = ["Shown"]\n__all__ += ["more"]\n'
    f'class Shown:\n    """{LONG}"""\nasync def more():\n    """{LONG}"""\n'
    f'def internal():\n    """{LONG}"""\n',
    "terse.py": '"""Terse."""\ndef f():\n    """Short."""\n',
    "explodes.py": f'"""Raises when imported."""\nraise RuntimeError\ndef f():\n    """{LONG}"""\n',
    "broken.py": '"""Not Python."""\ndef (:\n',
    "nul.py": '"""NUL."""\n\0',
    "_private.py": '"""Private."""\n',
    "not-a-module.py": '"""No name."""\n',
    "pack/__init__.py": '"""A package."""\n',
    "pack/inner.py": '"""Inside a package."""\n',
    "pack/test/test_it.py": '"""A test."""\n',
    "site-packages/other.py": '"""Another distribution."""\n',
}


@pytest.fixture
def stdlib(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_public_docstrings_are_pages(stdlib: Path) -> None:
    """Modules, classes and functions that are public and say something; nothing else."""
    pages = [(page.kind, page.name) for page in docstring_pages(stdlib)]
    assert pages == [
        ("module", "explodes"),
        ("function", "explodes.f"),
        ("module", "listed"),
        ("class", "listed.Shown"),
        ("function", "listed.more"),
        ("module", "plain"),
        ("function", "plain.shown"),
        ("module", "terse"),
        ("module", "pack"),
        ("module", "pack.inner"),
    ]


def test_a_missing_folder_has_no_pages(tmp_path: Path) -> None:
    """A Python without source files still has its topics."""
    assert list(docstring_pages(tmp_path / "none")) == []


@pytest.fixture(scope="module")
def read() -> tuple[list[Page], set[str]]:
    """The pages of this Python, and the modules that reading them imported."""
    before = set(sys.modules)
    return list(python_pages()), set(sys.modules) - before


def test_nothing_is_imported(read: tuple[list[Page], set[str]]) -> None:
    """Reading the real standard library imports none of it."""
    pages, imported = read
    assert any(page.name == "turtle" for page in pages)
    assert imported == set()


def test_topics_are_cut_into_their_sections() -> None:
    """Each section of a topic is a page under its own heading, without the heading's line."""
    pages = {page.title: page for page in topic_pages()}
    assert pages['The "yield" statement'].source == "Python docs: topic 'yield'"
    assert not any("****" in page.text[:80] for page in pages.values())


def test_sections_of_any_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cut is at headings only; a topic without one is a page under its own name."""
    texts = {
        "bare": "Only text.\n",
        "two": "One\n***\n\nFirst.\n\n\nTwo\n===\n\nSecond --- text.\n",
    }
    monkeypatch.setattr(topics, "topics", texts)
    assert list(topic_pages()) == [
        Page("topic", "bare", "bare", "Only text."),
        Page("topic", "two", "One", "First."),
        Page("topic", "two", "Two", "Second --- text."),
    ]


def test_no_text_is_there_twice(read: tuple[list[Page], set[str]]) -> None:
    """Topics repeat each other; the pages do not, and none is empty."""
    texts = [page.text for page in read[0]]
    assert len(texts) > 1000
    assert len(set(texts)) == len(texts)
    assert all(texts)


@pytest.mark.parametrize(
    ("page", "source"),
    [
        (Page("topic", "yield", "t", "x"), "Python docs: topic 'yield'"),
        (Page("module", "sqlite3", "t", "x"), "Python docs: module sqlite3"),
        (Page("class", "ast.AST", "t", "x"), "Python docs: class ast.AST"),
    ],
    ids=["topic", "module", "class"],
)
def test_source_says_where_a_page_stands(page: Page, source: str) -> None:
    """A reader can look the page up."""
    assert page.source == source

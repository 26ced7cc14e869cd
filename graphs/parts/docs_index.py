"""A full-text index (SQLite FTS5) of the documentation that ships with Python.

It needs no network. It is built once and kept in the user's cache folder, see
`graphs.parts.cached_database`.
"""

from __future__ import annotations

import platform
import re
import sqlite3
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from graphs.parts.cached_database import cache_folder, open_cached
from graphs.parts.docs_pages import Kind, python_pages

__all__ = ["DocsIndex", "Hit", "cache_file", "match_expressions", "open_docs_index"]

INDEX_FORMAT = 1
"""Raise it when pages, columns or tokenizer change: files of other formats are left alone."""

SNIPPET_CHARS = 160
"""Longest snippet of a hit."""

_KIND_WEIGHT: dict[Kind, float] = {"topic": 2.0, "module": 1.6, "class": 1.2, "function": 1.0}
"""A page about a whole topic answers a broad query better than one about a function."""

_WORD = re.compile(r"[^\W_]+")
_COMMON_WORDS = frozenset(
    _WORD.findall(
        "a about an and are as at by can do does for from how i in is it learn me my of on or "
        "python s that the this to use using what when which why with"
    )
)
"""Words that do not tell pages of the Python documentation apart."""

_MAX_WORDS = 16
_MAX_WORD_CHARS = 64

_CREATE = """
    CREATE VIRTUAL TABLE pages
    USING fts5(title, source UNINDEXED, text, weight UNINDEXED, tokenize='unicode61')
"""
# A word in the title counts for ten in the text. Of equals the first page wins: same query,
# same hits.
_SEARCH = """
    SELECT title, source, snippet(pages, 2, '', '', '…', 32) FROM pages WHERE pages MATCH ?
    ORDER BY bm25(pages, 10.0, 0.0, 1.0, 0.0) * weight, rowid LIMIT ?
"""
_PROBE = "SELECT title, source, text, weight FROM pages WHERE pages MATCH 'python' LIMIT 1"


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that answers a query.

    Attributes:
        title: heading or dotted name of the page.
        source: where it stands, e.g. `Python docs: module sqlite3`.
        snippet: the passage around the words, one line of at most `SNIPPET_CHARS`.
        complete: whether the page has every telling word of the query, or only some.
    """

    title: str
    source: str
    snippet: str
    complete: bool


class DocsIndex:
    """An open index. Its methods may be called from any thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = Lock()

    def search(self, query: str, limit: int = 5) -> tuple[Hit, ...]:
        """The best pages, best first; empty where no page has a word of the query.

        Pages with some of the words are looked for only where no page has them all.

        Args:
            query: any text; it is never read as query syntax.
            limit: the most hits to return.
        """
        for position, expression in enumerate(match_expressions(query)):
            with self._lock:
                rows = self._connection.execute(_SEARCH, (expression, limit)).fetchall()
            if rows:
                return tuple(
                    Hit(title, source, _one_line(text), complete=position == 0)
                    for title, source, text in rows
                )
        return ()

    def close(self) -> None:
        """Let go of the database; the index cannot be searched afterwards."""
        self._connection.close()


def match_expressions(query: str) -> tuple[str, ...]:
    """FTS5 expressions for a text: one for all of its telling words, then one for any of them.

    Every word is quoted, so that no text is query syntax. Empty where the text has no word.
    """
    folded = unicodedata.normalize("NFKC", query).lower()
    words = dict.fromkeys(word[:_MAX_WORD_CHARS] for word in _WORD.findall(folded))
    telling = [word for word in words if word not in _COMMON_WORDS] or list(words)
    groups = ["(" + " OR ".join(f'"{form}"' for form in _forms(w)) + ")" for w in telling]
    return tuple(
        dict.fromkeys(joint.join(groups[:_MAX_WORDS]) for joint in (" AND ", " OR ") if groups)
    )


def _forms(word: str) -> list[str]:
    """Singular and plural; a real stemmer takes `generators` for `generic`."""
    endings = [("", ""), ("", "s"), ("s", ""), ("es", ""), ("ies", "y")]
    return [
        word.removesuffix(old) + new
        for old, new in endings
        if word.endswith(old) and len(word) > len(old) + 2 * bool(old)
    ]


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET_CHARS else line[: SNIPPET_CHARS - 1].rstrip() + "…"


def cache_file() -> Path:
    """Where the index of this Python is kept.

    Raises:
        RuntimeError: the user has no home folder.
    """
    return cache_folder() / _file_name()


def open_docs_index() -> DocsIndex:
    """Open the index of this Python; build it where there is none yet (a few seconds)."""
    return DocsIndex(open_cached(_file_name(), _build, _PROBE))


def _file_name() -> str:
    python = f"{sys.implementation.name}-{platform.python_version()}"
    return f"docs-{python}-format{INDEX_FORMAT}.sqlite3"


def _build(connection: sqlite3.Connection) -> None:
    connection.execute(_CREATE)
    rows = (
        (page.title, page.source, page.text, _KIND_WEIGHT[page.kind]) for page in python_pages()
    )
    connection.executemany("INSERT INTO pages VALUES (?, ?, ?, ?)", rows)

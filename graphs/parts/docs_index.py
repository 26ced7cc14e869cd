"""A full-text index (SQLite FTS5) of the documentation that ships with Python.

It needs no network. It is built once, in memory, and kept as one file in the user's cache
folder; where that folder cannot be written, the index in memory serves alone.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import sqlite3
import sys
import tempfile
import unicodedata
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from graphs.parts.docs_pages import Kind, Page, python_pages

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

    `$XDG_CACHE_HOME` where it is an absolute path (a relative one is void, as the XDG base
    directory specification says), else `~/.cache`.

    Raises:
        RuntimeError: the user has no home folder.
    """
    named = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    python = f"{sys.implementation.name}-{platform.python_version()}"
    return folder / "rendercall" / f"docs-{python}-format{INDEX_FORMAT}.sqlite3"


def open_docs_index() -> DocsIndex:
    """Open the index of this Python; build it where there is none yet (a few seconds).

    Several processes may do so at once: each builds its own, and the last one's file stays.
    """
    try:
        file = cache_file()
    except RuntimeError:
        return DocsIndex(_build(python_pages()))
    with contextlib.suppress(sqlite3.Error):  # missing, or not a database: built anew
        return DocsIndex(_open(file))
    connection = _build(python_pages())
    with contextlib.suppress(OSError, sqlite3.Error):  # the index in memory serves alone
        _save(connection, file)
    return DocsIndex(connection)


def _open(file: Path) -> sqlite3.Connection:
    # Immutable: the file is only ever replaced as a whole, so that readers need no locks.
    uri = f"{file.as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
    try:
        connection.execute(_SEARCH, ('"python"', 1)).fetchall()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _build(pages: Iterable[Page]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    with connection:
        connection.execute(_CREATE)
        rows = ((page.title, page.source, page.text, _KIND_WEIGHT[page.kind]) for page in pages)
        connection.executemany("INSERT INTO pages VALUES (?, ?, ?, ?)", rows)
    return connection


def _save(connection: sqlite3.Connection, file: Path) -> None:
    """Write a copy beside the file, then take its place in one step."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.")
    os.close(handle)
    try:
        with closing(sqlite3.connect(name)) as copy:
            connection.backup(copy)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise

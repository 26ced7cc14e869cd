"""A SQLite database that is built once and kept as one read-only file in the cache folder.

Where that folder cannot be written, the one in memory serves alone. Several processes may
build at once: each builds its own, and the last one's file stays.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

__all__ = ["Build", "cache_folder", "open_cached", "open_database"]

Build: TypeAlias = Callable[[sqlite3.Connection], None]
"""Fills an empty database."""


def cache_folder() -> Path:
    """Where this project keeps what it can make anew.

    `$XDG_CACHE_HOME` where it is an absolute path (a relative one is void, as the XDG base
    directory specification says), else `~/.cache`.

    Raises:
        RuntimeError: the user has no home folder.
    """
    named = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    return folder / "rendercall"


def open_cached(name: str, build: Build, probe: str) -> sqlite3.Connection:
    """Open the database of that name; build it where there is none yet.

    Args:
        name: of the file; it changes with what the database is built from.
        build: fills an empty database.
        probe: a query that works on this database alone; a file on which it fails is built
            anew.
    """
    try:
        file = cache_folder() / name
    except RuntimeError:
        return _built(build)
    with contextlib.suppress(sqlite3.Error):  # missing, or not a database: built anew
        return open_database(file, probe)
    connection = _built(build)
    with contextlib.suppress(OSError, sqlite3.Error):  # the one in memory serves alone
        _save(connection, file)
    return connection


def open_database(file: Path, probe: str) -> sqlite3.Connection:
    """Open a database read-only; it may be used from any thread.

    Raises:
        sqlite3.Error: there is none, or the probe fails on it.
    """
    # Immutable: the file is only ever replaced as a whole, so that readers need no locks.
    uri = f"{file.as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
    try:
        connection.execute(probe).fetchall()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _built(build: Build) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    with connection:
        build(connection)
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

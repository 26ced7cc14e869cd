"""The logs that a graph may read: named by the environment, else a sample.

`RENDERCALL_LOGS` holds paths as `PATH` does. Neither a model nor a client of the API can name a
file: they name logs by id, out of those that are open. Files are only read; what is searched is
a database in the cache folder, made anew when a file has changed.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from graphs.parts.cached_database import open_cached
from graphs.parts.incident_logs import write_sample
from graphs.parts.log_index import PROBE, Log, LogIndex, fill
from graphs.parts.log_lines import LogRecord, read_lines

__all__ = ["ENVIRONMENT", "log_index", "open_logs", "open_sample"]

ENVIRONMENT = "RENDERCALL_LOGS"

INDEX_FORMAT = 1
"""Raise it when the tables or the reading of lines change."""

MAX_MESSAGE = 2000
"""Characters of a message that are kept; the file itself has the rest."""

_opening = Lock()


def log_index() -> LogIndex:
    """The index of the logs that the environment names; opened once in a process.

    Raises:
        OSError: a file cannot be read.
    """
    with _opening:  # the first call may build the index; one build is enough
        return _shared(os.environ.get(ENVIRONMENT, ""))


@cache
def _shared(named: str) -> LogIndex:
    paths = [Path(path) for path in named.split(os.pathsep) if path]
    return open_logs(paths) if paths else open_sample()


def open_sample() -> LogIndex:
    """Open the index of the sample; what it is made from is not kept."""
    with TemporaryDirectory() as folder:
        return open_logs(write_sample(Path(folder)))


def open_logs(paths: Sequence[Path]) -> LogIndex:
    """Open the index of these files; build it where there is none yet.

    Raises:
        OSError: a file cannot be read.
    """
    logs = {_artifact_id(path): path for path in paths}
    key = hashlib.sha256("\n".join(logs).encode()).hexdigest()[:16]

    def build(connection: sqlite3.Connection) -> None:
        fill(connection, [(Log(id_, path.name), _records(path)) for id_, path in logs.items()])

    return LogIndex(open_cached(f"logs-{key}-format{INDEX_FORMAT}.sqlite3", build, PROBE))


def _artifact_id(path: Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{path.name}@{digest[:8]}"


def _records(path: Path) -> Iterator[LogRecord]:
    # A byte that is no UTF-8 costs itself, not the line.
    with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
        for record in read_lines(lines):
            yield replace(record, message=record.message[:MAX_MESSAGE])

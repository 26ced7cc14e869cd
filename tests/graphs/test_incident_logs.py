from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.parts.incident_logs import deploy_lines, shop_lines, write_sample
from graphs.parts.log_files import ENVIRONMENT, log_index, open_logs, open_sample
from graphs.parts.log_index import LogIndex, Query
from graphs.parts.log_lines import LEVELS, LogRecord, read_lines, read_time


@pytest.fixture(scope="module")
def sample(_cache_home: None) -> LogIndex:
    return open_sample()


def test_the_sample_is_the_same_everywhere(tmp_path: Path) -> None:
    """The same seed gives the same bytes: citations of the sample stay good."""
    shop, _ = write_sample(tmp_path)
    assert shop.read_bytes().decode() == "".join(f"{line}\n" for line in shop_lines())
    assert 2_000_000 < shop.stat().st_size < 5_000_000
    assert [log.id for log in open_sample().logs] == ["shop.jsonl@2b4bf456", "deploys.log@8ce0ced6"]
    assert sum(1 for _ in deploy_lines()) == 11


LINES = {
    "json": (
        '{"time": "2026-03-14T12:00:00Z", "level": "error", "service": "pay", "message": "no"}',
        LogRecord(1, "2026-03-14T12:00:00.000Z", "error", "pay", "no"),
    ),
    "other names": (
        '{"@timestamp": "2026-03-14T13:00:00+01:00", "severity": "WARNING", "msg": "hm"}',
        LogRecord(1, "2026-03-14T12:00:00.000Z", "warn", "", "hm"),
    ),
    "milliseconds since 1970": (
        '{"ts": 1773489600000, "level": "crit", "app": "a", "event": "x"}',
        LogRecord(1, "2026-03-14T12:00:00.000Z", "fatal", "a", "x"),
    ),
    "seconds since 1970": (
        '{"ts": 1773489600.25, "level": "info", "logger": "z", "msg": "x"}',
        LogRecord(1, "2026-03-14T12:00:00.250Z", "info", "z", "x"),
    ),
    "nested values": (
        '{"time": ["no"], "level": {"a": 1}, "message": "x"}',
        LogRecord(1, "", "info", "", "x"),
    ),
    "text": (
        "2026-03-14 12:00:00,250 ERROR deployer: refused",
        LogRecord(1, "2026-03-14T12:00:00.250Z", "error", "deployer", "refused"),
    ),
    "brackets": (
        "[2026-03-14T12:00:00Z] [WARN] all is full",
        LogRecord(1, "2026-03-14T12:00:00.000Z", "warn", "", "all is full"),
    ),
    "neither": ("hello", LogRecord(1, "", "info", "", "hello")),
    "broken json": ('{"time": ', LogRecord(1, "", "info", "", '{"time": ')),
}


@pytest.mark.parametrize(("line", "record"), LINES.values(), ids=LINES)
def test_lines(line: str, record: LogRecord) -> None:
    """JSON of the common loggers and plain text are read; nothing else is guessed."""
    assert list(read_lines([line + "\r\n"])) == [record]


def test_a_stack_trace_belongs_to_its_record() -> None:
    """A line without a time goes on with the one before it."""
    first, second = read_lines(["2026-03-14 12:00:00 ERROR a: x", "  at main()"])
    assert (second.time, second.level, second.service) == (first.time, first.level, "a")
    assert second.message == "  at main()"


@given(st.lists(st.text(st.characters(exclude_characters="\r\n")), max_size=5))
def test_no_line_is_refused(lines: list[str]) -> None:
    """Every line is a record, whatever it holds."""
    records = list(read_lines(lines))
    assert [record.line for record in records] == list(range(1, len(lines) + 1))
    assert all(record.level in LEVELS for record in records)


@given(st.text())
def test_a_time_is_a_time_or_none(text: str) -> None:
    """No text makes the reader of times fail."""
    assert read_time(text) is None or read_time(text)


def test_counts_are_exact(sample: LogIndex) -> None:
    """The figures of a search are those of the file itself."""
    records = [json.loads(line) for line in shop_lines()]
    errors = [one for one in records if one["level"] == "error" and one["service"] == "payments"]
    count = sample.count(Query(level="error", service="payments"))
    assert count.total == len(errors) == dict(count.services)["payments"]
    assert (count.first, count.last) == (errors[0]["time"], errors[-1]["time"])


def test_a_page_begins_behind_a_place(sample: LogIndex) -> None:
    """Pages join without a gap and without a repeat, in order of time."""
    query = Query("deploy")
    whole = sample.page(query, limit=100)
    first = sample.page(query, limit=3)
    assert first + sample.page(query, first[-1].place, 100) == whole
    assert [record.time for record in whole] == sorted(record.time for record in whole)


@given(text=st.text(st.characters(exclude_categories=())))
def test_no_text_is_query_syntax(text: str) -> None:
    """Whatever is searched for, the search answers; both ways of counting agree."""
    index = open_logs_of("a b c", "x OR y", '"quoted" NEAR(a b)')
    query = Query(text, service=text)
    assert index.count(query).total == len(index.page(query, limit=10))
    assert index.lines(text, 1, 10**30) == ()


def open_logs_of(*lines: str) -> LogIndex:
    """An index of one log with these lines; the same lines are read once."""
    if lines not in _opened:
        folder = Path(os.environ["XDG_CACHE_HOME"]) / "logs"
        folder.mkdir(exist_ok=True)
        path = folder / f"{len(_opened)}.log"
        path.write_text("\n".join(lines), encoding="utf-8")
        _opened[lines] = open_logs([path])
    return _opened[lines]


_opened: dict[tuple[str, ...], LogIndex] = {}


def test_logs_by_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment names the logs, JSON or text; one with the same content is one."""
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_bytes(b"2026-03-14 12:00:00 ERROR x: \xff\n" + name.encode())
    paths = [tmp_path / "a.log", tmp_path / "b.log", tmp_path / "a.log"]
    monkeypatch.setenv(ENVIRONMENT, os.pathsep.join(map(str, paths)))
    index = log_index()
    assert [(log.name, log.lines) for log in index.logs] == [("a.log", 2), ("b.log", 2)]
    assert index.page(Query(level="error"))[0].message == "\ufffd"


def test_a_changed_file_is_another_log(tmp_path: Path) -> None:
    """An id stands for the content: an old citation never points into a new file."""
    path = tmp_path / "a.log"
    path.write_text("one")
    (before,) = open_logs([path]).logs
    path.write_text("two")
    (after,) = open_logs([path]).logs
    assert before.id != after.id
    assert before.name == after.name


def test_the_index_is_read_only(sample: LogIndex, tmp_path: Path) -> None:
    """Nothing that reads can write: a second opening takes the file, read-only."""
    path = tmp_path / "a.log"
    path.write_text("one")
    open_logs([path]).close()
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        open_logs([path])._connection.execute("DELETE FROM records")
    assert sample.logs

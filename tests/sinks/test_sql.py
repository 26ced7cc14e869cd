from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from rendercall.sinks import sql_parameters
from tests.corpus import payloads

INSERT = "INSERT INTO notes (topic, minutes) VALUES (:topic, :minutes)"
SELECT = "SELECT topic FROM notes WHERE topic = :topic AND ':secret' <> topic -- :comment\n"


def test_no_payload_is_more_than_a_value() -> None:
    """SQLite stores each as it is, finds it by itself, and nothing else is changed or told."""
    base = sqlite3.connect(":memory:")
    base.executescript("CREATE TABLE notes (topic, minutes); CREATE TABLE users (name);")
    base.execute("INSERT INTO users VALUES ('secret')")
    texts = [text for text in payloads() if text.isascii() or text.encode("utf-8", "ignore").decode() == text]  # fmt: skip
    for text in texts:
        base.execute(INSERT, sql_parameters(INSERT, {"topic": text, "minutes": 5, "more": []}))
        rows = base.execute(SELECT, sql_parameters(SELECT, {"topic": text})).fetchall()
        assert {row[0] for row in rows} == {text}
    assert base.execute("SELECT count(*) FROM notes").fetchone() == (len(texts),)
    assert base.execute("SELECT * FROM users").fetchall() == [("secret",)]
    tables = base.execute("SELECT name FROM sqlite_master ORDER BY name").fetchall()
    assert tables == [("notes",), ("users",)]


def test_the_base_sees() -> None:
    """Put into the statement itself, the same text would tell everything."""
    base = sqlite3.connect(":memory:")
    base.executescript("CREATE TABLE users (name); INSERT INTO users VALUES ('secret');")
    text = "x' OR '1'='1"
    told = base.execute(f"SELECT name FROM users WHERE name = '{text}'").fetchall()  # noqa: S608 - the point
    assert told == [("secret",)]


WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "missing": (INSERT, {"topic": "x"}, "no value for :minutes"),
    "a list": (INSERT, {"topic": ["x"], "minutes": 1}, "is a list"),
    "an object": (INSERT, {"topic": {"x": 1}, "minutes": 1}, "is a dict"),
    "no place": ("INSERT INTO notes VALUES ('x')", {"topic": "x"}, "names no value"),
    "only in a text": ("SELECT ':topic', \":topic\" -- :topic", {"topic": "x"}, "names no value"),
}


@pytest.mark.parametrize(("statement", "values", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_bound_is_refused(
    statement: str, values: dict[str, Any], message: str
) -> None:
    """Before the statement is run, with the name and not the value."""
    with pytest.raises(ValueError, match=message):
        sql_parameters(statement, values)

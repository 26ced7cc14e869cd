from __future__ import annotations

import io
from typing import Any, get_args

import pytest
from rich.console import Console, RenderableType

from rendercall import Issue, RenderTool
from rendercall.card.layout import lay_out
from rendercall.card.words import told
from rendercall.contract.args import Path
from rendercall.contract.status import Status
from rendercall.terminal import draw
from schemas.incident_report import IncidentReport
from schemas.learning_plan import LearningPlan
from tests.plans import PLAN

SCHEMA = RenderTool(LearningPlan).schema


def text_of(drawn: RenderableType, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    with console.capture() as captured:
        console.print(drawn)
    return captured.get()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", get_args(Status))
def test_every_status(status: Status, language: Any) -> None:
    """Each outcome is told in words beside the card, with what to do about it."""
    issues = [Issue("/level", "schema", "enum", "one of three levels")]
    shown = text_of(draw(lay_out(SCHEMA, PLAN), status, language, issues=issues))
    words = told(status, language)
    assert words.what in shown
    assert words.next in shown
    assert "/level: one of three levels" in shown


def test_a_whole_plan() -> None:
    """Heading, labelled facts, bullets, and a table with each row's share."""
    lines = [line.strip("│╭╮ ") for line in text_of(draw(lay_out(SCHEMA, PLAN), "ok")).splitlines()]
    assert lines[2] == "SQL"
    assert "Level          beginner" in lines
    assert "• Read a query." in lines
    join = next(line for line in lines if "Join" in line)
    assert join.split()[:4] == ["2", "Join", "45", "75%"]


@pytest.mark.parametrize("width", [32, 44, 60, 80])
def test_narrow(width: int) -> None:
    """However narrow the terminal, every text and every number is there to read."""
    shown = text_of(draw(lay_out(SCHEMA, PLAN), "ok"), width)
    for word in ("SQL", "beginner", "Read a query.", "Select", "Join", "15", "45", "60"):
        assert word in shown


def test_what_is_missing() -> None:
    """Dots stand where nothing has come yet, a caret where a text is still open."""
    value = {"topic": "SQL win"}
    shown = text_of(draw(lay_out(SCHEMA, value, open_paths={(), ("topic",)}), "partial"))
    assert "SQL win▌" in shown
    assert "Level          ····" in shown


@pytest.mark.parametrize("width", [40, 80, 140])
def test_nothing_jumps(width: int) -> None:
    """While a plan arrives the card grows downwards only: what has closed stays where it is."""
    steps: list[tuple[dict[str, Any], set[Path]]] = [
        ({}, {()}),
        ({"topic": "SQ"}, {(), ("topic",)}),
        ({"topic": "SQL", "level": "beginner"}, {()}),
        (
            {**PLAN, "lessons": [], "objectives": ["Read a"]},
            {(), ("objectives",), ("objectives", 0)},
        ),
        ({**PLAN, "lessons": [{"title": "Select"}]}, {(), ("lessons",), ("lessons", 0)}),
        ({**PLAN, "lessons": PLAN["lessons"][:1]}, {(), ("lessons",)}),
        (PLAN, set()),
    ]
    heights = []
    places: dict[str, int] = {}
    for value, open_paths in steps:
        shown = text_of(draw(lay_out(SCHEMA, value, open_paths=open_paths), "partial"), width)
        lines = shown.splitlines()
        heights.append(len(lines))
        for word in ("SQL", "beginner", "Objectives", "Lessons", "Select"):
            found = [number for number, line in enumerate(lines) if word in line]
            if found:
                assert places.setdefault(word, found[0]) == found[0]
    assert heights == sorted(heights)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\x1b[31mred\x1b[0m", "red"), ("a\rb\x07", "a b"), ("[bold]text[/]", "[bold]text[/]")],
    ids=["ansi", "controls", "markup"],
)
def test_hostile_text(text: str, shown: str) -> None:
    """Text of a model can steer nothing, in a heading, a label, a row, or an error."""
    value = {**PLAN, "topic": text, "objectives": [text], text: text}
    issue = Issue(f"/{text}", "schema", "x", "y")
    drawn = text_of(draw(lay_out(SCHEMA, value), "invalid", issues=[issue]), 200)
    assert "\x1b" not in drawn
    assert shown.strip() in drawn


REPORT: dict[str, Any] = {
    "title": "Errors in payments",
    "severity": "major",
    "summary": "The pool was too small.",
    "timeline": [
        {
            "time": "2026-03-14T12:03:52.500000Z",
            "event": "version 2.8.0 started",
            "citations": [{"artifact": "shop.jsonl@2b", "line": 7561, "quote": "started 2.8.0"}],
        }
    ],
    "findings": [
        {
            "kind": "fact",
            "text": "The pool was exhausted.",
            "citations": [{"artifact": "shop.jsonl@2b", "line": 8073, "quote": "20 of 20 in use"}],
        },
        {
            "kind": "inference",
            "text": "The deploy is probably the cause.",
            "citations": [
                {"artifact": "deploys.log@8c", "line": 4, "quote": "db.pool_size from 80 to 20"},
                {"artifact": "shop.jsonl@2b", "line": 8073, "quote": "20 of 20 in use"},
            ],
        },
    ],
    "gaps": [],
}


def test_lists_within_rows() -> None:
    """A claim has its kind beside it and its citations below, an item a line, in its own row."""
    schema = RenderTool(IncidentReport).schema
    drawn = text_of(draw(lay_out(schema, REPORT, complete=True), "ok"), 92)
    lines = [line.strip("│╭╮ ") for line in drawn.splitlines()]
    start = lines.index("Findings")
    assert [" ".join(line.split()) for line in lines[start : start + 9]] == [
        "Findings",
        "Kind Text",
        "1 fact The pool was exhausted.",
        "Citations",
        "• Artifact shop.jsonl@2b · Line 8073 · Quote 20 of 20 in use",
        "2 inference The deploy is probably the cause.",
        "Citations",
        "• Artifact deploys.log@8c · Line 4 · Quote db.pool_size from 80 to 20",
        "• Artifact shop.jsonl@2b · Line 8073 · Quote 20 of 20 in use",
    ]
    assert any(line.startswith("1  2026-03-14T12:03:52.500000Z  version") for line in lines)


@pytest.mark.parametrize("width", [32, 44, 60])
def test_lists_within_narrow_rows(width: int) -> None:
    """However narrow, every word of a citation is there to read."""
    schema = RenderTool(IncidentReport).schema
    shown = text_of(draw(lay_out(schema, REPORT, complete=True), "ok"), width)
    shown = "".join(shown.replace("│", "").split())
    for words in ("fact", "inference", "deploys.log@8c·Line4·Quotedb.pool_sizefrom80to20"):
        if width > 40:
            assert words in shown
    assert "2026-03-14" in shown

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AwareDatetime, BaseModel

from rendercall import RenderTool
from rendercall.card.layout import Bullets, Card, Cell, Column, Fact, Table, lay_out
from rendercall.contract.args import Path
from schemas.learning_plan import LearningPlan
from tests.plans import PLAN

MISSING = Cell(state="missing")


def tables(card: Card) -> list[Table]:
    return [section for section in card.sections if isinstance(section, Table)]


def test_a_whole_plan(plan_tool: RenderTool[LearningPlan]) -> None:
    """The first text is the heading, single values are facts, lists are sections."""
    card = lay_out(plan_tool.schema, PLAN, complete=True)
    assert card.heading == Cell("SQL")
    assert card.facts == (
        Fact("Level", Cell("beginner")),
        Fact("Total Minutes", Cell("60")),
    )
    assert card.sections[0] == Bullets("Objectives", (Cell("Read a query."),))
    (lessons,) = tables(card)
    assert [column.kind for column in lessons.columns] == ["text", "number"]
    assert lessons.rows[1] == (Cell("Join"), Cell("45"))
    assert lessons.shares == (0.25, 0.75)


def test_nothing_yet(plan_tool: RenderTool[LearningPlan]) -> None:
    """Before anything has arrived, every place is there, and empty."""
    card = lay_out(plan_tool.schema, {})
    assert card.heading == MISSING
    assert [fact.cell for fact in card.facts] == [MISSING, MISSING]
    assert card.sections[0] == Bullets("Objectives", (MISSING,))
    assert tables(card)[0].rows == ((MISSING, MISSING),)


def test_while_it_arrives(plan_tool: RenderTool[LearningPlan]) -> None:
    """An open text says so, a cell that has not begun is missing, shares wait for all rows."""
    value = {**PLAN, "lessons": [PLAN["lessons"][0], {"title": "Jo"}]}
    open_paths = {(), ("lessons",), ("lessons", 1), ("lessons", 1, "title")}
    (lessons,) = tables(lay_out(plan_tool.schema, value, open_paths=open_paths))
    assert lessons.rows == ((Cell("Select"), Cell("15")), (Cell("Jo", "open"), MISSING))
    assert lessons.has_shares
    whole_rows = lay_out(plan_tool.schema, PLAN, open_paths={(), ("lessons",)})
    assert tables(whole_rows)[0].shares == ()


def test_labels_and_types() -> None:
    """Optional fields, nested objects and fields without a title are laid out too."""

    class Inner(BaseModel):
        a: int

    class Note(BaseModel):
        count: int | None = None
        inner: Inner | None = None
        name: str
        rate: float
        done: bool

    schema = RenderTool(Note).schema
    value = {"count": None, "inner": {"a": 1}, "name": "n", "rate": 0.5, "done": True, "x_y": [1]}
    card = lay_out(schema, value, complete=True)
    assert card.heading.text == "n"
    assert {fact.label: fact.cell.text for fact in card.facts} == {
        "Count": "—",
        "A": "1",
        "Rate": "0.5",
        "Done": "true",
    }
    assert card.sections == (Bullets("X y", (Cell("1"),)),)


def test_a_row_of_a_list_alone() -> None:
    """Objects that hold nothing but lists have a column without a head for them."""

    class Note(BaseModel):
        sources: list[Source]

    class Notes(BaseModel):
        notes: list[Note]

    sources = [{"log": "a", "line": 1}, {"log": "b", "line": 2}]
    value = {"notes": [{"sources": sources}, {"sources": []}]}
    (table,) = tables(lay_out(RenderTool(Notes).schema, value, complete=True))
    assert table.columns == (Column(""),)
    assert table.rows == (
        (Cell(lists=(Bullets("Sources", (Cell("Log a · Line 1"), Cell("Log b · Line 2"))),)),),
        (Cell(lists=(Bullets("Sources", ()),)),),
    )


class Source(BaseModel):
    log: str
    line: int


class Claim(BaseModel):
    kind: Literal["fact", "inference"]
    text: str
    minutes: int
    at: AwareDatetime
    tags: list[str] | None = None
    sources: list[Source]


class Claims(BaseModel):
    claims: list[Claim]


CLAIMS = RenderTool(Claims).schema
CLAIM: dict[str, Any] = {
    "kind": "inference",
    "text": "It was the deploy.",
    "minutes": 3,
    "at": "2026-03-14T12:00:00Z",
    "tags": ["db"],
    "sources": [{"log": "a", "line": 1}, {"log": "b", "line": None}],
}


def test_lists_within_a_row() -> None:
    """They have no column: they stand below the row's text, an item a line, with its labels."""
    (table,) = tables(lay_out(CLAIMS, {"claims": [CLAIM]}, complete=True))
    assert table.columns == (
        Column("Kind", "word", 9),
        Column("Text"),
        Column("Minutes", "number"),
        Column("At", "word", 27),
    )
    ((kind, text, minutes, at),) = table.rows
    assert (kind.text, minutes.text, at.text) == ("inference", "3", "2026-03-14T12:00:00Z")
    assert (text.text, kind.lists) == ("It was the deploy.", ())
    assert text.lists == (
        Bullets("Tags", (Cell("db"),)),
        Bullets("Sources", (Cell("Log a · Line 1"), Cell("Log b · Line —"))),
    )


def test_lists_within_a_row_while_it_arrives() -> None:
    """Each has its place from the beginning; an item that may still grow says so."""
    (waiting,) = tables(lay_out(CLAIMS, {}))
    missing = (Bullets("Tags", (MISSING,)), Bullets("Sources", (MISSING,)))
    assert waiting.rows == ((MISSING, replace(MISSING, lists=missing), MISSING, MISSING),)
    inner = ("claims", 0, "sources", 0)
    open_paths: set[Path] = {(), inner[:1], inner[:2], inner[:3], inner, (*inner, "log")}
    value = {"claims": [{"kind": "fact", "text": "It", "sources": [{"log": "sho"}]}]}
    (table,) = tables(lay_out(CLAIMS, value, open_paths=open_paths))
    assert table.rows[0][1].lists == (missing[0], Bullets("Sources", (Cell("Log sho", "open"),)))


@pytest.mark.parametrize("wrong", [None, "a", 3, {"log": "a"}, [[1], None]], ids=str)
def test_what_is_no_list_within_a_row(wrong: Any) -> None:
    """A value that the schema refuses is shown all the same."""
    (table,) = tables(lay_out(CLAIMS, {"claims": [{**CLAIM, "sources": wrong}]}))
    shown = [item.text for item in table.rows[0][1].lists[1].items]
    assert shown == {
        "None": [""], "a": ["a"], "3": ["3"], "{'log': 'a'}": ["Log a"], "[[1], None]": ["1", "—"],
    }[str(wrong)]  # fmt: skip


def test_what_is_left_out_at_the_end(plan_tool: RenderTool[LearningPlan]) -> None:
    """Once complete, an optional field that never came has no place."""
    card = lay_out(plan_tool.schema, {"topic": "SQL"}, complete=True)
    assert card.facts == ()
    assert card.sections == ()


def test_a_reference_to_itself() -> None:
    """A schema that leads to itself has no fields, and no end is waited for."""
    schema = {"$defs": {"a": {"$ref": "#/$defs/a"}}, "properties": {"x": {"$ref": "#/$defs/a"}}}
    assert lay_out(schema, {"x": 1}).facts == (Fact("X", Cell("1")),)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["topic", "title", "duration_minutes", "~/"]), inner)
    ),
    max_leaves=8,
)


@given(
    value=st.dictionaries(st.sampled_from([*PLAN, "extra"]), JSON),
    open_paths=st.sets(st.sampled_from([(), ("topic",), ("lessons",), ("lessons", 0, "title")])),
    complete=st.booleans(),
)
def test_any_value_has_a_card(value: dict[str, Any], open_paths: set[Path], complete: bool) -> None:
    """Whatever a model wrote, right or wrong, is laid out, and every row has all its cells."""
    card = lay_out(RenderTool(LearningPlan).schema, value, open_paths=open_paths, complete=complete)
    for table in tables(card):
        assert {len(row) for row in table.rows} <= {len(table.columns)}
        assert len(table.shares) in {0, len(table.rows)}


ROW = st.dictionaries(st.sampled_from([*CLAIM, "log"]), JSON)


@given(st.lists(ROW | JSON, max_size=3), st.booleans())
def test_any_value_has_rows_with_lists(claims: list[Any], complete: bool) -> None:
    """So it is where rows have lists in them."""
    (table,) = tables(lay_out(CLAIMS, {"claims": claims}, complete=complete))
    assert {len(row) for row in table.rows} <= {len(table.columns)}

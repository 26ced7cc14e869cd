from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from rendercall import RenderTool
from rendercall.card.layout import Bullets, Card, Cell, Fact, Table, lay_out
from rendercall.contract.args import Path
from schemas.learning_plan import LearningPlan

PLAN: dict[str, Any] = {
    "topic": "SQL",
    "level": "beginner",
    "objectives": ["Read a query."],
    "lessons": [
        {"title": "Select", "duration_minutes": 15},
        {"title": "Join", "duration_minutes": 45},
    ],
    "total_minutes": 60,
}
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
    assert [column.is_number for column in lessons.columns] == [False, True]
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


def test_objects_in_a_cell() -> None:
    """A list of objects within a row is read as text, an object a line, not as JSON."""

    class Source(BaseModel):
        log: str
        line: int

    class Claim(BaseModel):
        sources: list[Source]

    class Claims(BaseModel):
        claims: list[Claim]

    sources = [{"log": "a", "line": 1}, {"log": "b", "line": 2}]
    value = {"claims": [{"sources": sources}, {"sources": []}]}
    (table,) = tables(lay_out(RenderTool(Claims).schema, value, complete=True))
    assert table.rows == ((Cell("log a · line 1\nlog b · line 2"),), (Cell(""),))


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

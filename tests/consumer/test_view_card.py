from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from pydantic import Base64Bytes, BaseModel, PlainValidator, TypeAdapter
from typing_extensions import TypedDict

from rendercall import RenderStream, RenderTool
from rendercall.card.layout import Bullets, Card, Cell, Table, lay_out
from schemas.incident_report import IncidentReport
from schemas.learning_plan import LearningPlan

PLAN: dict[str, Any] = {
    "topic": "SQL",
    "level": "beginner",
    "objectives": ["Read a query.", "写一个查询。"],
    "lessons": [
        {"title": "Select", "duration_minutes": 15},
        {"title": "Join", "duration_minutes": 45},
    ],
    "total_minutes": 60,
}
TEXT = json.dumps(PLAN, ensure_ascii=False)
CITED = {"artifact": "shop.jsonl@2b", "line": 8073, "quote": "20 of 20"}
REPORT: dict[str, Any] = {
    "title": "Errors",
    "severity": "major",
    "summary": "The pool was small.",
    "timeline": [],
    "findings": [{"kind": "fact", "text": "It was full.", "citations": [CITED, CITED]}],
    "gaps": [],
}
REPORT_TEXT = json.dumps(REPORT)


class Tree(BaseModel):
    """Show a tree."""

    name: str
    children: list[Tree] = []


class Recipe(TypedDict):
    """Show a recipe."""

    title: str
    minutes: int


def cells(card: Card) -> list[Cell]:
    """Every cell of a card."""
    found = [card.heading, *(fact.cell for fact in card.facts)]
    for section in card.sections:
        rows = [section.items] if isinstance(section, Bullets) else section.rows
        found += [cell for row in rows for cell in row]
    return found


def card_of(tool: RenderTool[Any], text: str, monkeypatch: Any) -> Card:
    """The card that a partial value draws itself as."""
    drawn: list[Card] = []
    monkeypatch.setattr(
        "rendercall.consumer.partial.snippet", lambda card, *_: drawn.append(card) or ""
    )
    update = RenderStream(tool).feed_text(text)
    assert update is not None
    update.partial._repr_html_()
    return drawn[0]


@pytest.mark.parametrize("end", range(1, len(TEXT)))
def test_as_the_update_draws_it(
    plan_tool: RenderTool[LearningPlan], end: int, monkeypatch: Any
) -> None:
    """At every prefix its labels and texts are those of the update's card, which knows the schema."""
    card = card_of(plan_tool, TEXT[:end], monkeypatch)
    update = RenderStream(plan_tool).feed_text(TEXT[:end])
    assert update is not None
    full = lay_out(plan_tool.schema, update.value, open_paths=update.open_paths)
    assert card.heading == full.heading
    assert card.facts == full.facts
    assert cells(card) == cells(full)
    for mine, its in zip(card.sections, full.sections, strict=True):
        assert mine.label == its.label
        if isinstance(mine, Table) and isinstance(its, Table):
            assert [one.label for one in mine.columns] == [one.label for one in its.columns]


@pytest.mark.parametrize("end", range(1, len(REPORT_TEXT), 3))
def test_lists_within_rows(end: int, monkeypatch: Any) -> None:
    """So it is with lists in lists: the citations of a claim, with their labels."""
    tool = RenderTool(IncidentReport)
    card = card_of(tool, REPORT_TEXT[:end], monkeypatch)
    update = RenderStream(tool).feed_text(REPORT_TEXT[:end])
    assert update is not None
    assert cells(card) == cells(lay_out(tool.schema, update.value, open_paths=update.open_paths))


def test_what_does_not_fit(plan_tool: RenderTool[LearningPlan], monkeypatch: Any) -> None:
    """A value that the schema refuses has no place in it."""
    card = card_of(plan_tool, '{"topic": "SQL", "level": "expert", "total', monkeypatch)
    assert card.facts[0].cell == Cell(state="missing")


def test_a_typed_dict_and_a_tree(monkeypatch: Any) -> None:
    """Items are fields too; a schema that leads to itself ends."""
    recipe = RenderTool(TypeAdapter(Recipe), name="render_recipe")
    assert card_of(recipe, '{"title": "Te', monkeypatch).heading == Cell("Te", "open")
    tree = card_of(RenderTool(Tree), '{"name": "a", "children": [{"name": "b"', monkeypatch)
    assert tree.heading == Cell("a")
    assert "b" in [cell.text for cell in cells(tree)]


class Seal:
    """A type that Pydantic can make, and not write."""

    def __str__(self) -> str:
        return "sealed"


def sealed(value: Any) -> Seal:
    del value
    return Seal()


class Letter(BaseModel):
    """Show a letter."""

    title: str
    seal: Annotated[Any, PlainValidator(sealed, json_schema_input_type=str)]
    code: Base64Bytes


def test_a_value_that_cannot_be_written(monkeypatch: Any) -> None:
    """It is drawn as its `str`."""
    text = '{"title": "Hello", "seal": "x", "code": "//79",'
    found = [cell.text for cell in cells(card_of(RenderTool(Letter), text, monkeypatch))]
    assert found[:2] == ["Hello", "sealed"]


def test_a_list_has_no_card(plan_tool: RenderTool[LearningPlan]) -> None:
    """An open list at the end of a cell is its `repr`."""
    update = RenderStream(plan_tool).feed_text('{"topic": "SQL", "objectives": ["Re')
    assert update is not None
    objectives: Any = update.partial.objectives
    assert objectives._repr_html_() is None

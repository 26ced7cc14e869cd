from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from rendercall.consumer.deltas import apply
from rendercall.consumer.plan import ANYTHING, Plan
from rendercall.consumer.pydantic_plan import plan_of
from rendercall.consumer.readings import Readings
from rendercall.contract import Bounds
from schemas.learning_plan import LearningPlan

ANY: Plan[Any] = Plan(ANYTHING)
PLAN = plan_of(TypeAdapter(LearningPlan))
GOOD = '{"topic":"SQL","level":"beginner","objectives":["x"],"lessons":[{"title":"t","duration_minutes":30}],"total_minutes":30}'


def read(pieces: list[str], plan: Plan[Any] = ANY) -> tuple[Readings[Any], Any]:
    """The readings after all pieces, and the document that the deltas gave."""
    readings = Readings(plan, Bounds())
    document: Any = None
    for piece in pieces:
        document = apply(document, readings.feed(piece))
    readings.finish()
    return readings, document


def cut(text: str, sizes: list[int]) -> list[str]:
    pieces, at = [], 0
    while at < len(text):
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(text[at : at + size])
        at += size
    return pieces


values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text('ab{}[]":,\\ é', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("data{", min_size=1, max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
documents = st.dictionaries(
    st.text("data{", min_size=1, max_size=4), values, min_size=1, max_size=4
)
sizes = st.lists(st.integers(1, 12), min_size=1, max_size=4)
texts = st.builds(
    lambda one, compact: json.dumps(one, separators=(",", ":") if compact else None),
    documents,
    st.booleans(),
)


@given(texts, sizes)
def test_pieces_are_put_together(text: str, sizes: list[int]) -> None:
    """The ordinary case, whatever repeats in it, is read as it is and needs no healing."""
    readings, document = read(cut(text, sizes))
    assert readings.reader.text == text
    assert readings.notices == []
    assert document == json.loads(text)


@given(texts, sizes)
def test_cumulative_text_is_read_once(text: str, sizes: list[int]) -> None:
    """Each piece holds all before it; the last may come again."""
    pieces = cut(text, sizes)
    whole = ["".join(pieces[: n + 1]) for n in range(len(pieces))]
    readings, document = read([*whole, text])
    assert readings.reader.text == text
    assert document == json.loads(text)
    assert readings.earlier == []


@given(texts, sizes, st.sampled_from(["{}", "null"]))
def test_a_placeholder_before_the_args_is_dropped(text: str, sizes: list[int], before: str) -> None:
    """`{}` or `null` first, then the real object."""
    readings, document = read([before, *cut(text, sizes)])
    if readings.reader.text == text:  # a piece of one character may look like white space first
        assert [notice.code for notice in readings.notices] == ["empty_prefix_dropped"]
        assert document == json.loads(text)
    else:
        pytest.fail(readings.reader.text)


@given(texts, sizes)
@example('{"{": null}', [2, 9])  # its second piece begins like its first
def test_text_sent_again_at_the_end_is_dropped(text: str, sizes: list[int]) -> None:
    """Whole or in pieces."""
    readings, document = read([*cut(text, sizes), *cut(text, [5])])
    assert readings.reader.text == text
    assert readings.earlier == []
    assert document == json.loads(text)


@given(texts, texts, sizes)
def test_two_objects_in_one_call_are_two(one: str, two: str, sizes: list[int]) -> None:
    """The first is kept aside, the second is the present one."""
    if one.startswith(two) or two.startswith(one):
        return
    readings, document = read([*cut(one, sizes), *cut(two, sizes)])
    assert [*readings.earlier, readings.reader.text] == [one, two]
    assert document == json.loads(two)


def test_a_cumulative_stream_that_could_be_nested_is_told_by_its_schema() -> None:
    """Cut at a value's place, the repetition could be a nested object; the schema knows better."""
    first = '{"topic":"SQL","level":"beginner","objectives":'
    readings, _ = read([first, GOOD], PLAN)
    assert readings.reader.text == GOOD
    assert [notice.code for notice in readings.notices] == ["cumulative_args"]


def test_an_ordinary_piece_may_repeat_the_beginning() -> None:
    """Two readings are open, and the one that stays valid wins, without a notice."""
    readings, document = read(['{"data":', '{"data":', '[5,10],"unit":"min"},"summary":"x"}'])
    assert document == {"data": {"data": [5, 10], "unit": "min"}, "summary": "x"}
    assert readings.notices == []


def test_nothing_false_is_shown_while_two_readings_are_possible() -> None:
    """What one of them would show waits until the other is ruled out."""
    readings = Readings(ANY, Bounds())
    document = apply(None, readings.feed('{"a":'))
    assert document == {}
    assert readings.feed('{"a":') == []
    assert apply(document, readings.feed("1}}")) == {"a": {"a": 1}}


STRAY: dict[str, list[str]] = {
    "a brace": [GOOD, "}"],
    "a sentence": [GOOD, " I hope", " this helps"],
    "a broken object": [GOOD, "{oops"],
}


@pytest.mark.parametrize("pieces", STRAY.values(), ids=STRAY)
def test_stray_text_after_the_object_stays_an_error(pieces: list[str]) -> None:
    """Healing is for transport faults; chatter is the model's, and mending is opt-in."""
    readings, _ = read(pieces)
    assert readings.reader.state == "failed"
    assert readings.reader.text == "".join(pieces)


def test_white_space_after_the_object_is_part_of_it() -> None:
    """It changes nothing."""
    readings, _ = read([GOOD, "\n", "  "])
    assert readings.reader.state == "complete"

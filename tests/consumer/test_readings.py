from __future__ import annotations

import json
from time import process_time
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
    if one.startswith(two) or two.startswith(one) or json.loads(one) == json.loads(two):
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


HEALED: dict[str, tuple[list[str], list[str]]] = {
    "null": (["null", GOOD], ["empty_prefix_dropped"]),
    "null, in pieces and twice": (["nu", "ll", "null", GOOD], ["empty_prefix_dropped"]),
    "an empty text": (['""', GOOD[:9], GOOD[9:]], ["empty_prefix_dropped"]),
    "an empty object with space": (["{ }\n", GOOD], ["empty_prefix_dropped"]),
    "a placeholder in the first piece": (["{}" + GOOD[:9], GOOD[9:]], ["empty_prefix_dropped"]),
    "null in the first piece": (["null" + GOOD], ["empty_prefix_dropped"]),
    "a placeholder before cumulative text": (
        ["{}", GOOD[:1], GOOD[:30], GOOD], ["empty_prefix_dropped", "cumulative_args"],
    ),
    "white space before cumulative text": (
        ["\n", " ", GOOD[:9], GOOD[:30], GOOD], ["cumulative_args"],
    ),
    "an empty object after it": ([GOOD, "{", " }"], ["empty_suffix_dropped"]),
    "null after it": ([GOOD, "null"], ["empty_suffix_dropped"]),
    "null in the last piece": ([GOOD[:30], GOOD[30:] + "null"], ["empty_suffix_dropped"]),
    "the same in other words": ([GOOD, json.dumps(json.loads(GOOD), indent=2)], ["resent_args"]),
    "the same in another order": (
        [GOOD, json.dumps(dict(reversed(json.loads(GOOD).items())))], ["resent_args"],
    ),
    "the same three times": ([GOOD, GOOD[:40], GOOD[40:], GOOD], ["resent_args"]),
    "the same in one piece": ([GOOD[:30], GOOD[30:] + GOOD[:30], GOOD[30:]], ["resent_args"]),
}  # fmt: skip


@pytest.mark.parametrize(("pieces", "notices"), HEALED.values(), ids=HEALED)
def test_what_a_transport_adds_is_dropped_and_told(pieces: list[str], notices: list[str]) -> None:
    """Before the args and after them, in pieces of its own or in theirs."""
    readings, document = read(pieces, PLAN)
    assert json.loads(readings.reader.text) == json.loads(GOOD)
    assert document == json.loads(GOOD)
    assert readings.earlier == []
    assert [notice.code for notice in readings.notices] == notices


def test_two_objects_in_one_piece_are_two() -> None:
    """Where a piece ends says nothing."""
    readings, document = read(['{"q":1}' + GOOD[:50], GOOD[50:]])
    assert readings.earlier == ['{"q":1}']
    assert document == json.loads(GOOD)
    assert [notice.code for notice in readings.notices] == ["split_concatenated"]


def test_a_piece_of_very_many_objects_is_an_error() -> None:
    """Each is looked for in what the one before left, so there is an end to it."""
    readings, _ = read(['{"q":1}' * 10_000])
    assert readings.reader.state == "failed"


def test_neither_reading_is_in_the_document_while_two_are_possible() -> None:
    """Nor may it be seen by one who looks at the live document."""
    readings = Readings(PLAN, Bounds())
    readings.feed('{"total_minutes": ')
    assert readings.feed('{"total_minutes": 98') == []
    assert readings.reader.document() == {}
    readings.finish()
    assert str(readings.reader.text) == '{"total_minutes": {"total_minutes": 98'


def test_args_that_may_be_sent_anew_are_those_that_stay_valid() -> None:
    """Cut in a text, the text itself would go on; it is the fault that tells."""
    readings = Readings(PLAN, Bounds())
    document = apply(None, readings.feed(GOOD[:12]))
    readings.may_restart()
    assert readings.feed(GOOD[:2]) == []
    document = apply(document, readings.feed(GOOD[2:20]))
    document = apply(document, readings.feed(GOOD[20:]))
    assert document == json.loads(GOOD)
    assert [notice.code for notice in readings.notices] == ["restarted_args"]


def test_args_that_might_be_sent_anew_and_are_not_go_on() -> None:
    """The next piece shows it, and nothing is told."""
    readings = Readings(PLAN, Bounds())
    document = apply(None, readings.feed(GOOD[:12]))
    readings.may_restart()
    document = apply(document, readings.feed(GOOD[12:]))
    assert document == json.loads(GOOD)
    assert readings.notices == []


def test_args_sent_again_in_small_pieces_cost_no_square() -> None:
    """Each piece is compared with what is next in the text, and not with all of it."""

    def cost(items: int) -> float:
        text = json.dumps({"objectives": ["x" * 10] * items})
        began = process_time()
        readings, _ = read([text, *cut(text, [4])])
        assert readings.reader.text == text
        return process_time() - began

    cost(100)
    assert cost(8_000) < 16 * cost(1_000)  # a square would be 64


def test_white_space_after_the_object_is_part_of_it() -> None:
    """It changes nothing."""
    readings, _ = read([GOOD, "\n", "  "])
    assert readings.reader.state == "complete"

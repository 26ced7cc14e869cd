from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from rendercall.consumer.deltas import apply
from rendercall.consumer.plan import ANYTHING, Plan
from rendercall.consumer.pydantic_plan import plan_of
from rendercall.consumer.reader import Reader
from rendercall.contract.args import read_args
from rendercall.contract.bounds import Bounds
from schemas.learning_plan import LearningPlan
from tests.consumer.documents import ROOMY, cut_anyhow, fragments, leads_to, oracle, plan_text, same

PLAN = plan_of(TypeAdapter(LearningPlan))


def test_a_call_is_read_as_it_arrives() -> None:
    """State, open places and errors are known after every fragment."""
    reader = Reader(PLAN, Bounds())
    assert (reader.state, reader.open_paths, reader.document()) == ("open", (), None)
    assert reader.status(()) == "missing"
    reader.feed(' {"topic":"SQL","level":"beg')
    assert reader.open_paths == ((), ("level",))
    assert reader.document() == {"topic": "SQL"}
    assert reader.shown_path == ()
    assert reader.status(("topic",)) == "closed"
    assert reader.status(("level",)) == "open"
    assert reader.status(("lessons",)) == "missing"
    reader.feed('inner","lessons":[{"title":"Fra')
    assert reader.open_paths == ((), ("lessons",), ("lessons", 0), ("lessons", 0, "title"))
    assert reader.shown_path == ("lessons", 0, "title")
    assert reader.status(("lessons", 1)) == "missing"
    assert reader.has("level")
    assert not reader.has("total_minutes")
    reader.feed('mes","duration_minutes":0}],')
    assert [str(error) for error in reader.errors] == [
        "/lessons/0/duration_minutes: Input should be greater than 0"
    ]
    reader.feed('"objectives":["x"],"total_minutes":5}')
    assert (reader.state, reader.open_paths, reader.shown_path) == ("complete", (), None)
    assert reader.status(()) == "closed"


def test_a_fault_is_an_issue() -> None:
    """A fault is the last error, with its kind, pointer and position; it comes once."""
    reader = Reader(PLAN, Bounds())
    reader.feed('{"total_minutes":-1,"total_minutes"')
    assert reader.state == "failed"
    assert reader.fault is not None
    for _ in range(2):
        assert [(e.kind, e.code, e.pointer) for e in reader.errors] == [
            ("schema", "greater_than", "/total_minutes"),
            ("bounds", "duplicate_key", "/total_minutes"),
        ]
    assert reader.errors[-1].message == "the key stands here twice (at character 34)"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[1]", "not_object"),
        ("```", "json_syntax"),
        ('{"a":NaN}', "bounds"),
        ("{}}", "json_syntax"),
    ],
)
def test_faults_have_the_kind_of_their_layer(text: str, kind: str) -> None:
    """What refuses is told apart: no object, no JSON, or beyond the bounds."""
    reader = Reader(Plan(ANYTHING), Bounds())
    reader.feed(text)
    assert [error.kind for error in reader.errors] == [kind]
    assert reader.finish().issues[0].kind == kind


def test_the_text_is_kept_whole() -> None:
    """Whatever happens, `text` is what came; a pair cut in halves is one character."""
    reader = Reader(PLAN, Bounds())
    for piece in ('{"topic":"\ud83d', "\ude00\n", '"', "} oops", "{"):
        reader.feed(piece)
    assert reader.text == '{"topic":"😀\n"} oops{'


@given(cut_anyhow())
@settings(max_examples=100)
def test_the_end_is_what_read_args_says(pieces: list[str]) -> None:
    """`finish` is `read_args` of the whole text, for whole texts and for cut ones."""
    for end in (len(pieces), len(pieces) // 2):
        reader = Reader(Plan(ANYTHING), ROOMY)
        for piece in pieces[:end]:
            reader.feed(piece)
        assert reader.finish() == read_args("".join(pieces[:end]), ROOMY)


@pytest.mark.parametrize("size", [1, 4, 100])
@pytest.mark.parametrize(
    "text",
    [r'{"a":["b","\x', r'{"a":"\x', '{"a":"123456789', '{"a":"1234","b":["123456789"', '{"a":nul]'],
)
def test_the_document_is_what_the_deltas_rebuild(text: str, size: int) -> None:
    """Also after a fault: nothing is in it that was never told."""
    reader, rebuilt = Reader(Plan(ANYTHING), Bounds(max_string=8)), None
    for piece in fragments(text, size):
        rebuilt = apply(rebuilt, reader.feed(piece))
        assert reader.document() == rebuilt
    assert reader.state == "failed"


def at(document: Any, path: Any) -> Any:
    for key in path:
        document = document[key]
    return document


def check_open_paths(pieces: list[str]) -> None:
    """What is not open is final, what is open is a beginning, what is missing is not there."""
    final = oracle("".join(pieces))
    reader = Reader(Plan(ANYTHING), ROOMY)
    for piece in pieces:
        reader.feed(piece)
        document = reader.document()
        if document is None:
            continue
        assert leads_to(document, final)
        for path in paths_of(final):
            status = reader.status(path)
            if status == "closed":
                assert same(at(document, path), at(final, path))
        assert all(reader.status(path) == "open" for path in reader.open_paths)
        assert reader.shown_path is None or leads_to(
            at(document, reader.shown_path), at(final, reader.shown_path)
        )
    assert reader.open_paths == ()


def paths_of(document: Any, path: Any = ()) -> Any:
    yield path
    if isinstance(document, dict | list):
        for key in document if isinstance(document, dict) else range(len(document)):
            yield from paths_of(document[key], (*path, key))


@given(cut_anyhow())
@settings(max_examples=30)
def test_what_is_not_open_is_final(pieces: list[str]) -> None:
    """`status` and `open_paths` never call a place closed that may still change."""
    check_open_paths(pieces)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@given(cut_anyhow())
@settings(max_examples=5_000)
def test_what_is_not_open_is_final_in_many(pieces: list[str]) -> None:
    """The same over many documents."""
    check_open_paths(pieces)


@given(st.integers(1, 400))
@settings(max_examples=20)
def test_a_learning_plan_is_the_same_at_any_fragment_size(size: int) -> None:
    """The plan is read to its end, whatever the size of the fragments."""
    text = plan_text(3000)
    reader = Reader(Plan(ANYTHING), Bounds())
    for piece in fragments(text, size):
        reader.feed(piece)
    assert reader.finish().value == json.loads(text)


@pytest.mark.parametrize("size", [4, 5_000, 10**9])
def test_long_documents_are_read_over_their_blocks(size: int) -> None:
    """Texts of objects are found again, wherever the text was packed since they opened."""
    lessons = [{"title": f"lesson {number} " * 30, "duration_minutes": 5} for number in range(600)]
    plan = {"topic": "x", "level": "beginner", "objectives": ["y"], "lessons": lessons}
    reader = Reader(PLAN, Bounds())
    for piece in fragments(json.dumps({**plan, "total_minutes": 5}), size):
        reader.feed(piece)
    assert reader.state == "complete"
    assert not reader.errors
    assert len(reader.partial.lessons) == len(lessons)
    assert all(isinstance(one.title, str) for one in reader.partial.lessons)

"""That the benchmark counts right; what it measures is no test."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.documents import SHAPES, pieces_of
from benchmarks.false_values import false_values
from benchmarks.measure import growth
from benchmarks.peers.streams import jiter_parser, langchain, ours

FINAL = {"n": 20, "b": True, "kind": "video", "text": "begin", "list": [1, 22]}


@pytest.mark.parametrize(
    ("shown", "count"),
    [
        ({"n": 20, "b": True, "kind": "video", "text": "beg", "list": [1]}, 0),
        ({"n": 2}, 1),
        ({"n": 20.0}, 1),
        ({"b": False}, 1),
        ({"b": 1}, 1),
        ({"kind": "vid"}, 1),
        ({"text": "bet"}, 1),
        ({"te": "x"}, 1),
        ({"list": [1, 2]}, 1),
        ({"n": None, "list": []}, 0),
        (None, 0),
    ],
    ids=["true", "half number", "float", "boolean", "number for boolean", "half word", "other text",
         "half key", "in a list", "nothing yet", "nothing at all"],
)  # fmt: skip
def test_false_values(shown: Any, count: int) -> None:
    """What is not so in the end is false, and each false value counts once."""
    assert false_values([shown, shown], FINAL, frozenset({"kind"})) == count


@pytest.mark.parametrize("power", [1.0, 1.05, 2.0])
def test_growth(power: float) -> None:
    """The exponent of a power is that power."""
    costs = {size: 3e-6 * size**power for size in (10_000, 100_000, 1_000_000)}
    assert growth(costs) == pytest.approx(power)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_documents(shape: Any) -> None:
    """A document is as long as was asked for, nearly, and right."""
    for size in (1_000, 10_000):
        text = shape.text(size)
        assert size <= len(text) < 2 * size
        shape.model.model_validate_json(text)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize(
    "way", [*ours.WAYS, *langchain.WAYS, *jiter_parser.WAYS], ids=lambda way: way.name
)
def test_ways_read_all_of_it(way: Any, shape: Any) -> None:
    """Every way ends on the whole document; ours shows nothing false on the way."""
    text = shape.text(500)
    pieces = pieces_of(text, 3)
    events = pieces if way.read is not None else way.prepare(pieces)
    shown = list(way.values(events, shape))
    assert shown[-1] == json.loads(text)
    way.drain(way.prepare(pieces), shape)
    if way in ours.WAYS:
        assert false_values(shown, json.loads(text), shape.words) == 0

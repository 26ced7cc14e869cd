"""That the benchmark of the page counts right; what it measures is no test."""

from __future__ import annotations

import json

from benchmarks.page import closings, latencies, places_of
from benchmarks.page_run import Run
from tests.browser.script import HOSTILE

PLAN = {"topic": "abcdef", "n": 12}
TEXT = json.dumps(PLAN)  # {"topic": "abcdef", "n": 12}


def test_places() -> None:
    """Each leaf is where its value stands in the text, whatever it looks like."""
    text = json.dumps(HOSTILE, ensure_ascii=False)
    places = dict(places_of(text, HOSTILE))
    assert places["/lessons/1/title"][2] == "constructor"
    for begin, end, value in places.values():
        assert json.loads(text[begin:end]) == value


def test_times() -> None:
    """A fragment is painted when the first paint shows as much of the text as had been sent."""
    begin, end, _ = dict(places_of(TEXT, PLAN))["/topic"]
    sent = [(1.0, begin + 3), (2.0, begin + 5), (3.0, end), (4.0, len(TEXT))]
    paints = [(2.5, "/topic", 5, True), (3.25, "/topic", 6, False), (5.0, "/n", 2, False)]
    run = Run(sent, paints, [1, 1, 1], {})
    places = dict(places_of(TEXT, PLAN))
    assert list(latencies(run, places)) == [1500.0, 500.0, 250.0]
    assert list(closings(run, places)) == [250.0, 1000.0]

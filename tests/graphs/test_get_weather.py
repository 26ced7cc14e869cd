from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from blockbuster import blockbuster_ctx
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import ToolMessage

from graphs.parts.get_weather import get_weather
from graphs.parts.make_weather import PLACES


def call(place: str) -> dict[str, Any]:
    return {"type": "tool_call", "name": "get_weather", "id": "c1", "args": {"place": place}}


def look_up(place: str) -> ToolMessage:
    return cast("ToolMessage", get_weather.invoke(call(place)))


@pytest.mark.parametrize("place", PLACES)
def test_two_channels(place: str) -> None:
    """The model reads the days as lines, programs the same numbers; both say: generated."""
    message = look_up(place)
    found = message.artifact
    assert (found["place"], found["source"]) == (place, "generated")
    head, *lines = str(message.text).splitlines()
    assert "generated, not measured" in head
    assert len(lines) == len(found["days"]) == 7
    for line, day in zip(lines, found["days"], strict=True):
        assert line.startswith(f"{day['date']}: {day['sky']}, {day['low']} to {day['high']} °C")
        assert day["low"] <= day["high"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("berlin", "Berlin"),
        ("What is the weather like in PARIS?", "Paris"),
        ("Not Paris, Cairo!", "Cairo"),
        ("a Berliner", None),
        ("", None),
        ("Atlantis", None),
    ],
)
def test_a_place_in_a_question(text: str, place: str | None) -> None:
    """The last place that is named, as a word; else the places that there are."""
    message = look_up(text)
    assert message.artifact.get("place") == place
    if place is None:
        assert message.artifact == {"places": [*PLACES]}
        assert "Berlin" in message.text


@given(st.text())
def test_any_text(text: str) -> None:
    """Whatever stands there is a question."""
    assert look_up(text).status == "success"


def test_an_event_loop_does_not_wait_for_the_disk() -> None:
    """The server refuses blocking calls in its loop."""

    async def ask() -> ToolMessage:
        with blockbuster_ctx():
            return cast("ToolMessage", await get_weather.ainvoke(call("Lima")))

    assert asyncio.run(ask()).artifact["place"] == "Lima"

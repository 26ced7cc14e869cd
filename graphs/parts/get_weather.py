"""`get_weather`: the ordinary tool of the skill `weather`, over a table that is generated.

Two channels: the model reads a short text, programs read the same rows as the tool message's
`artifact`: `{"place", "source", "days"}`, or `{"places"}` where the table lacks the place.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from typing import Any

from langchain_core.tools import tool

from graphs.parts.make_weather import TABLE

__all__ = ["get_weather"]

_TEXTS = ("date", "sky")


@tool(response_format="content_and_artifact", parse_docstring=True)
def get_weather(place: str) -> tuple[str, dict[str, Any]]:
    """Look a place's weather up, day by day: sky, low and high in °C, rain in mm, wind in km/h.

    Args:
        place: the name of a city, or a question that names one.
    """
    table = _table()
    named = _named(place, table)
    if named is None:
        return f"No such place in the table. It has: {', '.join(table)}.", {"places": [*table]}
    found = {"place": named, "source": "generated", "days": table[named]}
    return "\n".join([f"{named} (generated, not measured):", *_lines(table[named])]), found


def _named(text: str, places: dict[str, Any]) -> str | None:
    """The place that a text names last; a word that only holds the name does not count."""
    words = "".join(one if one.isalpha() else " " for one in text.casefold())
    spaced = f" {' '.join(words.split())} "
    found = {place: spaced.rfind(f" {place.casefold()} ") for place in places}
    best = max(found, key=lambda place: found[place])
    return best if found[best] >= 0 else None


def _lines(days: list[dict[str, Any]]) -> Iterator[str]:
    for day in days:
        yield (
            f"{day['date']}: {day['sky']}, {day['low']} to {day['high']} °C, "
            f"rain {day['rain']} mm, wind {day['wind']} km/h"
        )


@cache
def _table() -> dict[str, list[dict[str, Any]]]:
    """The days of each place."""
    table: dict[str, list[dict[str, Any]]] = {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            place = row.pop("place")
            day = {key: one if key in _TEXTS else int(one) for key, one in row.items()}
            table.setdefault(place, []).append(day)
    return table


get_weather.metadata = {"label": {"en": "Look the weather up", "zh": "查询天气"}}

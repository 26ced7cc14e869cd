"""Writes `generated_weather.csv`: the weather table of `get_weather`, made up from a seed.

No number in it was measured. Run it as `python -m graphs.parts.make_weather`; the same seed
gives the same file.
"""

from __future__ import annotations

import csv
import io
from datetime import date, timedelta
from pathlib import Path
from random import Random

__all__ = ["COLUMNS", "TABLE", "weather_csv"]

TABLE = Path(__file__).parent / "generated_weather.csv"
COLUMNS = ("place", "date", "sky", "low", "high", "rain", "wind")

SEED = 20_261_130
FIRST_DAY = date(2026, 6, 1)
DAYS = 7
PLACES = {  # usual high in °C, chance of a wet day
    "Bergen": (15, 0.7),
    "Berlin": (23, 0.35),
    "Cairo": (34, 0.02),
    "Lagos": (30, 0.6),
    "Lima": (20, 0.05),
    "London": (20, 0.4),
    "Mumbai": (32, 0.8),
    "Paris": (23, 0.35),
    "Reykjavik": (11, 0.5),
    "Shanghai": (27, 0.5),
    "Sydney": (18, 0.3),
    "Ushuaia": (4, 0.5),
}
_DRY = ("clear", "clear", "cloudy", "cloudy", "fog")
_FREEZING = 2
_STORM = 60


def weather_csv() -> str:
    """The table as CSV: for every place one row a day, °C, mm and km/h."""
    random = Random(SEED)  # noqa: S311 - weather is no secret
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for place, (usual, wet) in PLACES.items():
        for day in range(DAYS):
            writer.writerow([place, FIRST_DAY + timedelta(day), *_weather(random, usual, wet)])
    return text.getvalue()


def _weather(random: Random, usual: int, wet: float) -> tuple[str, int, int, int, int]:
    high = usual + round(random.gauss(0, 2.5))
    low = high - random.randint(4, 11)
    wind = round(random.expovariate(1 / 16)) + 3
    rain = round(random.expovariate(1 / 8)) + 1 if random.random() < wet else 0
    sky = "snow" if high <= _FREEZING else "storm" if wind >= _STORM else "rain"
    return (sky if rain else random.choice(_DRY)), low, high, rain, wind


if __name__ == "__main__":
    TABLE.write_text(weather_csv(), encoding="utf-8")

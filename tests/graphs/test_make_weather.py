from __future__ import annotations

from graphs.parts.make_weather import COLUMNS, TABLE, weather_csv


def test_the_table_is_what_the_generator_writes() -> None:
    """No number in it comes from anywhere else: the seed gives the same file, byte for byte."""
    assert TABLE.read_bytes().decode() == weather_csv()
    assert TABLE.name.startswith("generated_")
    assert weather_csv().splitlines()[0] == ",".join(COLUMNS)

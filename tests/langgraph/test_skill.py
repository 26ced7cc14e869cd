from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from rendercall.errors import GraphDefinitionError, SkillRefused
from rendercall.langgraph.skills import Skill
from tests.langgraph.skilled import output_weather

GOOD: dict[str, Any] = {"name": "weather", "description": "Reports it.", "system_prompt": "Do."}


@pytest.mark.parametrize("name", ["a", "weather", "weather-2", "x" * 64])
def test_names(name: str) -> None:
    """The names of agentskills.io."""
    assert Skill(**{**GOOD, "name": name}).name == name


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": ""}, "lower-case"),
        ({"name": "Weather"}, "lower-case"),
        ({"name": "-weather"}, "lower-case"),
        ({"name": "weather-"}, "lower-case"),
        ({"name": "wea--ther"}, "lower-case"),
        ({"name": "wea_ther"}, "lower-case"),
        ({"name": "weather\n"}, "lower-case"),
        ({"name": "x" * 65}, "at most 64"),
        ({"description": " "}, "needs a description"),
        ({"description": "x" * 1025}, "at most 1024"),
        ({"tools": (output_weather,)}, "put it among renders"),
        ({"system_prompt": " "}, "is empty"),
    ],
    ids=lambda one: str(one)[:24],
)
def test_what_is_refused(fields: dict[str, Any], told: str) -> None:
    """A broken rule is told when the skill is made."""
    with pytest.raises(SkillRefused, match=told):
        Skill(**{**GOOD, **fields})


def test_it_is_a_value() -> None:
    """It cannot be changed, and a change of a copy is checked too."""
    skill = Skill(**GOOD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        skill.name = "other"  # type: ignore[misc]  # that is the test
    with pytest.raises(GraphDefinitionError):
        dataclasses.replace(skill, name="Other")

"""What the scripted graph can show beside learning plans: a type that no card knows."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, HttpUrl

from rendercall import RenderTool
from rendercall.contract.content_policy import ContentPolicy, Row
from schemas.learning_plan import LearningPlan

__all__ = ["SHOW_ALL", "TOOLS", "TRIP", "plan_tool", "poll_tool", "trip_tool"]


class Mood(StrEnum):
    CALM = "calm"
    CALMER = "calmer"


class Stop(BaseModel):
    """A place on the way."""

    model_config = ConfigDict(extra="forbid")

    place: str = Field(title="Place", min_length=1)
    nights: int = Field(title="Nights", gt=0)
    cost: float | None = Field(None, title="Cost")
    mood: Mood = Mood.CALM


class Trip(BaseModel):
    """A journey, day by day."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(title="Title")
    start: dt.date = Field(title="First day")
    kind: Literal["trip", "trip_by_sea"] = Field(title="Kind")
    booked: bool = Field(title="Booked")
    page: HttpUrl = Field(title="Web page")
    stops: list[Stop] = Field(title="Stops", min_length=1)
    notes: dict[str, str] = Field(default_factory=dict, title="Notes")


SHOW_ALL = ContentPolicy(rows=(Row("*", "flag"),))
"""The page must be safe whatever the server lets through."""

plan_tool = RenderTool(LearningPlan, content=SHOW_ALL)
trip_tool = RenderTool(Trip, content=SHOW_ALL)
poll_tool = RenderTool.from_json_schema(
    "render_poll",
    "Show a poll.",
    {
        "type": "object",
        "title": "Poll",
        "properties": {
            "question": {"type": "string", "title": "Question"},
            "choices": {"type": "array", "items": {"type": "string"}, "maxItems": 4},
            "closes": {"type": ["integer", "null"]},
        },
        "required": ["question", "choices"],
        "additionalProperties": False,
    },
    content=SHOW_ALL,
)
TOOLS = (plan_tool, trip_tool, poll_tool)

TRIP: dict[str, Any] = {
    "title": "Along the coast",
    "start": "2027-05-01",
    "kind": "trip",
    "booked": True,
    "page": "https://example.com/trip",
    "stops": [
        {"place": "Porto", "nights": 12, "cost": 1234.5, "mood": "calmer"},
        {"place": "Vigo", "nights": 2, "cost": None, "mood": "calm"},
    ],
    "notes": {"train": "at 9:05", "a/b~c": "a key with JSON Pointer's own characters"},
}

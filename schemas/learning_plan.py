"""The learning plan: what `render_learning_plan` shows."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["LearningPlan", "Lesson", "Level"]

Level: TypeAlias = Literal["beginner", "intermediate", "advanced"]
"""For whom a plan is, easiest first."""


class Lesson(BaseModel):
    """One lesson of a learning plan."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1, description="What the lesson is about, in a few words.")
    duration_minutes: int = Field(gt=0, description="Length of the lesson in whole minutes.")


class LearningPlan(BaseModel):
    """Show a learning plan to the user. Call this once, as the final answer."""

    model_config = ConfigDict(extra="forbid")

    topic: str = Field(min_length=1, description="The topic, as the user asked for it.")
    level: Level = Field(description="The level the plan is written for.")
    objectives: list[Annotated[str, Field(min_length=1)]] = Field(
        min_length=1, description="What the learner can do afterwards, one sentence each."
    )
    lessons: list[Lesson] = Field(
        min_length=1, description="The lessons, in the order in which they are taken."
    )
    total_minutes: int = Field(gt=0, description="Sum of the lessons' durations in minutes.")

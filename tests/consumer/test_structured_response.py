from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from langgraph.types import StateSnapshot

from rendercall import RenderTool, from_structured_response
from schemas.learning_plan import LearningPlan

GOOD: dict[str, Any] = {
    "topic": "SQL", "level": "beginner", "objectives": ["x"],
    "lessons": [{"title": "t", "duration_minutes": 30}], "total_minutes": 30,
}  # fmt: skip
PLAN = LearningPlan.model_validate(GOOD)
SNAPSHOT = StateSnapshot({"structured_response": PLAN}, (), {}, None, None, None, (), ())

SOURCES: dict[str, tuple[Any, str]] = {
    "a model": ({"structured_response": PLAN}, "ok"),
    "a dict": ({"structured_response": GOOD}, "ok"),
    "a snapshot": (SNAPSHOT, "ok"),
    "a thread state": ({"values": {"structured_response": GOOD}, "next": []}, "ok"),
    "a value that was never checked": ({"structured_response": {**GOOD, "total_minutes": 0}}, "invalid"),
    "no object": ({"structured_response": [1]}, "invalid"),
    "no JSON": ({"structured_response": object()}, "invalid"),
    "nothing": ({"structured_response": None}, "absent"),
    "no such key": ({"messages": []}, "absent"),
    "no state": (42, "absent"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "status"), SOURCES.values(), ids=SOURCES)
def test_it_is_checked_again(source: Any, status: str, plan_tool: RenderTool[LearningPlan]) -> None:
    """Whatever holds it, and whatever the agent had checked."""
    shown = from_structured_response(source, plan_tool)
    assert shown.status == status
    assert shown.value == (PLAN if status == "ok" else None)


def test_dataclasses_are_read_by_their_json() -> None:
    """An agent may store any type that it was given."""

    @dataclass
    class Point:
        """A point."""

        x: int

    tool = RenderTool(Point)
    assert from_structured_response({"structured_response": Point(1)}, tool).require() == Point(1)

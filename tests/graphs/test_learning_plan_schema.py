from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from pydantic import ValidationError

from schemas.learning_plan import LearningPlan, Lesson

GOOD: dict[str, Any] = {
    "topic": "SQL",
    "level": "beginner",
    "objectives": ["Read a query."],
    "lessons": [{"title": "SELECT", "duration_minutes": 20}],
    "total_minutes": 20,
}


def test_a_good_plan() -> None:
    """A plan survives a round trip in strict JSON mode."""
    plan = LearningPlan.model_validate_json(json.dumps(GOOD), strict=True)
    assert plan.lessons == [Lesson(title="SELECT", duration_minutes=20)]
    assert plan.model_dump() == GOOD


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("topic",), "", "string_too_short"),
        (("level",), "expert", "literal_error"),
        (("objectives",), [], "too_short"),
        (("objectives", 0), "", "string_too_short"),
        (("lessons",), [], "too_short"),
        (("lessons", 0, "title"), "", "string_too_short"),
        (("lessons", 0, "duration_minutes"), 0, "greater_than"),
        (("lessons", 0, "duration_minutes"), "20", "int_type"),
        (("lessons", 0, "note"), "x", "extra_forbidden"),
        (("total_minutes",), 0, "greater_than"),
        (("total_minutes",), True, "int_type"),
        (("note",), "x", "extra_forbidden"),
    ],
    ids=str,
)
def test_a_wrong_plan(path: tuple[str | int, ...], value: object, code: str) -> None:
    """Each rule of the schema refuses what breaks it, at its place."""
    data: Any = copy.deepcopy(GOOD)
    *above, last = path
    target = data
    for key in above:
        target = target[key]
    target[last] = value
    with pytest.raises(ValidationError) as caught:
        LearningPlan.model_validate_json(json.dumps(data), strict=True)
    assert [(error["loc"], error["type"]) for error in caught.value.errors()] == [(path, code)]


@pytest.mark.parametrize("key", sorted(GOOD))
def test_every_key_is_required(key: str) -> None:
    """No key has a default."""
    data = {name: value for name, value in GOOD.items() if name != key}
    with pytest.raises(ValidationError, match="Field required"):
        LearningPlan.model_validate(data)


def test_every_field_is_described() -> None:
    """A model that only sees the JSON Schema is told what each field is."""
    for model in (LearningPlan, Lesson):
        schema = model.model_json_schema()
        assert schema["description"]
        assert all(field["description"] for field in schema["properties"].values())

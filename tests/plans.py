"""A plan for the tests of the cards."""

from __future__ import annotations

from typing import Any

__all__ = ["PLAN"]

PLAN: dict[str, Any] = {
    "topic": "SQL",
    "level": "beginner",
    "objectives": ["Read a query."],
    "lessons": [
        {"title": "Select", "duration_minutes": 15},
        {"title": "Join", "duration_minutes": 45},
    ],
    "total_minutes": 60,
}

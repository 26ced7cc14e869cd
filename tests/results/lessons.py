"""A structured tool that the tests share: every outcome, by the id that is asked for."""

from __future__ import annotations

from pydantic import BaseModel, Field

from rendercall.results import Covered, ToolFailed, ToolResult, structured_tool

__all__ = ["DETAILS", "STRUCTURED", "Lesson", "inspect_lesson"]

STRUCTURED = "only-for-programs-7319"
DETAILS = "only-for-the-log-5527"
PASSWORD = "postgres://app:pw-of-the-database@db/app"


class Lesson(BaseModel):
    """What is known of a lesson."""

    title: str
    minutes: int = Field(gt=0)
    marker: str = STRUCTURED


@structured_tool(output=Lesson, label={"en": "Inspect lesson", "zh": "检查课程"})
def inspect_lesson(lesson_id: str, cursor: str | None = None) -> ToolResult:
    """Inspect a lesson.

    Args:
        lesson_id: the lesson's id.
        cursor: where to go on.
    """
    del cursor
    found, details = Lesson(title="Frames", minutes=30), {"marker": DETAILS}
    if lesson_id == "ok":
        return ToolResult("Frames, 30 minutes.", found, details, {"rows": 1})
    if lesson_id == "last":
        return ToolResult("Nothing more to do.", found, details, terminate=True)
    if lesson_id == "empty":
        return ToolResult.empty(found, looked="3 lessons", details=details)
    if lesson_id == "truncated":
        return ToolResult.truncated(
            "The first part.", found, next={"cursor": "c-2"}, covered=Covered(1, 50), total=120,
            reason="max_items", details=details,
        )  # fmt: skip
    if lesson_id == "missing":
        raise ToolFailed("NOT_FOUND", "No lesson has this id.")
    if lesson_id == "wrong":
        return ToolResult("Fine.", {"title": "Frames", "minutes": "30"}, details)
    if lesson_id == "none":
        return ToolResult("Fine.", details=details)
    if lesson_id == "error":
        return ToolResult("No luck.", {"any": STRUCTURED}, details, is_error=True)
    raise RuntimeError(PASSWORD)

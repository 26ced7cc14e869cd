"""What editors and type checkers see: read by mypy and pyright, never run."""

from __future__ import annotations

from typing import Any, assert_type

from pydantic import TypeAdapter

from rendercall import Rendered, RenderTool, last_render, scan_renders
from schemas.learning_plan import LearningPlan

plan_tool = RenderTool(LearningPlan)
assert_type(plan_tool, RenderTool[LearningPlan])

raw = RenderTool.from_json_schema("output_weather", "The weather.", {"type": "object"})
assert_type(raw, RenderTool[dict[str, Any]])

adapted = RenderTool(TypeAdapter(LearningPlan), name="render_plan")
assert_type(adapted, RenderTool[LearningPlan])

shown = last_render([], plan_tool)
assert_type(shown, Rendered[LearningPlan])
assert_type(shown.value, LearningPlan | None)
assert_type(shown.require(), LearningPlan)
assert_type(shown.require().lessons[0].duration_minutes, int)

either = last_render({"messages": []}, [plan_tool, raw])
assert_type(either, Rendered[Any])

for one in scan_renders([], plan_tool):
    assert_type(one, Rendered[LearningPlan])

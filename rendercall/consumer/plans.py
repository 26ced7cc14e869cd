"""The plan of a render tool, worked out once and shared by all its readers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from rendercall.consumer.plan import Plan
from rendercall.consumer.pydantic_plan import plan_of
from rendercall.consumer.schema_plan import plan_of_schema
from rendercall.contract import RenderTool
from rendercall.contract.pydantic_check import PydanticCheck

__all__ = ["plan_of_tool"]

T = TypeVar("T")

_plans: WeakKeyDictionary[RenderTool[Any], Plan[Any]] = WeakKeyDictionary()


def plan_of_tool(tool: RenderTool[T]) -> Plan[T]:
    """The plan by which the tool's args are read while they arrive."""
    plan = _plans.get(tool)
    if plan is None:
        checker = tool.checker
        if isinstance(checker, PydanticCheck):
            plan = plan_of(checker.adapter, strict=checker.strict)
        else:
            plan = plan_of_schema(tool.schema)
        if tool.nulls is not None:
            plan = replace(plan, nulls=tool.nulls)
        _plans[tool] = plan
    return plan

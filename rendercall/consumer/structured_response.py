"""The result of an agent that stores it apart from its messages, read under the same contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from pydantic_core import PydanticSerializationError, to_json

from rendercall.consumer.rendered import Rendered
from rendercall.contract import RenderTool
from rendercall.errors import Issue

__all__ = ["from_structured_response"]

T = TypeVar("T")


def from_structured_response(source: Any, tool: RenderTool[T]) -> Rendered[T]:
    """Read `structured_response`, where `create_agent` puts what its own strategies parsed.

    It is checked again, from its JSON: a raw JSON Schema is never checked there, and a Pydantic
    object comes back from a checkpoint as a dict.

    Args:
        source: the agent's state, or a `StateSnapshot` or thread state that holds it.
        tool: the render tool whose schema it should fit.

    Returns:
        `ok` or `invalid`; `absent` where there is none, which is also how such an agent says
        that it ended without a result.
    """
    value = _find(source)
    if value is None:
        return Rendered(status="absent")
    try:
        text = to_json(value, by_alias=True).decode()
    except (PydanticSerializationError, ValueError):
        issue = Issue("", "bounds", "not_json", "the value cannot be written as JSON")
        return Rendered(status="invalid", tool=tool, errors=(issue,))
    verdict = tool.validate(text)
    if verdict.state != "complete":
        return Rendered(
            status="invalid",
            tool=tool,
            errors=verdict.issues,
            findings=verdict.findings,
            args_text=text,
        )
    return Rendered(
        status="ok",
        tool=tool,
        value=verdict.value,
        warnings=verdict.notices,
        findings=verdict.findings,
        args_text=text,
    )


def _find(source: Any) -> Any:
    values = source if isinstance(source, Mapping) else getattr(source, "values", None)
    if not isinstance(values, Mapping):
        return None
    fields = cast("Mapping[str, Any]", values)
    inner = fields.get("values")
    if "structured_response" not in fields and isinstance(inner, Mapping):
        fields = cast("Mapping[str, Any]", inner)
    return fields.get("structured_response")

"""The declared output of a tool, enforced: where it is made and where it is used."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError, PydanticUndefinedAnnotation
from pydantic_core import PydanticSerializationError, from_json, to_json

from rendercall.contract.args import Args
from rendercall.contract.pydantic_check import PydanticCheck
from rendercall.contract.schema_check import SchemaCheck
from rendercall.contract.verdict import Checker, Verdict
from rendercall.errors import Issue, ToolDefinitionError

__all__ = ["Output", "OutputCheck", "plain_json"]

T = TypeVar("T")

Output: TypeAlias = type[T] | TypeAdapter[T] | dict[str, Any]
"""A Pydantic model, TypedDict, dataclass or other type, its adapter, or a JSON Schema."""


class OutputCheck(Generic[T]):
    """Checks structured results.

    Args:
        output: what they must be.

    Raises:
        ToolDefinitionError: Pydantic cannot check the type.
        SchemaRefused: the JSON Schema breaks the limits, or is none.
    """

    def __init__(self, output: Output[T]) -> None:
        self._checker: Checker[Any] = (
            SchemaCheck(output)
            if isinstance(output, dict)
            else PydanticCheck(_adapter(output), strict=True)
        )

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the result."""
        return self._checker.schema

    def check(self, plain: Any) -> Verdict[T]:
        """Judge a result that is plain JSON; None is no result."""
        if plain is None:
            return _refused("missing", "a success must have a structured result, and has none")
        try:
            text = json.dumps(plain, allow_nan=False)
        except ValueError:
            return _refused("not_finite", "NaN and infinity are not JSON")
        verdict: Verdict[T] = self._checker.check(Args("complete", text, plain))
        issues = tuple(replace(one, kind="tool_output") for one in verdict.issues)
        return replace(verdict, issues=issues)


def plain_json(value: Any) -> Any:
    """A value as plain JSON: models and dataclasses by alias, dates as ISO text.

    Raises:
        TypeError: it holds what has no JSON form.
    """
    try:
        return from_json(to_json(value, by_alias=True, inf_nan_mode="constants"))
    except (PydanticSerializationError, ValueError) as error:
        raise TypeError(f"a {type(value).__name__} that has no JSON form") from error


def _adapter(output: type[T] | TypeAdapter[T]) -> TypeAdapter[T]:
    if isinstance(output, TypeAdapter):
        return output
    try:
        return TypeAdapter(output)
    except (PydanticSchemaGenerationError, PydanticUndefinedAnnotation) as error:
        raise ToolDefinitionError(f"Pydantic cannot check this output: {error.message}") from None


def _refused(code: str, message: str) -> Verdict[Any]:
    return Verdict("invalid", issues=(Issue("", "tool_output", code, message),))

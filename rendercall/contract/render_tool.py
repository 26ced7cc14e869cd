"""The render tool: what a model may show, and the check of what it wrote."""

from __future__ import annotations

import inspect
import re
from typing import Any, Generic, TypeVar, overload

from pydantic import BaseModel, TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError, PydanticUndefinedAnnotation

from rendercall.contract.args import Args, read_args
from rendercall.contract.bounds import Bounds
from rendercall.contract.mend import Mend, Mender
from rendercall.contract.pydantic_check import PydanticCheck
from rendercall.contract.schema_check import SchemaCheck
from rendercall.contract.verdict import Checker, Verdict
from rendercall.errors import ToolDefinitionError

__all__ = ["RenderTool"]

T = TypeVar("T")

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Tool names that every provider takes (OpenAI API reference, `function.name`)."""


class RenderTool(Generic[T]):
    """A display-only tool: the args of its call are the structured answer.

    The model calls it to show something; it is never executed. Its call ends the run.

    Args:
        model: a Pydantic model, TypedDict, dataclass, or any type or `TypeAdapter` whose
            JSON form is an object.
        name: what the model calls; `render_` and the class name in snake case by default.
        description: what the model reads about it; the class docstring by default.
        strict: True checks in strict JSON mode: `"20"` is not 20, `true` is not 1. None
            follows the model's own configuration.
        bounds: size limits on the args, checked before the schema.
        mend: None takes an answer as it is. "lossless" mends its syntax and packaging where
            that loses and guesses nothing (fences, chatter, double encoding, trailing
            commas ...); each change is a notice. A cut-off is never mended.

    Attributes:
        name: the tool's name.
        description: the tool's description.
        bounds: the limits.
        mend: how answers are mended.

    Raises:
        ToolDefinitionError: the type is no object, has no JSON Schema, the name is not
            `[a-zA-Z0-9_-]{1,64}`, or there is no such `mend`.

    Example:
        ```python
        plan_tool = RenderTool(LearningPlan)  # "render_learning_plan"
        ```
    """

    __slots__ = ("__weakref__", "_checker", "_mender", "bounds", "description", "mend", "name")

    name: str
    description: str
    bounds: Bounds
    mend: Mend | None
    _checker: Checker[T]
    _mender: Mender[T] | None

    @overload
    def __init__(
        self,
        model: type[T],
        *,
        name: str | None = ...,
        description: str | None = ...,
        strict: bool | None = ...,
        bounds: Bounds = ...,
        mend: Mend | None = ...,
    ) -> None: ...

    @overload
    def __init__(
        self,
        model: TypeAdapter[T],
        *,
        name: str,
        description: str | None = ...,
        strict: bool | None = ...,
        bounds: Bounds = ...,
        mend: Mend | None = ...,
    ) -> None: ...

    def __init__(
        self,
        model: type[T] | TypeAdapter[T],
        *,
        name: str | None = None,
        description: str | None = None,
        strict: bool | None = True,
        bounds: Bounds | None = None,
        mend: Mend | None = None,
    ) -> None:
        checker = PydanticCheck(_adapter(model), strict=strict)
        self._fill(
            name or _name_of(model),
            description or _description_of(model),
            checker,
            bounds or Bounds(),
            mend,
        )

    @classmethod
    def from_json_schema(
        cls,
        name: str,
        description: str,
        schema: dict[str, Any],
        *,
        bounds: Bounds | None = None,
        mend: Mend | None = None,
    ) -> RenderTool[dict[str, Any]]:
        """Make a render tool from a raw JSON Schema; its values are plain dicts.

        Args:
            name: what the model calls, as it is: no prefix is added.
            description: what the model reads about it.
            schema: the schema of the args, draft 2020-12 unless `$schema` says otherwise.
                References stay inside it: nothing is ever fetched.
            bounds: size limits on the args.
            mend: None, or "lossless"; see the class.

        Raises:
            ToolDefinitionError: the schema is not valid, refers outside itself, or does not
                describe an object.
        """
        tool: RenderTool[dict[str, Any]] = RenderTool.__new__(RenderTool)
        tool._fill(name, description, SchemaCheck(schema), bounds or Bounds(), mend)
        return tool

    def _fill(
        self, name: str, description: str, checker: Checker[T], bounds: Bounds, mend: Mend | None
    ) -> None:
        if not _NAME.fullmatch(name):
            raise ToolDefinitionError(
                f"the tool name {name!r} is not [a-zA-Z0-9_-]{{1,64}}: pass name="
            )
        if not _is_object(checker.schema, checker.schema):
            raise ToolDefinitionError(
                f"the args of {name} must be a JSON object: wrap the type in a model with one field"
            )
        if mend not in {None, "lossless"}:
            raise ToolDefinitionError('mend is None or "lossless"')
        self.name = name
        self.description = description
        self.bounds = bounds
        self.mend = mend
        self._checker = checker
        self._mender = Mender(name, checker, bounds) if mend else None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the args."""
        return self._checker.schema

    @property
    def checker(self) -> Checker[T]:
        """What checks the args: `PydanticCheck` or `SchemaCheck`."""
        return self._checker

    def spec(self) -> dict[str, Any]:
        """The tool as `bind_tools` takes it, in OpenAI's function format."""
        parameters = {key: part for key, part in self.schema.items() if key != "description"}
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": {"type": "object", **parameters},
        }
        return {"type": "function", "function": function}

    def validate(self, text: str) -> Verdict[T]:
        """Judge the raw text of a call's args: the bounds, the schema, and mending if it is on.

        Args:
            text: the args as the model wrote them, JSON.

        Returns:
            The value, or every error. It never raises on any text.
        """
        return self.judge(read_args(text, self.bounds))

    def judge(self, args: Args) -> Verdict[T]:
        """As `validate`, of args that `read_args` has read within the tool's bounds."""
        verdict: Verdict[T] = Verdict(args.state, issues=args.issues)
        if args.state == "complete":
            verdict = self._checker.check(args)
        return self._mender.mended(args, verdict) if self._mender else verdict

    def __repr__(self) -> str:
        return f"RenderTool({self.name!r}, {', '.join(self.schema.get('properties', {}))})"


def _adapter(model: type[T] | TypeAdapter[T]) -> TypeAdapter[T]:
    if isinstance(model, TypeAdapter):
        return model
    try:
        return TypeAdapter(model)
    except (PydanticSchemaGenerationError, PydanticUndefinedAnnotation) as error:
        raise ToolDefinitionError(f"Pydantic cannot check this type: {error.message}") from None


def _name_of(model: object) -> str:
    name = getattr(model, "__name__", None)
    if not name:
        raise ToolDefinitionError("a type without a class name needs name=")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return "render_" + re.sub(r"[^a-zA-Z0-9]+", "_", words).strip("_").lower()


def _description_of(model: object) -> str:
    """The class's own docstring: not the one that a base or `dataclass` put there."""
    generic = getattr(model, "__pydantic_generic_metadata__", {}).get("origin")
    model = generic or model
    own = model.__dict__.get("__doc__") if inspect.isclass(model) else None
    name = getattr(model, "__name__", "")
    if own and own != BaseModel.__doc__ and not own.startswith(f"{name}("):
        return inspect.cleandoc(own)
    return "Show the final answer to the user. Call this once, when everything is known."


def _is_object(schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether every value that the schema admits is an object, as far as its form says."""
    reference = schema.get("$ref", "")
    if reference.startswith("#/"):
        target: Any = root
        for key in reference[2:].split("/"):
            target = target.get(key.replace("~1", "/").replace("~0", "~"), {})
        return target is not schema and _is_object(target, root)
    branches = schema.get("oneOf") or schema.get("anyOf")
    if branches:
        return all(_is_object(branch, root) for branch in branches)
    return schema.get("type") == "object"

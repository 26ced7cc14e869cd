"""The type that a render tool shows: what checks it, and what it is called and described as."""

from __future__ import annotations

import inspect
import re
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError, PydanticUndefinedAnnotation

from rendercall.contract.schema_places import SchemaPlaces
from rendercall.errors import ToolDefinitionError

__all__ = ["adapter_of", "description_of", "name_of", "refuse_other_than_object"]

T = TypeVar("T")


def adapter_of(model: type[T] | TypeAdapter[T]) -> TypeAdapter[T]:
    """What checks values of the type.

    Raises:
        ToolDefinitionError: Pydantic has no check for it.
    """
    if isinstance(model, TypeAdapter):
        return model
    try:
        return TypeAdapter(model)
    except (PydanticSchemaGenerationError, PydanticUndefinedAnnotation) as error:
        raise ToolDefinitionError(f"Pydantic cannot check this type: {error.message}") from None


def name_of(model: object) -> str:
    """`render_` and the class name in snake case.

    Raises:
        ToolDefinitionError: the type has no name.
    """
    name = getattr(model, "__name__", None)
    if not name:
        raise ToolDefinitionError("a type without a class name needs name=")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return "render_" + re.sub(r"[^a-zA-Z0-9]+", "_", words).strip("_").lower()


def description_of(model: object) -> str:
    """The class's own docstring: not the one that a base or `dataclass` put there."""
    generic = getattr(model, "__pydantic_generic_metadata__", {}).get("origin")
    model = generic or model
    own = model.__dict__.get("__doc__") if inspect.isclass(model) else None
    name = getattr(model, "__name__", "")
    if own and own != BaseModel.__doc__ and not own.startswith(f"{name}("):
        return inspect.cleandoc(own)
    return "Show the final answer to the user. Call this once, when everything is known."


def refuse_other_than_object(name: str, schema: dict[str, Any], *, raw: bool) -> None:
    """Refuse a type that no call's args can be: providers take objects only.

    Args:
        name: the tool's name.
        schema: the type's JSON Schema.
        raw: whether the schema is all there is, and no Python type stands behind it.

    Raises:
        ToolDefinitionError: it is, or may be, no object; what to do is said.
    """
    kinds = SchemaPlaces(schema).root.kinds
    if kinds == {"object"}:
        return
    found = "any JSON" if len(kinds) > _KINDS_NAMED else " or ".join(sorted(kinds)) or "nothing"
    do = (
        'give it "type": "object", make it a property of an object, or pass envelope=True'
        if raw
        else "put it in a model with one field, as in `class Steps(BaseModel): items: list[Step]`"
    )
    raise ToolDefinitionError(f"the args of {name} must be a JSON object, not {found}: {do}")


_KINDS_NAMED = 4

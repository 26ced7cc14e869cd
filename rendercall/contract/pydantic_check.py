"""Args checked by Pydantic, in strict JSON mode, with errors as JSON Pointers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Generic, TypeVar, cast

from pydantic import PydanticInvalidForJsonSchema, PydanticUserError, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from rendercall.contract.args import Args, Path, pointer
from rendercall.contract.verdict import Verdict
from rendercall.errors import Issue, ToolDefinitionError

__all__ = ["PydanticCheck"]

T = TypeVar("T")


class PydanticCheck(Generic[T]):
    """Checks args against anything a `TypeAdapter` takes.

    Args:
        adapter: the type.
        strict: True is strict JSON mode: no coercion between JSON types, while ISO dates,
            UUIDs and Decimals in strings are fine. None follows the model's own config.

    Raises:
        ToolDefinitionError: the type has no JSON Schema.
    """

    def __init__(self, adapter: TypeAdapter[T], *, strict: bool | None) -> None:
        self.adapter = adapter
        self.strict = strict
        try:
            self._schema = adapter.json_schema()
        except (PydanticInvalidForJsonSchema, PydanticUserError) as error:
            raise ToolDefinitionError(f"the type has no JSON Schema: {error.message}") from None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema that Pydantic makes for validation, names by alias."""
        return self._schema

    def check(self, args: Args) -> Verdict[T]:
        """Validate once over the whole text.

        Pydantic's strict mode refuses 20.0 for an integer, while JSON Schema and browsers
        take it: such a number becomes the integer that it is, where an integer is asked for.
        """
        try:
            return Verdict("complete", self._validate(args.text), notices=args.notices)
        except ValidationError as error:
            details = error.errors(include_url=False)
        if _make_integers(args.value, details):
            try:
                value = self._validate(json.dumps(args.value, ensure_ascii=False))
                return Verdict("complete", value, notices=args.notices)
            except ValidationError as error:
                details = error.errors(include_url=False)
        return Verdict("invalid", issues=tuple(_issue(args.value, detail) for detail in details))

    def _validate(self, text: str) -> T:
        return self.adapter.validate_json(text, strict=self.strict)


def _make_integers(document: dict[str, Any], details: list[ErrorDetails]) -> bool:
    """Replace, in place, the integral floats that were refused as integers."""
    found = False
    for detail in details:
        number = detail["input"]
        if detail["type"] in _INTEGER_ERRORS and isinstance(number, float) and number.is_integer():
            *parents, last = _resolve(document, detail["loc"])
            holder: Any = document
            for key in parents:
                holder = holder[key]
            if holder[last] == number:
                holder[last] = int(number)
                found = True
    return found


_INTEGER_ERRORS = frozenset({"int_type", "int_from_float", "literal_error", "enum"})


def _resolve(document: Any, loc: tuple[str | int, ...]) -> Path:
    """Turn Pydantic's location into a path of the document.

    A location also names union branches and validators, which are not in the document:
    whatever does not lead further down is left out, but for a last, missing key.
    """
    path: list[str | int] = []
    node = document
    for position, key in enumerate(loc):
        if isinstance(node, Mapping):
            if key in node:
                node = cast("Mapping[str | int, Any]", node)[key]
                path.append(key)
            elif position == len(loc) - 1:
                path.append(key)
        elif isinstance(node, list) and isinstance(key, int) and key < len(node):
            node = node[key]
            path.append(key)
    return tuple(path)


def _issue(document: dict[str, Any], detail: ErrorDetails) -> Issue:
    code = detail["type"]
    path = _resolve(document, detail["loc"])
    context = detail.get("ctx", {})
    message = _MESSAGES.get(code, detail["msg"])
    if code == "union_tag_invalid":
        message = f"{context['discriminator']} should be one of {context['expected_tags']}"
    return Issue(pointer(path), "schema", code, message)


_MESSAGES = {
    # Pydantic's own words for these quote a part of the value.
    "uuid_parsing": "Input should be a valid UUID",
    "url_parsing": "Input should be a valid URL",
    "url_syntax_violation": "Input should be a valid URL",
    "json_invalid": "Input should be a string that holds valid JSON",
    # And these are about Python, where the reader is a model that writes JSON.
    "extra_forbidden": "this key is not in the schema: leave it out",
    "missing": "this key is required and missing",
    "model_type": "Input should be an object",
    "dict_type": "Input should be an object",
    "dataclass_type": "Input should be an object",
    "list_type": "Input should be an array",
}

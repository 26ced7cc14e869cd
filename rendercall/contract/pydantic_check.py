"""Args checked by Pydantic, in strict JSON mode, with errors as JSON Pointers."""

from __future__ import annotations

import json
from typing import Any, Generic, TypeVar

from pydantic import PydanticInvalidForJsonSchema, PydanticUserError, TypeAdapter, ValidationError

from rendercall.contract.args import Args
from rendercall.contract.pydantic_errors import schema_issue, with_integers
from rendercall.contract.verdict import Verdict
from rendercall.errors import ToolDefinitionError

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

        A number such as 20.0 becomes the integer that it is, where an integer is asked for.
        """
        try:
            return Verdict("complete", self._validate(args.text), notices=args.notices)
        except ValidationError as error:
            details = error.errors(include_url=False)
        document, changed = with_integers(args.value, details)
        if changed:
            try:
                value = self._validate(json.dumps(document, ensure_ascii=False))
                return Verdict("complete", value, notices=args.notices)
            except ValidationError as error:
                details = error.errors(include_url=False)
        return Verdict("invalid", issues=tuple(schema_issue(document, one) for one in details))

    def _validate(self, text: str) -> T:
        return self.adapter.validate_json(text, strict=self.strict)

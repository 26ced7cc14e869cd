"""The check of one place alone: JSON or a string in, the typed value out."""

from __future__ import annotations

import json
from collections.abc import Callable
from json.encoder import encode_basestring
from typing import Any

from pydantic_core import SchemaValidator

__all__ = ["Check"]


class Check:
    """Checks a value as Pydantic's strict or own mode does, in JSON mode.

    The validator is built when it is first used: most plans use few of theirs.

    Args:
        build: makes the validator.
        strict: as for `SchemaValidator.validate_json`.
        is_text: whether the schema is a mere `str` with rules, for which JSON mode and Python
            mode are the same.

    Attributes:
        json: takes JSON text.
        text: takes a string as it is.

    These return the typed value; they raise `pydantic.ValidationError`, and whatever else the
    type's own validators raise.
    """

    __slots__ = ("_build", "_is_text", "_strict", "json", "text")

    json: Callable[[str], Any]
    text: Callable[[str], Any]

    def __init__(
        self, build: Callable[[], SchemaValidator], strict: bool | None, *, is_text: bool
    ) -> None:
        self._build = build
        self._strict = strict
        self._is_text = is_text
        self.json = self._first_json
        self.text = self._first_text

    def _first_json(self, source: str) -> Any:
        self._prepare()
        return self.json(source)

    def _first_text(self, value: str) -> Any:
        self._prepare()
        return self.text(value)

    def _prepare(self) -> None:
        validator, strict = self._build(), self._strict
        # Closures: `functools.partial` with a keyword takes twice as long to call.
        self.json = lambda source: validator.validate_json(source, strict=strict)
        if self._is_text:
            self.text = lambda value: validator.validate_python(value, strict=strict)
        else:
            self.text = lambda value: validator.validate_json(
                encode_basestring(value), strict=strict
            )

    def data(self, value: Any) -> Any:
        """The typed value of plain JSON data."""
        return self.json(json.dumps(value, ensure_ascii=False))

    def or_null(self) -> Check:
        """The same, which takes null as well."""
        other = Check(self._build, self._strict, is_text=self._is_text)
        other.json = lambda source: None if source == "null" else self.json(source)
        other.text = lambda value: self.text(value)  # noqa: PLW0108 - it is another one later
        return other

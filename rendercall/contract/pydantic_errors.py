"""Pydantic's errors as issues: places of the document as JSON Pointers, no value quoted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import ErrorDetails

from rendercall.contract.args import Path, pointer
from rendercall.errors import Issue

__all__ = ["MESSAGES", "UNKNOWN", "schema_issue", "with_integers"]

UNKNOWN: Any = object()
"""Stands for a document that is not at hand: an error then tells its place alone."""

MESSAGES = {
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
"""Our words, by code, where Pydantic's do not serve."""

_INTEGER_ERRORS = frozenset({"int_type", "int_from_float", "literal_error", "enum"})


def with_integers(document: Any, details: list[ErrorDetails]) -> tuple[Any, bool]:
    """Write the integral floats that were refused as integers as the integers that they are.

    Pydantic's strict mode refuses 20.0 for an integer, while JSON Schema and browsers take it.

    Args:
        document: what was validated; objects and arrays in it are changed in place.
        details: what Pydantic found wrong with it.

    Returns:
        The document, and whether anything in it was changed.
    """
    root: list[Any] = [document]
    found = False
    for detail in details:
        number = detail["input"]
        if detail["type"] in _INTEGER_ERRORS and isinstance(number, float) and number.is_integer():
            *parents, last = (0, *_resolve(document, detail["loc"]))
            holder: Any = root
            for key in parents:
                holder = holder[key]
            if holder[last] == number:
                holder[last] = int(number)
                found = True
    return root[0], found


def schema_issue(document: Any, detail: ErrorDetails, base: Path = ()) -> Issue:
    """Tell one of Pydantic's errors.

    Args:
        document: what was validated, or `UNKNOWN`.
        detail: the error.
        base: where `document` stands in the whole.
    """
    code = detail["type"]
    path = (*base, *_resolve(document, detail["loc"], is_missing=code.startswith("missing")))
    message = MESSAGES.get(code, detail["msg"])
    if code == "union_tag_invalid":
        context = detail.get("ctx", {})
        message = f"{context['discriminator']} should be one of {context['expected_tags']}"
    return Issue(pointer(path), "schema", code, message)


def _resolve(document: Any, loc: tuple[str | int, ...], *, is_missing: bool = False) -> Path:
    """Turn Pydantic's location into a path of the document.

    A location also names union branches and validators, which are not in the document:
    whatever does not lead further down is left out, but for the last key where it is missing.
    """
    if document is UNKNOWN:
        return loc
    path: list[str | int] = []
    node: Any = document
    for position, key in enumerate(loc):
        if isinstance(node, Mapping):
            if key in node:
                node = node[key]
                path.append(key)
            elif is_missing and position == len(loc) - 1:
                path.append(key)
        elif isinstance(node, list) and isinstance(key, int) and key < len(node):
            node = node[key]
            path.append(key)
    return tuple(path)

"""Values of a model in a statement: bound to it, never a part of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

__all__ = ["Scalar", "sql_parameters"]

Scalar: TypeAlias = str | int | float | bool | None

_SKIPPED = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/|::", re.DOTALL
)
_PLACE = re.compile(r":([A-Za-z_]\w*)")


def sql_parameters(statement: str, values: Mapping[str, object]) -> dict[str, Scalar]:
    """The parameters that a statement names, for `cursor.execute(statement, parameters)`.

    Args:
        statement: your own SQL, with a `:name` for each value (`named`, PEP 249).
        values: the values, e.g. the args of a call; what the statement does not name stays out.

    Raises:
        ValueError: a value is missing, is no scalar, or stands in no place of its own because
            the statement has none at all.

    Example:
        ```python
        insert = "INSERT INTO plans VALUES (:topic, :total_minutes)"
        connection.execute(insert, sql_parameters(insert, value))
        ```
    """
    names = dict.fromkeys(_PLACE.findall(_SKIPPED.sub(" ", statement)))
    if not names:
        raise ValueError("the statement names no value: write :name for each, and add no text")
    return {name: _scalar(name, values) for name in names}


def _scalar(name: str, values: Mapping[str, object]) -> Scalar:
    if name not in values:
        raise ValueError(f"there is no value for :{name}")
    value = values[name]
    if value is not None and not isinstance(value, str | int | float):
        raise ValueError(f"the value for :{name} is a {type(value).__name__}: bind its parts")
    return value

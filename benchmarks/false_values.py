"""What a reader shows on the way that is not so in the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

__all__ = ["false_values"]

Place: TypeAlias = tuple[str | int, ...]


def false_values(shown: Iterable[Any], final: Any, words: frozenset[str]) -> int:
    """Count the false values: each value at each place once, however long it stood there.

    False is a number or boolean that is not the final one, an enum value that is not, a text
    that the final one does not begin with, and anything where in the end nothing is. A null
    is not counted: some readers mean by it that nothing has come yet.

    Args:
        shown: the plain values, one after each fragment.
        final: the document.
        words: keys whose texts are enum values: they do not grow.
    """
    true = dict(_leaves(final))
    wrong = {
        (place, json.dumps(value))
        for one in shown
        for place, value in _leaves(one)
        if value is not None and not _is_true(value, true.get(place), place, words)
    }
    return len(wrong)


def _is_true(value: Any, final: Any, place: Place, words: frozenset[str]) -> bool:
    if isinstance(value, str) and isinstance(final, str) and place[-1] not in words:
        return final.startswith(value)
    return type(value) is type(final) and value == final


def _leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _leaves(member, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, (*place, index))
    elif place:
        yield place, value

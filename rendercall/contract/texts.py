"""The strings of a value, in batches that are searched together."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, TypeAlias
from unicodedata import is_normalized, normalize

from rendercall.contract.args import pointer
from rendercall.contract.unseen import without_unseen

__all__ = ["Batch", "batches", "readings"]

BATCH = 16_384
"""Characters and texts after which a batch ends: so many that a search is cheap a text."""

_Place: TypeAlias = tuple[Any, str | int] | None
"""A place in a value: the place around it, and the key or index there."""


class Batch:
    """Strings of a value, and keys.

    Attributes:
        texts: what any engine takes: halves of surrogate pairs are noncharacters, as bad.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._places: list[tuple[_Place, bool]] = []

    def add(self, text: str, place: _Place, *, in_key: bool) -> None:
        """Add one string."""
        self.texts.append(text if text.isascii() else _SURROGATES.sub("\uffff", text))
        self._places.append((place, in_key))

    def in_key(self, index: int) -> bool:
        """Whether a string is the key that its pointer ends with."""
        return self._places[index][1]

    def pointer(self, index: int) -> str:
        """Where a string is, as a JSON Pointer; it is made only where one is told."""
        keys: list[str | int] = []
        place, _ = self._places[index]
        while place is not None:
            place, key = place
            keys.append(key)
        return pointer(tuple(reversed(keys)))


_SURROGATES = re.compile("[\ud800-\udfff]")


def batches(value: Any) -> Iterator[Batch]:
    """Every string of a value and every key, an object's keys first; never recursing."""
    batch, size = Batch(), 0
    walks: list[Iterator[tuple[_Place, Any]]] = [iter([(None, value)])]
    while walks:
        for place, node in walks[-1]:
            if isinstance(node, str):
                batch.add(node, place, in_key=False)
                size += len(node) + 1
            elif isinstance(node, dict):
                for key in node:
                    batch.add(key, (place, key), in_key=True)
                    size += len(key) + 1
                walks.append(_members(place, node.items()))
                break
            elif isinstance(node, list):
                walks.append(_members(place, enumerate(node)))
                break
            if size >= BATCH:
                yield batch
                batch, size = Batch(), 0
        else:
            walks.pop()
    yield batch


def _members(place: _Place, items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[_Place, Any]]:
    return (((place, key), one) for key, one in items)


def readings(texts: Sequence[str], hiding: Collection[int]) -> Iterator[tuple[int, str]]:
    """What texts read like, where that is not how they are written, with their place in the list.

    Compatible characters are replaced, and hidden ones left out.

    Args:
        texts: the list.
        hiding: the places of those that may hold hidden characters.
    """
    for index, text in enumerate(texts):
        if not text.isascii():
            shown = without_unseen(text) if index in hiding else text
            if shown is not text or not is_normalized("NFKC", shown):
                yield index, normalize("NFKC", shown)

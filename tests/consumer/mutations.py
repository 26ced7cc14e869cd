"""How the tests damage valid documents: operators with weights, places drawn evenly.

A place is drawn first, with equal chances over all values of the document, then an operator
by weight; so the damage falls evenly over the document.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

__all__ = ["OPERATORS", "mutate", "places"]

Path = tuple[str | int, ...]

OPERATORS = {
    "replace": 50,  # by a value that often does not fit
    "nudge": 20,  # to a neighbour of the same JSON type
    "remove": 12,  # a member or an item
    "add": 10,  # a member that nobody asked for, or one item more
    "shuffle": 8,  # the members' order; harmless by itself
}
"""The name of each operator and its weight."""

REPLACEMENTS: tuple[Any, ...] = (
    None, True, 1, -3, 2.0, 1.5, 1e16, "", "text", "a longer string", "alpha", [], {},
    {"x": "no"}, {"x": 1}, {"x": 3.0}, [1, "a", 2, 3], [1.0, 2], {"kind": "other"},
    {"kind": 1}, {"lo": 5, "hi": 1}, {"lo": 1.0, "hi": 2.0},
    [{"x": 1}, {"x": "bad"}, {"x": 3}, {"x": 4}],
)  # fmt: skip
KEYS = ("zz", "extra", "geee", "f", "kind", "x", "A")


def places(document: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all values below the root."""
    children = document.items() if isinstance(document, dict) else enumerate(document)
    for key, child in children:
        yield (*path, key)
        if isinstance(child, dict | list):
            yield from places(child, (*path, key))


def mutate(document: Any, rng: random.Random) -> Any:
    """A copy with one to three mutations."""
    document = copy.deepcopy(document)
    for _ in range(rng.randint(1, 3)):
        if not document:  # everything is removed already
            break
        *parents, key = rng.choice(list(places(document)))
        holder = document
        for step in parents:
            holder = holder[step]
        operator = rng.choices(list(OPERATORS), list(OPERATORS.values()))[0]
        _OPERATE[operator](holder, key, rng)
    return document


def _replace(holder: Any, key: Any, rng: random.Random) -> None:
    holder[key] = copy.deepcopy(rng.choice(REPLACEMENTS))


def _nudge(holder: Any, key: Any, rng: random.Random) -> None:
    value = holder[key]
    if isinstance(value, bool) or value is None:
        holder[key] = not value
    elif isinstance(value, int):
        holder[key] = rng.choice([value + 1, -value, float(value), value * 10**15])
    elif isinstance(value, float):
        holder[key] = rng.choice([value + 1, int(value)])
    elif isinstance(value, str):
        holder[key] = rng.choice([value + "x", value[1:], value.upper(), value * 3])
    elif isinstance(value, list):
        holder[key] = rng.choice([value * 2, value[::-1], value[:1]])
    else:
        holder[key] = [value]


def _remove(holder: Any, key: Any, rng: random.Random) -> None:
    del rng
    if isinstance(holder, dict) or holder:
        del holder[key]


def _add(holder: Any, key: Any, rng: random.Random) -> None:
    if isinstance(holder, dict):
        holder[rng.choice(KEYS)] = copy.deepcopy(rng.choice(REPLACEMENTS))
    else:
        holder.insert(key, copy.deepcopy(rng.choice([holder[key], *REPLACEMENTS])))


def _shuffle(holder: Any, key: Any, rng: random.Random) -> None:
    value = holder[key]
    target = value if isinstance(value, dict) else holder
    if isinstance(target, dict):
        members = list(target.items())
        rng.shuffle(members)
        target.clear()
        target.update(members)


_OPERATE = {
    "replace": _replace,
    "nudge": _nudge,
    "remove": _remove,
    "add": _add,
    "shuffle": _shuffle,
}

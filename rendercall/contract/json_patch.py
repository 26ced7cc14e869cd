"""JSON Patch (RFC 6902) on a call's args: `add`, `replace` and `remove`, all of them or none.

langchain-core brings the library `jsonpatch`, which is made for patches that one trusts: its
errors quote values, it reads characters of a string by index, and it takes `move`, `copy` and
`test`, which a model that corrects its own args does not need.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rendercall.contract.args import keys_of, pointer
from rendercall.errors import Issue

__all__ = ["OPERATIONS", "Patched", "apply_patch", "path_of", "value_at"]

OPERATIONS = ("add", "replace", "remove")
"""The operations of RFC 6902 that are taken."""

_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_ESCAPE = re.compile(r"~(?![01])")


@dataclass(frozen=True, slots=True)
class Patched:
    """What came of a patch.

    Attributes:
        document: with every operation applied; the old one where one of them failed.
        issue: why the patch does not apply, with a pointer into the list of operations.
    """

    document: Any
    issue: Issue | None = None


class _Refused(Exception):  # noqa: N818 - it never leaves this module
    """An operation that cannot be applied; the message says why."""


def apply_patch(document: Any, operations: Any) -> Patched:
    """Apply operations in order, to a copy.

    Args:
        document: plain JSON; it is not changed.
        operations: a list of `{"op", "path", "value"}`, as the model wrote it.

    Returns:
        The new document, or what is wrong with the first operation that does not apply. It
        never raises on any JSON, and quotes none of it.
    """
    if not isinstance(operations, list) or not operations:
        return _failed(document, (), "a list of at least one operation is expected")
    root: list[Any] = [copy.deepcopy(document)]
    for position, operation in enumerate(operations):
        try:
            _apply(root, operation)
        except _Refused as refused:
            return _failed(document, (position,), str(refused))
    return Patched(root[0])


def _failed(document: Any, place: tuple[int, ...], message: str) -> Patched:
    return Patched(document, Issue(pointer(place), "schema", "patch", message))


def path_of(text: str) -> tuple[str, ...] | None:
    """The keys of a JSON Pointer (RFC 6901); None where it is none."""
    if text and (not text.startswith("/") or _ESCAPE.search(text)):
        return None
    return keys_of(text)


def value_at(document: Any, text: str) -> tuple[Any, bool]:
    """What stands at a JSON Pointer, and whether anything does."""
    path = path_of(text)
    if path is None:
        return None, False
    try:
        return _walk(document, path), True
    except _Refused:
        return None, False


def _apply(root: list[Any], operation: Any) -> None:
    if not isinstance(operation, Mapping):
        raise _Refused("an operation is an object with op, path and value")
    op, text = operation.get("op"), operation.get("path")
    if op not in OPERATIONS:
        raise _Refused(f"op is one of {', '.join(OPERATIONS)}")
    path = path_of(text) if isinstance(text, str) else None
    if path is None:
        raise _Refused("path is a JSON Pointer, such as /items/0/name")
    if op != "remove" and "value" not in operation:
        raise _Refused(f"{op} needs a value")
    *parents, last = ("0", *path)
    holder: Any = _walk(root, parents)
    value = copy.deepcopy(operation.get("value"))
    if op == "add" and isinstance(holder, list) and holder is not root:
        holder.insert(_place(holder, last), value)
    elif op == "add" and isinstance(holder, dict):
        holder[last] = value
    elif op == "remove" and holder is root:
        raise _Refused("the whole cannot be removed")
    else:
        key: Any = _key(holder, last)
        if op == "remove":
            del holder[key]
        else:
            holder[key] = value


def _walk(node: Any, path: Sequence[str]) -> Any:
    for key in path:
        node = node[_key(node, key)]
    return node


def _key(holder: Any, key: str) -> str | int:
    """The key of what stands in a container."""
    if isinstance(holder, dict) and key in holder:
        return key
    if isinstance(holder, list) and _INDEX.fullmatch(key) and int(key) < len(holder):
        return int(key)
    raise _Refused("nothing stands at this path: use add, or correct the path")


def _place(holder: list[Any], key: str) -> int:
    """Where an item is put into a list; `-` is after its last."""
    if key == "-":
        return len(holder)
    if _INDEX.fullmatch(key) and int(key) <= len(holder):
        return int(key)
    raise _Refused("the list has no such place: - adds after its last item")

"""What one fragment changed in the value so far, and what else that can be written as."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

from rendercall.contract.args import Path, pointer

__all__ = ["Delta", "Op", "apply", "to_json_patch"]

Op: TypeAlias = Literal["open", "append", "set", "close"]
"""What became of a place:

- `open`: an object, an array or a string begins; `value` is `{}`, `[]` or its first text.
- `append`: `value` is more text of the string that is open.
- `set`: a whole value arrived at once; it is final.
- `close`: what was open is complete; `value` is None.
"""


Delta: TypeAlias = tuple[Op, Path, Any]
"""One change: `op`, `path` (keys and indexes from the root, which is `()`), `value`.

A list of them, in order, rebuilds the value (`apply`). A place opens or is set once, after
its parent opened and its elder siblings closed; so all that is open lies on one path. It is
a plain tuple because there is one for nearly every fragment.
"""


def apply(document: Any, deltas: Iterable[Delta]) -> Any:
    """Rebuild the value so far.

    Args:
        document: what the deltas before these gave; anything for the very first ones. It is
            changed in place where it can be.
        deltas: the changes, in order.

    Returns:
        The document after them.
    """
    root: list[Any] = [document]
    for op, path, value in deltas:
        if op == "close":
            continue
        holder: Any = root
        key: Any = 0
        for step in path:
            holder, key = holder[key], step
        if op == "append":
            holder[key] += value
        elif isinstance(holder, list) and key == len(holder):
            holder.append(_fresh(value))
        else:
            holder[key] = _fresh(value)
    return root[0]


def _fresh(value: Any) -> Any:
    """Containers open empty, and each document gets its own."""
    return value.copy() if isinstance(value, dict | list) else value


def to_json_patch(deltas: Sequence[Delta], document: Any) -> list[dict[str, Any]]:
    """Write the changes as a JSON Patch (RFC 6902).

    The RFC has no way to append to a string, so a string that grew is sent whole, once for
    all of `deltas`. For long strings the cursor form (`rendercall.consumer.cursor`) is the
    shorter one by far.

    Args:
        deltas: the changes, in order.
        document: the value after them; grown strings are read from it.

    Returns:
        Operations that turn the value before the changes into `document`.
    """
    patch: list[dict[str, Any]] = []
    whole: set[Path] = set()
    for op, path, value in deltas:
        if op == "close" or (op == "append" and path in whole):
            continue
        name = "add"
        if isinstance(value, str) and op != "set":
            whole.add(path)
            name = "add" if op == "open" else "replace"
            value = _at(document, path)  # noqa: PLW2901 - the same string, as it stands now
        patch.append({"op": name, "path": pointer(path), "value": _fresh(value)})
    return patch


def _at(document: Any, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document

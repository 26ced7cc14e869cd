"""A typed value so far, laid out as a card: what fits of it, in places that its plan tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic_core import to_jsonable_python

from rendercall.card.layout import Card, lay_out
from rendercall.consumer.deferred import shown
from rendercall.consumer.open_container import OPEN, OpenContainer
from rendercall.consumer.plan import Node, Shape
from rendercall.contract.args import Path

__all__ = ["lay_out_view"]

MAX_DEPTH = 5
"""A card shows fields, lists, the fields of their items, and the items of lists among those, with
labels; deeper ones are plain."""


def lay_out_view(container: OpenContainer, text: Callable[[], str]) -> Card:
    """Lay out an open object.

    Args:
        container: the object.
        text: gives the text of the string that is open.
    """
    open_paths: set[Path] = set()
    value = _plain(container, text, (), open_paths)
    schema = _schema(container.shape, value, MAX_DEPTH)
    return lay_out(schema, value, open_paths=open_paths, complete=not container.is_open)


def _plain(value: Any, text: Callable[[], str], path: Path, open_paths: set[Path]) -> Any:
    """The plain value, and the paths of what is open in it."""
    if value is OPEN:
        open_paths.add(path)
        return text()
    if not isinstance(value, OpenContainer):
        return _leaf(shown(value))
    if value.is_open:
        open_paths.add(path)
    slots: Any = value.slots
    if isinstance(slots, list):
        return [_plain(one, text, (*path, at), open_paths) for at, one in enumerate(slots)]
    return {key: _plain(one, text, (*path, key), open_paths) for key, one in (slots or {}).items()}


def _leaf(value: Any) -> Any:
    try:
        return to_jsonable_python(value, fallback=str)
    except Exception:  # noqa: BLE001 - serializers are anybody's code
        return str(value)


def _schema(shape: Shape, value: Any, depth: int) -> dict[str, Any]:
    """As much of a JSON Schema as a card needs; kinds of leaves are told by their values."""
    if depth and shape.kind == "array" and shape.items is not None:
        first = value[0] if isinstance(value, list) and value else None
        return {"type": "array", "items": _field(shape.items, first, depth - 1)}
    if depth and shape.kind in {"model", "record"}:
        known: dict[str, Any] = value if isinstance(value, dict) else {}
        return {
            "type": "object",
            "properties": {
                str(key): _field(node, known.get(str(key)), depth - 1)
                | {"title": str(key).replace("_", " ").title()}
                for key, node in shape.fields.items()
            },
        }
    return {"type": _KINDS.get(type(value), "other")}


def _field(node: Node, value: Any, depth: int) -> dict[str, Any]:
    found = _schema(node.shape, value, depth)
    return {"type": "string"} if node.grows and found == {"type": "other"} else found


_KINDS = {int: "integer", float: "number", list: "array"}

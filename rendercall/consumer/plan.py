"""What a schema says about each place of a document, worked out once before any arrives.

A plan is a tree of nodes (a graph, where the schema is recursive). A node tells how its place
is judged alone, and whether that is conclusive; its shape tells which places lie below.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from rendercall.consumer.check import Check
from rendercall.contract.sent_nulls import SentNulls

__all__ = ["ANYTHING", "HIDDEN", "Kind", "Node", "Plan", "Shape"]

T = TypeVar("T")

Kind: TypeAlias = Literal["model", "record", "map", "array", "tagged", "anything", "whole"]
"""How a place is read while it is open:

- `model`: an object whose fields are attributes (a Pydantic model or a dataclass).
- `record`: an object whose fields are items (a TypedDict).
- `map`: an object with any keys and one kind of value.
- `array`: an array.
- `tagged`: an object that is one of several `choices`, told by its key `tag`.
- `anything`: plain JSON.
- `whole`: what can only be judged, and only be shown, once it is complete.
"""


@dataclass(slots=True, eq=False)
class Shape:
    """What lies inside a place, if an object or array stands there.

    Attributes:
        kind: how it is read.
        title: the class name, for a `repr`.
        fields: the node of each key that the schema lists, and of each index of a tuple.
        keys: the JSON key of a Python name, where it differs.
        required: keys that must be there; keys that an alias may stand for are left out.
        unlisted: the node of other keys (of all keys of a map); None where they are forbidden.
        extra_code: Pydantic's word for a forbidden key.
        items: the node of other indexes of an array.
        min_length: fewest items of an array.
        max_length: most items of an array.
        tag: the key that tells the choice.
        choices: the node of each choice.
        checked_whole: whether it must be checked when it closes, though its parts have been.
    """

    kind: Kind
    title: str = ""
    fields: dict[str | int, Node] = field(default_factory=dict[str | int, "Node"])
    keys: dict[str, str] = field(default_factory=dict[str, str])
    required: list[str] = field(default_factory=list[str])
    unlisted: Node | None = None
    extra_code: str = "extra_forbidden"
    items: Node | None = None
    min_length: int = 0
    max_length: int | None = None
    tag: str | None = None
    choices: dict[Any, Node] = field(default_factory=dict[Any, "Node"])
    checked_whole: bool = True


@dataclass(slots=True, eq=False)
class Node:
    """One place, or many alike.

    Attributes:
        shape: what lies inside. Nodes share it: `Lesson` and `Lesson | None` look alike.
        grows: whether an open string here may be shown, because its final value begins with it.
        plain: whether every string fits here.
        conclusive: whether the place can be judged alone once it is complete, because nothing
            else in the document could excuse it.
        provisional: whether passing the check is not the last word, because a validator that
            looks at the object around comes after it.
        checked_whole: the same as the shape's, where this node adds a rule to the shape.
        check: turns what stands there into the typed value. None where there is nothing to
            check, or no way to check it alone.
        made_of_parts: whether its parts and `required` tell all that could be wrong with it, so
            that its value need not be made before somebody looks.
    """

    shape: Shape
    grows: bool = False
    plain: bool = False
    conclusive: bool = True
    provisional: bool = False
    checked_whole: bool = False
    check: Check | None = None
    made_of_parts: bool = False


ANYTHING = Node(Shape("anything", checked_whole=False), grows=True, plain=True)
"""Plain JSON, shown as it comes."""
ANYTHING.shape.unlisted = ANYTHING.shape.items = ANYTHING

HIDDEN = Node(Shape("whole"), conclusive=False)
"""A place that is judged and shown with the object that it is in."""


@dataclass(frozen=True, slots=True)
class Plan(Generic[T]):
    """The nodes of a schema for `T`. Made once a tool, shared by all readers.

    Validators run when a plan is followed: once for a leaf, once more for each object around
    it, and once at the end. They should have no side effects.

    Attributes:
        root: the node of the whole document.
        nulls: which nulls say that a key is not there; None where none does.
    """

    root: Node
    nulls: SentNulls | None = None

"""One call's args while they arrive: the value so far, what is open, what is definitely wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast

from rendercall.consumer.deltas import Delta
from rendercall.consumer.json_reader import JsonReader
from rendercall.consumer.listener import Fault
from rendercall.consumer.partial import freeze, has, view
from rendercall.consumer.plan import Kind, Plan
from rendercall.consumer.typed_tree import TypedTree
from rendercall.consumer.without_nulls import WithoutNulls
from rendercall.contract.args import Args, Notice, Path, pointer, read_args
from rendercall.contract.bounds import Bounds
from rendercall.errors import Issue, IssueKind

__all__ = ["PlaceStatus", "Reader", "ReaderState"]

T = TypeVar("T")

ReaderState: TypeAlias = Literal["open", "complete", "failed"]
"""`complete`: the object is whole. `failed`: no more text could make it one."""

PlaceStatus: TypeAlias = Literal["missing", "open", "closed"]


class Reader(Generic[T]):
    """Reads the args of one call, fragment by fragment, in linear time.

    Args:
        plan: of the tool's schema.
        bounds: of the tool.

    Attributes:
        feed: takes the next fragment and returns what it changed in the document: a list of
            `Delta`, empty where nothing did. It never raises; after a fault it only collects
            the text.
        progress: how far the JSON reader underneath is.

    Example:
        ```python
        reader = Reader(plan_of(TypeAdapter(LearningPlan)), Bounds())
        reader.feed('{"topic":"SQL win')
        reader.partial.topic  # "SQL win"
        reader.status(("topic",))  # "open"
        ```
    """

    __slots__ = ("_bounds", "_json", "_kind", "_nulls", "_tree", "_view", "feed", "progress")

    feed: Callable[[str], list[Delta]]

    def __init__(self, plan: Plan[T], bounds: Bounds) -> None:
        self._bounds = bounds
        self._tree = TypedTree(plan)
        self._nulls = WithoutNulls(self._tree, plan.nulls) if plan.nulls else None
        self._json = JsonReader(self._nulls or self._tree, bounds)
        self.feed = self._json.feed
        self.progress = self._json.progress
        self._kind: Kind | None = None
        self._view = cast("T", None)  # a call of `cast` at each reading would be half its cost

    @property
    def text(self) -> str:
        """The text so far; halves of surrogate pairs that came apart are joined."""
        text = str(self.progress.raw)
        return _PAIR.sub(_join, text) if self.progress.irregular else text

    @property
    def state(self) -> ReaderState:
        """How far the document is."""
        if self.progress.fault:
            return "failed"
        return "complete" if self.progress.complete else "open"

    @property
    def fault(self) -> Fault | None:
        """What ended the reading, with its position."""
        return self.progress.fault

    @property
    def errors(self) -> Sequence[Issue]:
        """What is definitely wrong so far: the final check will refuse the document too.

        It is a live list, in the order of discovery; copy it to keep it.
        """
        fault = self.progress.fault
        if fault and (not self._tree.issues or self._tree.issues[-1].kind == "schema"):
            self._tree.issues.append(_issue_of(fault))
        return self._tree.issues

    @property
    def awaits_tag(self) -> bool:
        """Whether the root is a tagged union whose choice is not known: its view will change."""
        return self._tree.root.shape.tag is not None

    @property
    def partial(self) -> T:
        """The typed value so far, a live view: reading it costs O(1), keeping it nothing.

        A part that has not arrived raises `NotYet`; `has` asks. Only a string that is kept
        from it while it is open costs something: the next fragment copies it.
        """
        kind = self._tree.root.shape.kind
        if kind is not self._kind:  # a tagged union may turn out to be a TypedDict
            self._kind = kind
            self._view = cast("T", view(self._tree.root, self._json.open_text))
        return self._view

    def snapshot(self) -> T:
        """The typed value so far, as it stays.

        It copies the open objects and lists, one level deep each (O(n) for an open list of n
        items), and shares what has closed. An open string is copied by the next fragment.
        """
        text = self._json.open_text()
        return cast("T", view(freeze(self._tree.root), lambda: text))

    def document(self) -> Any:
        """The plain JSON value so far, as the deltas rebuild it; None before the root opened.

        It is live: serialise or copy it at once. If a string is open, the next fragment
        copies that string.
        """
        spot = self._json.spot
        if spot.text is not None:
            holder: Any = self.progress.root[0]
            for key in spot.path or ():
                holder = holder[key]
            holder[spot.key] = spot.text
        return self.progress.root[0] if self.progress.root else None

    @property
    def open_paths(self) -> tuple[Path, ...]:
        """The paths of all that is open, outermost first; each is in the next."""
        spot = self._json.spot
        if spot.path is None:
            return ()
        path = spot.path if spot.key is None else (*spot.path, spot.key)
        return tuple(path[:depth] for depth in range(len(path) + 1))

    @property
    def shown_path(self) -> Path | None:
        """The path of the innermost thing that is open and in `document()`; None where nothing is.

        It is where a `keyframe` of the document goes on.
        """
        spot = self._json.spot
        if spot.path is None or spot.key is None or spot.text is None:
            return spot.path
        return (*spot.path, spot.key)

    def status(self, path: Path) -> PlaceStatus:
        """How far a place of the document is.

        Args:
            path: JSON keys and indexes from the root, which is `()`.
        """
        open_paths = self.open_paths
        if len(path) < len(open_paths) and open_paths[len(path)] == path:
            return "open"
        node: Any = self.progress.root
        for key in (0, *path):
            inside = key in node if isinstance(node, dict) else _is_item(node, key)
            if not inside:
                return "missing"
            node = node[key]
        return "closed"

    def has(self, name: str) -> bool:
        """Whether a field of the root is there; `rendercall.consumer.partial.has` asks further."""
        return has(self.partial, name)

    def finish(self) -> Args:
        """What the bounds make of the whole text, as `read_args` has it."""
        return self.args or read_args(self.text, self._bounds)

    @property
    def args(self) -> Args | None:
        """What `finish` gives, where the object is whole and nothing must be read again."""
        progress = self.progress
        if self.state != "complete" or progress.irregular or (self._nulls and self._nulls.found):
            return None
        paths = sorted(progress.large_integers, key=len)  # level by level, as `read_args` does
        notices = tuple(Notice("unsafe_integer", _UNSAFE, pointer(path)) for path in paths)
        return Args("complete", self.text, progress.root[0], (), notices)


_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_UNSAFE = "beyond 2^53 - 1: exact here, rounded by JSON readers that use doubles"
_KINDS: dict[str, IssueKind] = {"json_syntax": "json_syntax", "not_object": "not_object"}


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _is_item(node: Any, key: str | int) -> bool:
    return isinstance(node, list) and isinstance(key, int) and 0 <= key < len(node)


def _issue_of(fault: Fault) -> Issue:
    message = f"{fault.message} (at character {fault.position})"
    return Issue(pointer(fault.path), _KINDS.get(fault.code, "bounds"), fault.code, message)

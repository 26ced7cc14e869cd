"""Follows a reading with a plan: the typed value so far, and what is definitely wrong with it.

An issue found here is definite: whatever may still arrive, the final check refuses the
document too. It is found when its leaf closes, or the innermost object that decides it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from json.encoder import encode_basestring
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from rendercall.consumer.open_container import REFUSED, OpenContainer, settle
from rendercall.consumer.partial import OPEN, PartialDict, PartialList, PartialModel, View
from rendercall.consumer.plan import HIDDEN, Node, Plan, Shape
from rendercall.contract.args import Path, pointer
from rendercall.contract.pydantic_errors import MESSAGES, schema_issue, with_integers
from rendercall.errors import Issue

__all__ = ["TypedTree"]


class TypedTree:
    """The `Listener` that builds the typed value.

    Args:
        plan: of the schema.
        text: reads the string that is open.

    Attributes:
        issues: what is definitely wrong, in the order of discovery.
        view: the root.
    """

    __slots__ = ("_frame", "_known", "_muted", "_outer", "_text", "issues", "view")

    def __init__(self, plan: Plan[Any], text: Callable[[], str]) -> None:
        self.issues: list[Issue] = []
        self._known: set[tuple[str, str]] = set()
        self._text = text
        top = Shape("array", items=plan.root)
        self._frame = OpenContainer(Node(top), top, (), None, 0, silent=False, slots=[])
        self._outer: list[OpenContainer] = []
        self._muted = 0  # open containers inside a silent frame
        self.view: View = self._view(plan.root.shape, {})

    def starts(self, key: str | int) -> bool:
        """A string begins and is cut here. May it be shown while it grows?"""
        frame = self._frame
        if frame.silent or not (frame.shape.fields.get(key) or self._child(key)).grows:
            return False
        settle(frame.slots, key, OPEN)
        return True

    def string(self, key: str | int, value: str) -> None:
        """A string is complete."""
        frame = self._frame
        if frame.silent:
            if frame.shape.tag == key and not self._muted:
                self._choose(value)
            return
        child = frame.shape.fields.get(key) or self._child(key)
        if child.plain:
            settle(frame.slots, key, value)
        elif child.conclusive and child.check:
            try:
                result = child.check(encode_basestring(value))
            except Exception as error:  # noqa: BLE001 - validators are anybody's code
                result = self._judge(child, value, (*frame.path, key), error)[0]
            if not child.provisional:
                settle(frame.slots, key, result)

    def atom(self, key: str | int, value: Any, literal: str) -> Any:
        """A number or literal is complete; returns the value to keep."""
        frame = self._frame
        if frame.silent:
            if frame.shape.tag == key and not self._muted:
                self._choose(value)
            return value
        child = frame.shape.fields.get(key) or self._child(key)
        if not child.conclusive:
            return value
        result = value
        if child.check:
            try:
                result = child.check(literal)
            except Exception as error:  # noqa: BLE001 - same
                result, value = self._judge(child, value, (*frame.path, key), error)
        if not child.provisional:
            settle(frame.slots, key, result)
        return value

    def opens(self, key: str | int, path: Path, value: dict[str, Any] | list[Any]) -> bool:
        """A container opens. Is its text wanted when it closes?"""
        if self._frame.silent:
            self._muted += 1
            return False
        node = self._child(key)
        shape = node.shape
        silent = not node.conclusive or isinstance(value, dict) not in _SEEN_INSIDE[shape.kind]
        self._outer.append(self._frame)
        self._frame = frame = OpenContainer(
            node, shape, path, value, len(self.issues), silent, None, None
        )
        if not silent:
            self._show(frame)
        if len(self._outer) == 1 or not node.conclusive or node.check is None:
            return False  # the root is judged by the final check alone
        return silent or node.checked_whole or shape.checked_whole

    def closes(self, value: dict[str, Any] | list[Any], text: str) -> None:
        """A container is complete."""
        if self._muted:
            self._muted -= 1
            return
        frame = self._frame
        self._frame = self._outer.pop()
        node = frame.node
        if not self._outer:
            self._end(frame)
        if not self._outer or not node.conclusive:
            return
        if text and node.check:
            try:
                result = node.check(text)
            except Exception as error:  # noqa: BLE001 - same
                result, _ = self._judge(node, value, frame.path, error)
        elif frame.shape.kind == "anything":
            result = value
        else:
            result = self._closed_list(frame) if frame.shape.kind == "array" else REFUSED
        if node.provisional:
            result = REFUSED
        if result is not REFUSED:
            settle(self._frame.slots, frame.path[-1], result, frame.view)
        elif frame.view is not None:
            frame.view._open = False  # noqa: SLF001 - a public name could be a field's

    def _child(self, key: str | int) -> Node:
        """The node of a place in the innermost container."""
        frame = self._frame
        shape = frame.shape
        child = shape.fields.get(key)
        if child is not None:
            return child
        if isinstance(key, int):
            if shape.max_length is not None and key >= shape.max_length:
                message = f"the array should have at most {shape.max_length} items"
                self._report(Issue(pointer(frame.path), "schema", "too_long", message))
            return shape.items or HIDDEN
        if shape.unlisted is None:
            where = pointer((*frame.path, key))
            message = MESSAGES["extra_forbidden"]
            self._report(Issue(where, "schema", shape.extra_code, message))
        return shape.unlisted or HIDDEN

    def _show(self, frame: OpenContainer) -> None:
        frame.slots = {} if isinstance(frame.raw, dict) else []
        frame.view = self._view(frame.shape, frame.slots)
        if frame.path:
            settle(self._outer[-1].slots, frame.path[-1], frame.view)
        else:
            self.view = frame.view

    def _view(self, shape: Shape, slots: Any) -> View:
        if isinstance(slots, list):
            return PartialList(slots, self._text)
        kind = PartialModel if shape.kind in {"model", "tagged", "whole"} else PartialDict
        return kind(shape, slots, self._text)

    def _choose(self, value: Any) -> None:
        """Take the choice that the tag tells, and catch up on what came before the tag."""
        frame = self._frame
        shape = frame.shape
        while shape.kind == "tagged":
            choice = None if isinstance(value, bool | None) else shape.choices.get(value)
            if choice is None:
                self._refuse_tag(frame, shape, value)
                return
            shape = choice.shape if choice.conclusive else HIDDEN.shape
            if shape.tag is not None and shape.tag in frame.raw:
                value = frame.raw[shape.tag]
            elif shape.tag is not None:
                break
        frame.shape = shape
        if True not in _SEEN_INSIDE[shape.kind]:
            return
        frame.silent = False
        self._show(frame)
        for key, one in frame.raw.items():
            self._catch_up(key, one)

    def _catch_up(self, key: str, value: Any) -> None:
        if isinstance(value, str):
            self.string(key, value)
        elif not isinstance(value, dict | list):
            self._frame.raw[key] = self.atom(key, value, json.dumps(value))
        elif (child := self._child(key)).conclusive:
            result = value
            if child.check:
                try:
                    result = child.check(json.dumps(value, ensure_ascii=False))
                except Exception as error:  # noqa: BLE001 - same
                    result = self._judge(child, value, (*self._frame.path, key), error)[0]
            if not child.provisional:
                settle(self._frame.slots, key, result)

    def _refuse_tag(self, frame: OpenContainer, shape: Shape, value: Any) -> None:
        """Report a tag that tells no choice, in the words of the union itself."""
        check = frame.node.check
        frame.shape = HIDDEN.shape
        if check is None or frame.node.shape is not shape:
            return
        try:
            check(json.dumps({shape.tag: value}))
        except Exception as error:  # noqa: BLE001 - same
            for detail in _details(error):
                if detail["type"] == "union_tag_invalid" and not detail["loc"]:
                    self._report(schema_issue({}, detail, frame.path))

    def _closed_list(self, frame: OpenContainer) -> Any:
        fewest, count = frame.shape.min_length, len(frame.raw)
        if count < fewest:
            message = f"the array should have at least {fewest} items"
            self._report(Issue(pointer(frame.path), "schema", "too_short", message))
        return frame.slots if len(self.issues) == frame.found else REFUSED

    def _end(self, root: OpenContainer) -> None:
        """Report what the root misses; all else about it is for the final check."""
        for key in () if root.silent else root.shape.required:
            if key not in root.raw:
                self._report(Issue(pointer((key,)), "schema", "missing", MESSAGES["missing"]))

    def _judge(self, node: Node, value: Any, path: Path, error: Exception) -> tuple[Any, Any]:
        """What to make of a value that a check refused.

        Returns:
            The typed value or `REFUSED`; and the value itself, in which integral floats are
            integers if they were refused as such.
        """
        details = _details(error)
        value, changed = with_integers(value, details)
        if changed and node.check:
            try:
                return node.check(json.dumps(value, ensure_ascii=False)), value
            except Exception as again:  # noqa: BLE001 - same
                details = _details(again)
        for detail in details:
            self._report(schema_issue(value, detail, path))
        return REFUSED, value

    def _report(self, issue: Issue) -> None:
        mark = (issue.pointer, issue.code)
        if mark not in self._known:
            self._known.add(mark)
            self.issues.append(issue)


_SEEN_INSIDE: dict[str, tuple[bool, ...]] = {
    "model": (True,),
    "record": (True,),
    "map": (True,),
    "array": (False,),
    "anything": (True, False),
    "tagged": (),
    "whole": (),
}
"""By kind: what may stand there, an object (True) or an array (False), to be seen inside."""


def _details(error: Exception) -> list[ErrorDetails]:
    """What was wrong. A validator that failed in another way leaves it to the final check."""
    return error.errors(include_url=False) if isinstance(error, ValidationError) else []

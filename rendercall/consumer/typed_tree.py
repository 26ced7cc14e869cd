"""Follows a reading with a plan: the typed value so far, and what is definitely wrong with it.

An issue found here is definite: whatever may still arrive, the final check refuses the
document too. It is found when its leaf closes, or the innermost object that decides it.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from rendercall.consumer.check import Check
from rendercall.consumer.deferred import Deferred, shown
from rendercall.consumer.open_container import OPEN, REFUSED, OpenContainer, put
from rendercall.consumer.plan import HIDDEN, Node, Plan, Shape
from rendercall.contract.args import Path, pointer
from rendercall.contract.pydantic_errors import MESSAGES, schema_issue, with_integers
from rendercall.errors import Issue

__all__ = ["TypedTree"]


class TypedTree:
    """The `Listener` that builds the typed value.

    Args:
        plan: of the schema.

    Attributes:
        issues: what is definitely wrong, in the order of discovery.
        root: the root, before and after it opened.
    """

    __slots__ = ("_inner", "_known", "_muted", "_outer", "_refused", "issues", "root")

    def __init__(self, plan: Plan[Any]) -> None:
        self.issues: list[Issue] = []
        self._known: set[tuple[str, str]] = set()
        self._refused = 0  # how often something did not fit, whether an issue tells why or not
        self.root = OpenContainer(plan.root, plan.root.shape, (), None, 0, None)
        top = Shape("array", items=plan.root)
        self._inner = OpenContainer(Node(top), top, (), None, 0, [])  # the innermost open one
        self._outer: list[OpenContainer] = []  # those around it
        self._muted = 0  # open containers inside a silent one, which are not kept

    def starts(self, key: str | int) -> bool:
        """A string begins and is cut here. May it be shown while it grows?"""
        inner = self._inner
        slots = inner.slots
        if slots is None or not (inner.shape.fields.get(key) or self._child(key)).grows:
            return False
        if type(slots) is dict:
            slots[key] = OPEN
        else:
            slots.append(OPEN)
        return True

    def string(self, key: str | int, value: str) -> None:
        """A string is complete."""
        inner = self._inner
        slots = inner.slots
        if slots is None:
            self._notice_tag(inner, key, value)
            return
        child = inner.shape.fields.get(key) or self._child(key)
        result: Any = value
        if not child.plain:
            if not child.conclusive or child.check is None:
                return
            try:
                result = child.check.text(value)
            except Exception as error:  # noqa: BLE001 - validators are anybody's code
                result, _ = self._judge(child, value, (*inner.path, key), error)
            if child.provisional:
                return
        if type(slots) is dict and result is not REFUSED:
            slots[key] = result
        else:
            put(slots, key, result)

    def atom(self, key: str | int, value: Any, literal: str) -> Any:
        """A number or literal is complete; returns the value to keep."""
        inner = self._inner
        if inner.slots is None:
            self._notice_tag(inner, key, value)
            return value
        child = inner.shape.fields.get(key) or self._child(key)
        if not child.conclusive:
            return value
        result = value
        if child.check:
            try:
                result = child.check.json(literal)
            except Exception as error:  # noqa: BLE001 - same
                result, value = self._judge(child, value, (*inner.path, key), error)
        if not child.provisional:
            put(inner.slots, key, result)
        return value

    def opens(self, key: str | int, path: Path, value: dict[str, Any] | list[Any]) -> bool:
        """A container opens. Is its text wanted when it closes?"""
        outer = self._inner
        if outer.slots is None:
            self._muted += 1
            return False
        node = outer.shape.fields.get(key) or self._child(key)
        shape = node.shape
        silent = not node.conclusive or type(value) not in _SEEN_INSIDE[shape.kind]
        slots = None if silent else type(value)()
        if path:
            inner = OpenContainer(node, shape, path, value, self._refused, slots)
        else:
            inner = self.root
            inner.raw, inner.slots = value, slots
        self._outer.append(outer)
        self._inner = inner
        if not silent:
            if type(outer.slots) is dict:
                outer.slots[key] = inner
            elif not node.provisional:  # no item takes the place of one that is not there yet
                outer.slots.append(inner)
        if not path or not node.conclusive or node.check is None:
            return False  # the root is judged by the final check alone
        return silent or (not node.made_of_parts and (node.checked_whole or shape.checked_whole))

    def closes(self, value: dict[str, Any] | list[Any], text: str) -> None:
        """A container is complete."""
        if self._muted:
            self._muted -= 1
            return
        closed = self._inner
        self._inner = self._outer.pop()
        node = closed.node
        if not closed.path:
            self._end(closed)
            return
        if not node.conclusive:
            return
        result: Any = REFUSED
        if text and node.check:
            try:
                result = node.check.json(text)
            except Exception as error:  # noqa: BLE001 - same
                result, _ = self._judge(node, value, closed.path, error)
        elif closed.slots is not None and node.made_of_parts and node.check:
            result = self._closed_object(closed, node.check)
        elif closed.slots is not None and closed.shape.kind == "anything":
            result = value
        elif closed.slots is not None and closed.shape.kind == "array":
            result = self._closed_list(closed)
        if result is REFUSED or node.provisional:
            closed.is_open = False
        else:
            put(self._inner.slots, closed.path[-1], result, closed)

    def _child(self, key: str | int) -> Node:
        """The node of a place that the innermost container's shape does not list."""
        inner = self._inner
        shape = inner.shape
        if key in shape.fields:
            return shape.fields[key]
        if isinstance(key, int):
            if shape.max_length is not None and key >= shape.max_length:
                message = f"the array should have at most {shape.max_length} items"
                self._report(Issue(pointer(inner.path), "schema", "too_long", message))
            return shape.items or HIDDEN
        if shape.unlisted is None:
            where = pointer((*inner.path, key))
            message = MESSAGES["extra_forbidden"]
            self._report(Issue(where, "schema", shape.extra_code, message))
        return shape.unlisted or HIDDEN

    def _notice_tag(self, inner: OpenContainer, key: str | int, value: Any) -> None:
        if inner.shape.tag == key and not self._muted:
            self._choose(inner, value)

    def _choose(self, inner: OpenContainer, value: Any) -> None:
        """Take the choice that the tag tells, and catch up on what came before the tag."""
        shape = inner.shape
        while shape.tag is not None:
            choice = None if isinstance(value, bool | None) else shape.choices.get(value)
            if choice is None:
                self._refuse_tag(inner, shape, value)
                return
            shape = choice.shape if choice.conclusive else HIDDEN.shape
            if shape.tag is None or shape.tag not in inner.raw:
                break
            value = inner.raw[shape.tag]
        inner.shape = shape
        if dict not in _SEEN_INSIDE[shape.kind]:
            return
        inner.slots = {}
        if inner.path:
            put(self._outer[-1].slots, inner.path[-1], inner)
        for key, one in inner.raw.items():
            self._catch_up(inner, key, one)

    def _catch_up(self, inner: OpenContainer, key: str, value: Any) -> None:
        if isinstance(value, str):
            self.string(key, value)
        elif not isinstance(value, dict | list):
            inner.raw[key] = self.atom(key, value, json.dumps(value))
        elif (child := self._child(key)).conclusive:
            result = value
            if child.check:
                try:
                    result = child.check.data(value)
                except Exception as error:  # noqa: BLE001 - same
                    result, _ = self._judge(child, value, (*inner.path, key), error)
            if not child.provisional:
                put(inner.slots, key, result)

    def _refuse_tag(self, inner: OpenContainer, shape: Shape, value: Any) -> None:
        """Report a tag that tells no choice, in the words of the union itself."""
        check = inner.node.check
        inner.shape = HIDDEN.shape
        if check is None or inner.node.shape is not shape:
            return
        try:
            check.data({shape.tag: value})
        except Exception as error:  # noqa: BLE001 - same
            for detail in _details(error):
                if detail["type"] == "union_tag_invalid" and not detail["loc"]:
                    self._report(schema_issue({}, detail, inner.path))

    def _closed_list(self, closed: OpenContainer) -> Any:
        fewest = closed.shape.min_length
        if len(closed.raw) < fewest:
            message = f"the array should have at least {fewest} items"
            self._report(Issue(pointer(closed.path), "schema", "too_short", message))
        fits = self._refused == closed.refused
        return Deferred(closed.slots, _as_items) if fits else REFUSED

    def _closed_object(self, closed: OpenContainer, check: Check) -> Any:
        self._report_missing(closed)
        fits = self._refused == closed.refused
        return Deferred(closed.raw, check.data) if fits else REFUSED

    def _end(self, root: OpenContainer) -> None:
        """Report what the root misses; all else about it is for the final check."""
        root.is_open = False
        if root.slots is not None:
            self._report_missing(root)

    def _report_missing(self, closed: OpenContainer) -> None:
        for key in closed.shape.required:
            if key not in closed.raw:
                where = pointer((*closed.path, key))
                self._report(Issue(where, "schema", "missing", MESSAGES["missing"]))

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
                return node.check.data(value), value
            except Exception as again:  # noqa: BLE001 - same
                details = _details(again)
        for detail in details:
            self._report(schema_issue(value, detail, path))
        self._refused += 1
        return REFUSED, value

    def _report(self, issue: Issue) -> None:
        self._refused += 1
        mark = (issue.pointer, issue.code)
        if mark not in self._known:
            self._known.add(mark)
            self.issues.append(issue)


_SEEN_INSIDE: dict[str, tuple[type, ...]] = {
    "model": (dict,),
    "record": (dict,),
    "map": (dict,),
    "array": (list,),
    "anything": (dict, list),
    "tagged": (),
    "whole": (),
}
"""By kind: what may stand there to be seen inside."""


def _as_items(slots: list[Any]) -> list[Any]:
    return [shown(one) for one in slots]


def _details(error: Exception) -> list[ErrorDetails]:
    """What was wrong. A validator that failed in another way leaves it to the final check."""
    return error.errors(include_url=False) if isinstance(error, ValidationError) else []

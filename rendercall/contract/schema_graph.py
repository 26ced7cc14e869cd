"""A schema's references followed: where they lead, how deep values nest, what a place costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from rendercall.contract.schema_document import refused
from rendercall.contract.schema_limits import SchemaLimits
from rendercall.contract.schema_walk import Edge, Subschema, step
from rendercall.errors import Issue

__all__ = ["SchemaGraph"]


@dataclass(frozen=True, slots=True)
class SchemaGraph:
    """The subschemas of a schema, by their pointers, with the references between them.

    Attributes:
        beside: from each, those that judge the same value, references included.
        inside: from each, those that judge members or items of the value.
        issues: references that lead nowhere, or out of the schema.
    """

    beside: Mapping[str, Sequence[str]]
    inside: Mapping[str, Sequence[Edge]]
    issues: tuple[Issue, ...]

    @classmethod
    def of(cls, parts: Sequence[Subschema]) -> SchemaGraph:
        """Follow the references of a schema.

        Args:
            parts: all its subschemas.
        """
        known = {part.pointer: part.schema for part in parts}
        anchors = {f"#{name}": pointer for pointer, name in _anchors(known)}
        beside: dict[str, list[str]] = {}
        inside: dict[str, list[Edge]] = {}
        issues: list[Issue] = []
        for part in parts:
            pointer, edges = part.pointer, [edge for edge in part.edges if edge.pointer in known]
            beside[pointer] = [edge.pointer for edge in edges if edge.hold == "beside"]
            inside[pointer] = [edge for edge in edges if edge.hold in {"member", "item"}]
            reference = part.schema.get("$ref") if isinstance(part.schema, dict) else None
            if isinstance(reference, str):
                target = anchors.get(reference, unquote(reference[1:]))
                if reference.startswith("#") and target in known:
                    beside[pointer].append(target)
                else:
                    issues.append(_dangling(step(pointer, "$ref"), reference))
        return cls(beside, inside, tuple(issues))

    def issues_within(self, limits: SchemaLimits) -> Iterator[Issue]:
        """What following the references brings to light."""
        yield from self.issues
        order, endless = _order(self.beside)
        if endless:
            for pointer in endless:
                message = "refers to itself without going down into the value: it never ends"
                yield refused(pointer, "endless_reference", message)
            return
        down, loops = _order(self._every())
        if loops and not limits.recursive:
            message = f"{limits.name} schemas may not contain themselves"
            yield refused(loops[0], "recursive", message)
        elif not loops and (depth := self._depth(down)) > limits.max_depth:
            message = f"describes values that nest {depth} deep; {limits.name} schemas may describe"
            yield refused("", "value_too_deep", f"{message} {limits.max_depth}")
            return
        yield from self._cost_issues(order, limits)

    @property
    def is_recursive(self) -> bool:
        """Whether the schema contains itself, so that its values may nest without end."""
        return bool(_order(self._every())[1])

    def _every(self) -> dict[str, list[str]]:
        inside = {one: [edge.pointer for edge in edges] for one, edges in self.inside.items()}
        return {one: [*beside, *inside[one]] for one, beside in self.beside.items()}

    def _depth(self, down: Sequence[str]) -> int:
        """How deep the objects and arrays of a value nest, as far as the schema describes them."""
        depth: dict[str, int] = {}
        for one in down:
            beside = [depth[other] for other in self.beside[one]]
            inside = [1 + depth[edge.pointer] for edge in self.inside[one]]
            depth[one] = max([0, *beside, *inside])
        return depth[""]

    def _cost_issues(self, order: Sequence[str], limits: SchemaLimits) -> Iterator[Issue]:
        """Multiply all branches out, down to the depth that values may have.

        How often a validator looks at one place of a value grows with every level where two
        branches describe the same member; what repeats itself multiplies without end.
        """
        costs = dict.fromkeys(order, 0)
        for _ in range(limits.max_depth + 1):
            deeper: dict[str, int] = {}
            for one in order:
                cost = 1 + sum(deeper[other] for other in self.beside[one])
                deeper[one] = cost + _descent(self.inside[one], costs)
                if deeper[one] > limits.max_expansion:
                    message = f"one place of a value would be looked at over {limits.max_expansion}"
                    yield refused(one, "expansion_too_large", f"{message} times")
                    return
            if deeper == costs:
                return
            costs = deeper


def _descent(edges: Sequence[Edge], costs: Mapping[str, int]) -> int:
    """The most that any one member or item costs."""
    listed: dict[str, int] = {"properties": 0, "prefixItems": 0}
    every = {"member": 0, "item": 0}
    for edge in edges:
        cost = costs[edge.pointer]
        if edge.keyword in listed:
            listed[edge.keyword] = max(listed[edge.keyword], cost)
        else:
            every[edge.hold] += cost
    return max(listed["properties"] + every["member"], listed["prefixItems"] + every["item"])


def _anchors(known: Mapping[str, Mapping[str, Any] | bool]) -> Iterator[tuple[str, str]]:
    for pointer, schema in known.items():
        name = None if isinstance(schema, bool) else schema.get("$anchor")
        if isinstance(name, str):
            yield pointer, name


def _dangling(pointer: str, reference: str) -> Issue:
    if not reference.startswith("#"):
        message = "leads out of the schema: remote references are never fetched; use #/$defs/..."
        return refused(pointer, "remote_reference", message)
    return refused(pointer, "unresolved_reference", "there is no subschema where this points")


def _order(edges: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Every node after those that it leads to; and the nodes that lead back to themselves."""
    order: list[str] = []
    loops: list[str] = []
    state: dict[str, bool] = {}  # False: on the way down; True: done
    for start in edges:
        way: list[tuple[str, Iterator[str]]] = []
        if start not in state:
            state[start] = False
            way.append((start, iter(edges[start])))
        while way:
            node, rest = way[-1]
            following = next(rest, None)
            if following is None:
                state[node] = True
                order.append(node)
                way.pop()
            elif following not in state:
                state[following] = False
                way.append((following, iter(edges[following])))
            elif not state[following]:
                loops.append(following)
    return order, loops

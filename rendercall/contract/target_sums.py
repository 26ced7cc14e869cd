"""What a whole schema adds up to, by a target's limits: depth, counts, recursion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rendercall.contract.schema_document import refused
from rendercall.contract.schema_walk import Edge, Subschema, step
from rendercall.contract.targets import TargetRules
from rendercall.errors import Issue

__all__ = ["SchemaParts", "sum_issues"]


class SchemaParts:
    """The subschemas of a schema by their pointers, references followed.

    Args:
        parts: all of them.
    """

    def __init__(self, parts: Sequence[Subschema]) -> None:
        self.all = {part.pointer: part for part in parts}

    def target(self, pointer: str) -> str | None:
        """Where the `$ref` at a place leads; None without one, or where it leads nowhere."""
        schema = self.all[pointer].schema
        reference = schema.get("$ref") if isinstance(schema, Mapping) else None
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        return reference[1:] if reference[1:] in self.all else None

    def below(self, pointer: str) -> Iterator[tuple[str, Edge | None]]:
        """The places that describe the same value or what is in it; None for a reference."""
        for edge in self.all[pointer].edges:
            if edge.hold != "apart" and edge.pointer in self.all:
                yield edge.pointer, edge
        target = self.target(pointer)
        if target is not None:
            yield target, None

    def loops(self, *, required_only: bool = False) -> list[str]:
        """The references that lead back to a place around them.

        Args:
            required_only: whether only ways count on which no key may be left out.
        """
        found: list[str] = []
        done: set[str] = set()
        for start in self.all:
            way: list[tuple[str, Iterator[str]]] = []
            if start not in done:
                way.append((start, self._ways(start, required_only)))
            while way:
                pointer, rest = way[-1]
                following = next(rest, None)
                if following is None:
                    done.add(pointer)
                    way.pop()
                elif any(following == one for one, _ in way):
                    found.append(pointer)
                elif following not in done:
                    way.append((following, self._ways(following, required_only)))
        return list(dict.fromkeys(found))

    def _ways(self, pointer: str, required_only: bool) -> Iterator[str]:
        schema = self.all[pointer].schema
        required = schema.get("required", ()) if isinstance(schema, Mapping) else ()
        for place, edge in self.below(pointer):
            optional = (
                edge is not None and edge.keyword == "properties" and edge.name not in required
            )
            if not (required_only and optional):
                yield place


def sum_issues(
    schema: Mapping[str, Any], parts: Sequence[Subschema], rules: TargetRules
) -> Iterator[Issue]:
    """Judge a schema as a whole.

    Args:
        schema: the schema.
        parts: its subschemas.
        rules: the target's.
    """
    whole = SchemaParts(parts)
    if rules.max_depth is not None:
        yield from _depth_issues(whole, rules.max_depth)
    if rules.recursion != "yes":
        for pointer in whole.loops(required_only=rules.recursion == "optional"):
            where = "within optional keys only" if rules.recursion == "optional" else "not at all"
            message = f"the schema contains itself: {rules.name} takes that {where}"
            yield refused(pointer, "recursive", message)
    yield from _count_issues(schema, parts, rules)


def _depth_issues(whole: SchemaParts, limit: int) -> Iterator[Issue]:
    """The first place that nests too deep; a schema that contains itself is walked once."""
    looping = set(whole.loops())
    deepest: dict[str, int] = {}
    waiting = [("", 0)]
    while waiting:
        pointer, around = waiting.pop()
        if deepest.get(pointer, -1) >= around:
            continue
        deepest[pointer] = around
        level = around + _is_container(whole.all[pointer].schema)
        if level > limit:
            message = f"objects and arrays nest deeper than {limit}"
            yield refused(pointer, "too_deep", message)
            return
        below = [place for place, edge in whole.below(pointer) if edge or pointer not in looping]
        waiting += [(place, level) for place in reversed(below)]


def _is_container(schema: Mapping[str, Any] | bool) -> bool:
    if isinstance(schema, bool):
        return False
    named = schema.get("type", ())
    kinds = {named} if isinstance(named, str) else set(named)
    return bool(kinds & {"object", "array"}) or "properties" in schema or "items" in schema


def _count_issues(
    schema: Mapping[str, Any], parts: Sequence[Subschema], rules: TargetRules
) -> Iterator[Issue]:
    names: list[str] = list(schema.get("$defs", ()))
    counts = {"properties": 0, "enum": 0, "optional": 0, "unions": 0}
    for part in parts:
        one = part.schema
        if isinstance(one, bool):
            continue
        properties = one.get("properties", {})
        listed = one.get("enum", [])
        texts = [value for value in [*listed, one.get("const")] if isinstance(value, str)]
        names += [*properties, *texts]
        counts["properties"] += len(properties)
        counts["enum"] += len(listed)
        counts["optional"] += sum(key not in one.get("required", ()) for key in properties)
        counts["unions"] += "anyOf" in one or isinstance(one.get("type"), list)
        if rules.long_enum and len(listed) > rules.long_enum[0]:
            size = sum(map(len, texts))
            if size > rules.long_enum[1]:
                message = f"{size} characters in one enum; allowed: {rules.long_enum[1]}"
                yield refused(step(part.pointer, "enum"), "enum_too_long", message)
    table = [
        (counts["properties"], rules.max_properties, "too_many_properties", "properties"),
        (counts["enum"], rules.max_enum, "too_many_enum_values", "enum values"),
        (counts["optional"], rules.max_optional, "too_many_optional", "optional properties"),
        (counts["unions"], rules.max_unions, "too_many_unions", "places with a union of types"),
        (sum(map(len, names)), rules.max_names, "names_too_long", "characters of names and values"),
    ]
    for count, limit, code, what in table:
        if limit is not None and count > limit:
            yield refused("", code, f"{count} {what}; {rules.name} takes {limit}")

"""The first guard: a JSON Schema is checked before anything validates by it.

A schema may come from anybody. What it says decides what a validator does: it may nest
without end, branch until nothing ends, hide a regular expression that backtracks for hours,
or send the validator to fetch a file. So it is looked at first, iteratively and within
limits, and only then by its metaschema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

import jsonschema_rs

from rendercall.contract.args import pointer
from rendercall.contract.schema_document import document_issues, refused
from rendercall.contract.schema_graph import SchemaGraph
from rendercall.contract.schema_limits import DIALECTS, OWN, SchemaLimits
from rendercall.contract.schema_rules import TOO_MUCH, rule_issues
from rendercall.contract.schema_walk import Subschema, subschemas
from rendercall.errors import Issue, SchemaRefused

__all__ = ["guard_schema", "schema_issues"]

_DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def guard_schema(schema: dict[str, Any], limits: SchemaLimits = OWN) -> SchemaGraph:
    """Let a schema pass, or say everything that is wrong with it.

    Args:
        schema: a JSON Schema, from anybody.
        limits: what it may cost and ask for.

    Returns:
        Its subschemas and references.

    Raises:
        SchemaRefused: with every finding, each with a JSON Pointer into the schema.
    """
    issues = schema_issues(schema, limits)
    if issues:
        listed = "; ".join(f"{issue} [{issue.code}]" for issue in issues)
        raise SchemaRefused(f"not a usable JSON Schema ({limits.name} limits): {listed}", issues)
    return SchemaGraph.of(list(subschemas(schema, limits.max_nesting)))


def schema_issues(schema: object, limits: SchemaLimits = OWN) -> tuple[Issue, ...]:
    """Everything that is wrong with a schema.

    Args:
        schema: anything.
        limits: what it may cost and ask for.

    Returns:
        At most `limits.max_findings` findings, of the layer `schema`; none where it is fine.
        It never raises, recurses or fetches, and what it costs is bounded by `limits`.
    """
    found = tuple(islice(document_issues(schema, limits), limits.max_findings))
    if found or not isinstance(schema, dict):
        return found
    return tuple(islice(_issues(schema, limits), limits.max_findings))


def _issues(schema: Mapping[str, Any], limits: SchemaLimits) -> Iterator[Issue]:
    parts: list[Subschema] = []
    walk = islice(subschemas(schema, limits.max_nesting), limits.max_nodes + 1)
    one_by_one = list(rule_issues(_kept(walk, parts), limits))
    yield from one_by_one
    if TOO_MUCH.isdisjoint(issue.code for issue in one_by_one):
        yield from SchemaGraph.of(parts).issues_within(limits)
        yield from _form_issues(schema)


def _kept(walk: Iterator[Subschema], parts: list[Subschema]) -> Iterator[Subschema]:
    for part in walk:
        parts.append(part)
        yield part


def _form_issues(schema: Mapping[str, Any]) -> Iterator[Issue]:
    """What the metaschema says."""
    dialect = schema.get("$schema", _DEFAULT_DIALECT)
    name = dialect.removesuffix("#") if isinstance(dialect, str) else ""
    if name in DIALECTS:
        for error in _metaschema(name).iter_errors(schema):
            yield refused(pointer(tuple(error.instance_path)), "not_a_schema", error.message)


@cache
def _metaschema(dialect: str) -> Any:
    whole = dialect if "2020" in dialect or "2019" in dialect else f"{dialect}#"
    return jsonschema_rs.validator_for({"$schema": whole, "$ref": whole}, mask="this")

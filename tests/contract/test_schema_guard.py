from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rendercall import RenderTool
from rendercall.contract import schema_document, schema_walk
from rendercall.contract.schema_guard import guard_schema, schema_issues
from rendercall.contract.schema_limits import GUEST, OWN, SchemaLimits
from rendercall.errors import SchemaRefused, ToolDefinitionError
from schemas.learning_plan import LearningPlan
from tests.contract.hostile_schemas import FETCH, ROWS, nested, props


class Loopback(http.server.ThreadingHTTPServer):
    """Counts who comes."""

    hits = 0


@pytest.fixture(scope="module")
def loopback() -> Iterator[Loopback]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.hits += 1

    with Loopback(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def aimed(schema: Any, port: int) -> Any:
    """The schema with the loopback server's port in its addresses."""
    try:
        text = json.dumps(schema)
    except (TypeError, ValueError, RecursionError):
        return schema
    if FETCH not in text or '"\\ud' in text:
        return schema
    return json.loads(text.replace(FETCH, FETCH.format(port=port)))


@pytest.mark.parametrize(("row", "limits"), ROWS.values(), ids=ROWS)
def test_hostile_schemas_are_refused(
    row: tuple[Any, str, str], limits: SchemaLimits, loopback: Loopback
) -> None:
    """Each with the finding that says why and where; nobody is called for it."""
    schema, code, where = row
    schema = aimed(schema, loopback.server_port)
    issues = schema_issues(schema, limits)
    assert (code, where) in [(issue.code, issue.pointer) for issue in issues]
    assert {issue.layer for issue in issues} == {"schema"}
    with pytest.raises(SchemaRefused) as caught:
        RenderTool.from_json_schema("x", "", schema, limits=limits)
    assert caught.value.issues == issues
    with pytest.raises(SchemaRefused):
        RenderTool.from_json_schema("x", "", schema, limits=limits, envelope=True)
    assert loopback.hits == 0


STEPS = 30_000


@pytest.mark.parametrize(("row", "limits"), ROWS.values(), ids=ROWS)
def test_a_refusal_is_cheap(
    row: tuple[Any, str, str], limits: SchemaLimits, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work is bounded by the limits, whatever the schema multiplies out to."""
    steps = 0
    real = schema_walk.step

    def counted(pointer: str, *keys: str | int) -> str:
        nonlocal steps
        steps += 1
        return real(pointer, *keys)

    monkeypatch.setattr(schema_walk, "step", counted)
    monkeypatch.setattr(schema_document, "step", counted)
    schema_issues(row[0], limits)
    assert steps <= STEPS


def test_a_refusal_lists_everything() -> None:
    """One error for all findings, each with its place and rule, in its message too."""
    schema = props(
        a={"$ref": "https://example.com/x"},
        b={"description": "x" * 201, "pattern": "(?=a)"},
        c={"format": "fancy", "minLength": -1},
    )
    with pytest.raises(SchemaRefused, match=r"guest limits") as caught:
        guard_schema(schema, GUEST)
    found = {(issue.code, issue.pointer) for issue in caught.value.issues}
    assert found == {
        ("remote_reference", "/properties/a/$ref"),
        ("description_too_long", "/properties/b/description"),
        ("pattern_not_linear", "/properties/b/pattern"),
        ("unknown_format", "/properties/c/format"),
        ("not_a_schema", "/properties/c/minLength"),
    }
    assert isinstance(caught.value, ToolDefinitionError)
    assert all(code in str(caught.value) and where in str(caught.value) for code, where in found)


def test_the_list_of_findings_has_an_end() -> None:
    """A schema of nothing but faults does not make an endless message."""
    limits = replace(GUEST, max_findings=7)
    schema = props(**{f"p{number}": {"format": "fancy"} for number in range(50)})
    assert len(schema_issues(schema, limits)) == 7


FINE: dict[str, Any] = {
    "the app's own": LearningPlan.model_json_schema(),
    "true and false": props(a=True, b=False),
    "five deep": nested(5, "items"),
    "a property named like a word": props(enum={"type": "string"}, items={}, properties={}, pattern={}),
    "data that looks like a reference": props(a={"enum": [{"$ref": "https://example.com"}]}),
    "examples": props(a={"examples": [{"$ref": "https://example.com"}], "default": {"$id": "x"}}),
    "unknown words": {"type": "object", "x-order": {"$ref": "https://example.com"}},
    "a root id": {"$id": "https://example.com/plan", **props(a={"$ref": "#/$defs/a"}), "$defs": {"a": {}}},
    "a name": {**props(a={"$ref": "#a"}), "$defs": {"a": {"$anchor": "a"}}},
    "escaped pointer": {**props(a={"$ref": "#/$defs/a~1b%25"}), "$defs": {"a/b%": {}}},
    "draft 7": {"$schema": "http://json-schema.org/draft-07/schema#", **props(a={"$ref": "#/definitions/a"}), "definitions": {"a": {}}},
    "draft 2019-09": {"$schema": "https://json-schema.org/draft/2019-09/schema", **props(a={"items": [{}]})},
    "50 properties": props(**{f"p{number}": {} for number in range(50)}),
    "a linear pattern": props(a={"pattern": "^(a+)+$"}, b={"pattern": r"^\p{L}+$"}),
    "every format": props(**{name: {"format": name} for name in sorted(GUEST.formats or ())}),
    "a wide union": {"type": "object", "anyOf": [props(kind={"const": str(n)}) for n in range(25)]},
}  # fmt: skip


@pytest.mark.parametrize("schema", FINE.values(), ids=FINE)
@pytest.mark.parametrize("limits", [GUEST, OWN], ids=["guest", "own"])
def test_what_is_meant_well_passes(schema: dict[str, Any], limits: SchemaLimits) -> None:
    """Only schema positions count: data in a schema is data. A validator can be made of it."""
    assert schema_issues(schema, limits) == ()
    RenderTool.from_json_schema("x", "", schema, limits=limits, envelope=True)


def test_ones_own_schemas_may_do_more() -> None:
    """Trees, formats that are names only, long descriptions: wider, not without end."""
    tree = {
        "type": "object",
        "description": "x" * 4_000,
        "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}, "n": {"format": "int32"}},
    }
    assert schema_issues(tree) == ()
    assert {issue.code for issue in schema_issues(tree, GUEST)} == {
        "description_too_long",
        "recursive",
        "unknown_format",
    }


def test_values_of_a_recursive_schema_nest_no_deeper_than_was_reckoned() -> None:
    """What the guard multiplied out is what the validator may be given."""
    tree = {"type": "object", "properties": {"a": {"$ref": "#"}}}
    tool = RenderTool.from_json_schema("x", "", tree)
    assert tool.bounds.max_depth == OWN.max_depth
    assert tool.validate('{"a":' * 17 + "{}" + "}" * 17).issues[0].code == "too_deep"
    assert tool.validate('{"a":' * 15 + "{}" + "}" * 15).state == "complete"


def test_a_host_sets_its_own_limits() -> None:
    """Presets are values: another one is made of them."""
    limits = replace(GUEST, name="partner", max_properties=60, closed=True)
    schema = props(**{f"p{number}": {} for number in range(60)})
    assert [issue.code for issue in schema_issues(schema, limits)] == ["open_object"]
    assert schema_issues({**schema, "additionalProperties": False}, limits) == ()


def test_the_schema_is_not_changed() -> None:
    """What was handed in belongs to the host, enveloped or not."""
    schema = props(a={"$ref": "#/$defs/a"}) | {"$defs": {"a": {"type": "string"}}}
    before = json.dumps(schema)
    RenderTool.from_json_schema("x", "", schema, envelope=True)
    assert json.dumps(schema) == before


words = st.sampled_from(
    [
        *("type", "$ref", "items", "properties", "anyOf", "allOf", "not", "$defs", "enum"),
        *("pattern", "minimum", "required", "description", "$id", "$schema", "prefixItems"),
        *("if", "dependencies"),
    ]
)
junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["#", "#/$defs/a", "object", "string", "(", "a+", "http://127.0.0.1:9/"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(words | st.just("a"), inner, max_size=4)
    ),
    max_leaves=25,
)


@given(junk)
@settings(max_examples=300)
def test_nothing_makes_the_guard_raise(schema: Any) -> None:
    """Whatever is called a schema gets findings, or passes and makes a validator."""
    for limits in (GUEST, OWN):
        issues = schema_issues(schema, limits)
        if not issues:
            RenderTool.from_json_schema("x", "", schema, limits=limits, envelope=True)


def test_the_metaschema_comes_with_the_validator() -> None:
    """No dialect that is let through has to be fetched."""
    for dialect in GUEST.dialects:
        assert jsonschema_rs.meta.is_valid({"$schema": dialect, "type": "object"})

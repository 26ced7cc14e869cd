from __future__ import annotations

from typing import Any

import pytest

from rendercall.consumer.reader import Reader
from rendercall.consumer.schema_plan import plan_of_schema
from rendercall.contract.bounds import Bounds

TEXT = {"type": "string"}
DATE = {"type": "string", "format": "date"}


def shown(schema: dict[str, Any], text: str) -> Any:
    reader = Reader(plan_of_schema(schema), Bounds())
    reader.feed(text)
    return reader.document()


def with_a(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}, "$defs": {"date": DATE, "text": TEXT}}


SHOWN = {
    "text": TEXT,
    "text of some length": {"type": "string", "minLength": 3},
    "no type": {"description": "whatever"},
    "true": True,
    "optional text": {"anyOf": [TEXT, {"type": "null"}]},
    "text or an enum of numbers": {"anyOf": [TEXT, {"type": "integer", "enum": [1]}]},
    "reference": {"$ref": "#/$defs/text"},
    "reference to nowhere": {"$ref": "#/$defs/none"},
    "reference to itself": {"$ref": "#/properties/a"},
    "several types": {"type": ["string", "null"]},
}
WITHHELD = {
    "date": DATE,
    "enum": {"enum": ["text"]},
    "constant": {"const": "text"},
    "pattern": {"type": "string", "pattern": "^t"},
    "branch": {"anyOf": [TEXT, DATE]},
    "all of": {"allOf": [TEXT, {"pattern": "t"}]},
    "reference": {"$ref": "#/$defs/date"},
    "condition": {"if": TEXT, "then": {"format": "email"}},
}


@pytest.mark.parametrize("schema", SHOWN.values(), ids=SHOWN.keys())
def test_unrestricted_text_is_shown_while_it_grows(schema: Any) -> None:
    """Nothing but a length restricts it, so its beginning is true."""
    assert shown(with_a(schema), '{"a":"te') == {"a": "te"}


@pytest.mark.parametrize("schema", WITHHELD.values(), ids=WITHHELD.keys())
def test_restricted_text_waits_for_its_end(schema: Any) -> None:
    """A cut value would be none of the schema's."""
    assert shown(with_a(schema), '{"a":"te') == {}
    assert shown(with_a(schema), '{"a":"te"') == {"a": "te"}


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        ({"items": DATE}, '{"a":["x","te', {"a": ["x"]}),
        ({"items": TEXT}, '{"a":["x","te', {"a": ["x", "te"]}),
        ({"prefixItems": [TEXT, DATE]}, '{"a":["te', {"a": []}),
        ({"additionalProperties": DATE}, '{"a":{"k":"te', {"a": {}}),
        ({"patternProperties": {"^k": DATE}}, '{"a":{"k":"te', {"a": {}}),
        ({"properties": {"b": TEXT}}, '{"a":{"c":"te', {"a": {"c": "te"}}),
        ({"oneOf": [{"properties": {"b": DATE}}, {}]}, '{"a":{"b":"te', {"a": {}}),
        ({"$ref": "#"}, '{"a":{"a":{"a":"te', {"a": {"a": {"a": "te"}}}),
    ],
    ids=["items", "plain items", "tuple", "rest", "pattern", "unknown", "branch", "recursive"],
)
def test_places_below_are_found(schema: Any, text: str, expected: Any) -> None:
    """Members, items, branches and recursive references lead to their schemas."""
    assert shown(with_a(schema), text) == expected


def test_nothing_is_checked_early() -> None:
    """What breaks the schema is for the final check; syntax and bounds are known at once."""
    reader = Reader(plan_of_schema(with_a({"type": "integer"})), Bounds())
    reader.feed('{"a":"text",')
    assert not reader.errors
    reader.feed('"a"')
    assert [issue.code for issue in reader.errors] == ["duplicate_key"]

from __future__ import annotations

from typing import Any

import pytest

from rendercall.consumer.schema_plan import plan_of_schema
from rendercall.contract.references import References
from rendercall.contract.schema_places import SchemaPlaces
from rendercall.errors import SchemaRefused

LEVEL: dict[str, Any] = {"$anchor": "level", "type": "string", "enum": ["a", "b"]}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "$defs": {"level": LEVEL, "a/b~c d": {"type": "integer"}},
    "anyOf": [{"type": "object"}, LEVEL],
}


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        pytest.param("#", SCHEMA, id="the whole"),
        pytest.param("#/$defs/level", LEVEL, id="a definition"),
        pytest.param("#level", LEVEL, id="an anchor"),
        pytest.param("#/anyOf/1", LEVEL, id="an item"),
        pytest.param("#/$defs/a~1b~0c%20d", {"type": "integer"}, id="an escaped name"),
        pytest.param("#/anyOf/2", None, id="no such item"),
        pytest.param("#/anyOf/x", None, id="no index"),
        pytest.param("#nothing", None, id="no such anchor"),
        pytest.param("#/$defs/nothing", None, id="no such name"),
        pytest.param("/$defs/level", None, id="another document"),
    ],
)
def test_where_a_reference_leads(reference: str, found: Any) -> None:
    """Pointers, escaped or not, and anchors; nowhere is None, or refused where a schema must be."""
    assert References(SCHEMA).found(reference) == found


def test_a_reference_that_leads_nowhere_is_refused() -> None:
    """With the place that was looked for."""
    with pytest.raises(SchemaRefused) as refused:
        References(SCHEMA).target("/$defs/nothing")
    assert refused.value.issues[0].pointer == "/$defs/nothing"


def test_every_reader_follows_an_anchor() -> None:
    """Its enum counts: the kinds are known, and an open string of it is not shown."""
    schema = {"type": "object", "$defs": {"l": LEVEL}, "properties": {"x": {"$ref": "#level"}}}
    places = SchemaPlaces(schema)
    assert places.inside(places.root, "x").kinds == {"string"}
    assert not plan_of_schema(schema).root.shape.fields["x"].grows

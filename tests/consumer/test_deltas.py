from __future__ import annotations

import json

import jsonpatch
import pytest
from hypothesis import given, settings

from rendercall.consumer.deltas import apply, to_json_patch
from rendercall.consumer.plan import ANYTHING, Plan
from rendercall.consumer.reader import Reader
from tests.consumer.documents import ROOMY, cut_anyhow, same


def check_patches(pieces: list[str]) -> None:
    reader = Reader(Plan(ANYTHING), ROOMY)
    patched = None
    for piece in pieces:
        patch = to_json_patch(reader.feed(piece), reader.document())
        patched = jsonpatch.apply_patch(patched, json.loads(json.dumps(patch)))
        assert same(patched, reader.document())


@given(cut_anyhow())
@settings(max_examples=80)
def test_json_patches_rebuild_the_value(pieces: list[str]) -> None:
    """After every fragment, the JSON Patch turns the value before it into the value after it."""
    check_patches(pieces)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@given(cut_anyhow())
@settings(max_examples=5_000)
def test_json_patches_rebuild_many_values(pieces: list[str]) -> None:
    """The same over many documents."""
    check_patches(pieces)


def test_a_patch_names_places_as_json_pointers() -> None:
    """Slashes and tildes in keys are escaped (RFC 6901), and a grown string is sent once."""
    reader = Reader(Plan(ANYTHING), ROOMY)
    deltas = reader.feed('{"a/b~c":["x\\ny')
    assert to_json_patch(deltas, reader.document()) == [
        {"op": "add", "path": "", "value": {}},
        {"op": "add", "path": "/a~1b~0c", "value": []},
        {"op": "add", "path": "/a~1b~0c/0", "value": "x\ny"},
    ]
    deltas = reader.feed('z"]')
    assert to_json_patch(deltas, reader.document()) == [
        {"op": "replace", "path": "/a~1b~0c/0", "value": "x\nyz"}
    ]


def test_each_document_has_its_own_containers() -> None:
    """Two documents rebuilt from the same deltas share nothing, nor with the deltas."""
    deltas = Reader(Plan(ANYTHING), ROOMY).feed('{"a":[{"b":1}]}')
    one, other = apply(None, deltas), apply(None, deltas)
    one["a"].append(2)
    assert other == {"a": [{"b": 1}]}
    assert apply(None, deltas) == other

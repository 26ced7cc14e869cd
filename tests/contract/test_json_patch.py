from __future__ import annotations

import copy
import json
from typing import Any

import jsonpatch
import jsonpointer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall.contract.json_patch import apply_patch, path_of, value_at

DOCUMENT: dict[str, Any] = {"a": [1, 2], "b": {"c": "x"}, "d/e": 1, "m~n": 2, "": 3}


def op(name: str, path: Any, *value: Any) -> dict[str, Any]:
    return {"op": name, "path": path, **({"value": value[0]} if value else {})}


APPLIED: dict[str, tuple[list[Any], Any]] = {
    "replace a leaf": ([op("replace", "/b/c", 5)], {**DOCUMENT, "b": {"c": 5}}),
    "replace an item": ([op("replace", "/a/1", None)], {**DOCUMENT, "a": [1, None]}),
    "add a key": ([op("add", "/b/f", [])], {**DOCUMENT, "b": {"c": "x", "f": []}}),
    "add over a key": ([op("add", "/b/c", 0)], {**DOCUMENT, "b": {"c": 0}}),
    "add before an item": ([op("add", "/a/0", 0)], {**DOCUMENT, "a": [0, 1, 2]}),
    "add at the end": ([op("add", "/a/2", 3)], {**DOCUMENT, "a": [1, 2, 3]}),
    "add after the last": ([op("add", "/a/-", 3)], {**DOCUMENT, "a": [1, 2, 3]}),
    "remove an item": ([op("remove", "/a/0")], {**DOCUMENT, "a": [2]}),
    "remove a key": ([op("remove", "/b/c")], {**DOCUMENT, "b": {}}),
    "escaped keys": ([op("replace", "/d~1e", 0), op("remove", "/m~0n")], {"a": [1, 2], "b": {"c": "x"}, "d/e": 0, "": 3}),
    "the empty key": ([op("replace", "/", 4)], {**DOCUMENT, "": 4}),
    "the whole": ([op("replace", "", {"z": 1})], {"z": 1}),
    "add of the whole": ([op("add", "", {"z": 1})], {"z": 1}),
    "in order": ([op("add", "/b/g", {}), op("add", "/b/g/h", 1)], {**DOCUMENT, "b": {"c": "x", "g": {"h": 1}}}),
}  # fmt: skip

REFUSED: dict[str, tuple[Any, str]] = {
    "no list": ({"op": "add"}, ""),
    "an empty list": ([], ""),
    "no object": (["add"], "/0"),
    "another operation": ([op("move", "/a", 1)], "/0"),
    "no operation": ([{"path": "/a"}], "/0"),
    "no path": ([{"op": "remove"}], "/0"),
    "a path that is no text": ([op("remove", ["a"])], "/0"),
    "a path without a slash": ([op("remove", "a")], "/0"),
    "a wrong escape": ([op("remove", "/d~2e")], "/0"),
    "no value": ([{"op": "add", "path": "/z"}], "/0"),
    "nothing to replace": ([op("replace", "/z", 1)], "/0"),
    "nothing to remove": ([op("remove", "/b/z")], "/0"),
    "beyond the list": ([op("add", "/a/3", 1)], "/0"),
    "no index": ([op("replace", "/a/x", 1)], "/0"),
    "a leading zero": ([op("replace", "/a/00", 1)], "/0"),
    "a negative index": ([op("replace", "/a/-1", 1)], "/0"),
    "the place after the last": ([op("replace", "/a/-", 1)], "/0"),
    "inside a string": ([op("replace", "/b/c/0", "y")], "/0"),
    "the whole removed": ([op("remove", "")], "/0"),
    "the second": ([op("remove", "/a"), op("remove", "/a")], "/1"),
    "an index beyond all sense": ([op("add", "/a/" + "9" * 5000, 1)], "/0"),
}


@pytest.mark.parametrize(("operations", "expected"), APPLIED.values(), ids=APPLIED)
def test_operations_do_what_the_rfc_says(operations: list[Any], expected: Any) -> None:
    """RFC 6902 on RFC 6901's pointers."""
    assert apply_patch(DOCUMENT, operations).document == expected
    assert apply_patch(DOCUMENT, operations).issue is None


@pytest.mark.parametrize(("operations", "where"), REFUSED.values(), ids=REFUSED)
def test_a_patch_applies_whole_or_not_at_all(operations: Any, where: str) -> None:
    """The first operation that does not apply is named, and the document is the old one."""
    result = apply_patch(DOCUMENT, operations)
    assert result.document is DOCUMENT
    assert result.issue is not None
    assert result.issue.pointer == where


def test_errors_quote_no_value() -> None:
    """Whatever stands in the patch or the document."""
    result = apply_patch({"key": "secret-1"}, [op("replace", "/secret-2", "secret-3")])
    assert "secret" not in str(result.issue)


def test_the_patch_and_the_document_share_nothing() -> None:
    """A later change of the one is none of the other's."""
    operations = [op("add", "/z", [1]), op("add", "/z/-", 2)]
    before = copy.deepcopy((DOCUMENT, operations))
    document = apply_patch(DOCUMENT, operations).document
    document["a"].append(9)
    assert (DOCUMENT, operations) == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab/~", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~01", max_size=2), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
PATHS = st.lists(st.sampled_from(["a", "b", "0", "1", "2", "-", "ab", "~0", "~1", ""]), max_size=3).map(
    lambda keys: "".join(f"/{key}" for key in keys)
)  # fmt: skip
OPERATIONS = st.lists(
    st.builds(op, st.sampled_from(["add", "replace", "remove"]), PATHS, JSON), min_size=1, max_size=3
)  # fmt: skip


@given(JSON, OPERATIONS)
def test_it_agrees_with_jsonpatch(document: Any, operations: list[Any]) -> None:
    """Where the library applies a patch, this gives the same; where it raises, an issue.

    Patches of the whole are left out: the library also removes it, and puts a value in its
    place only where it is a container.
    """
    if any(one["path"] == "" for one in operations) or not isinstance(document, dict | list):
        return
    try:
        expected = jsonpatch.apply_patch(document, operations)
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException, TypeError):
        assert apply_patch(document, operations).issue is not None
        return
    result = apply_patch(document, operations)
    assert json.dumps(result.document) == json.dumps(expected)
    assert result.issue is None


@pytest.mark.parametrize(
    ("text", "path"), [("", ()), ("/", ("",)), ("/a~1b/0", ("a/b", "0")), ("a", None), ("/~", None)]
)
def test_pointers_are_read(text: str, path: Any) -> None:
    """As RFC 6901 has them; None for what is none."""
    assert path_of(text) == path


def test_what_stands_at_a_pointer_is_found() -> None:
    """Also null; nothing where a key is missing or the pointer is none."""
    assert value_at({"a": [None]}, "/a/0") == (None, True)
    assert value_at({"a": [None]}, "/a/1") == (None, False)
    assert value_at({}, "nonsense") == (None, False)

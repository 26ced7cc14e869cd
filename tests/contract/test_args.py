from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from rendercall.contract.args import Args, pointer, read_args
from rendercall.contract.bounds import Bounds

BOUNDS = Bounds()

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4)
    ),
    max_leaves=20,
)
json_objects = st.dictionaries(st.text(), json_values, max_size=5)

REFUSED = {
    "nothing": ("", ("", "empty_args", "empty")),
    "space only": (" \n", ("", "empty_args", "empty")),
    "null": ("null", ("", "not_object", "not_object")),
    "array": ("[1]", ("", "not_object", "not_object")),
    "string": ('"x"', ("", "not_object", "not_object")),
    "half a string": ('"x', ("", "not_object", "not_object")),
    "half an array": ("[1,", ("", "not_object", "not_object")),
    "trailing comma": ('{"a":1,}', ("", "json_syntax", "json_syntax")),
    "trailing text": ('{"a":1} x', ("", "json_syntax", "json_syntax")),
    "two values": ('{"a":1 1', ("", "json_syntax", "json_syntax")),
    "leading zero": ('{"a":01}', ("", "json_syntax", "json_syntax")),
    "bad escape": ('{"a":"\\x"}', ("", "json_syntax", "json_syntax")),
    "bad unicode escape": ('{"a":"\\u12G4"}', ("", "json_syntax", "json_syntax")),
    "control character": ('{"a":"\x01"}', ("", "json_syntax", "json_syntax")),
    "byte order mark": ("\ufeff{}", ("", "json_syntax", "json_syntax")),
    "a backslash before a raw break": ('{"a":"one\ntwo\\\nthree"}', ("", "json_syntax", "json_syntax")),
    "single quotes": ("{'a':1}", ("", "json_syntax", "json_syntax")),
    "NaN": ('{"a":[1,NaN]}', ("/a/1", "bounds", "not_finite")),
    "minus infinity": ('{"a":-Infinity}', ("/a", "bounds", "not_finite")),
    "overflow": ('{"a":1e999}', ("/a", "bounds", "not_finite")),
    "duplicate key": ('{"a":{"b/c":1,"b/c":2}}', ("/a/b~1c", "bounds", "duplicate_key")),
    "lone surrogate escape": ('{"a":"\\ud83d"}', ("/a", "bounds", "lone_surrogate")),
    "lone surrogate": ('{"a":"\ud83d"}', ("", "bounds", "lone_surrogate")),
    "5000 digits": ('{"a":' + "1" * 5000 + "}", ("/a", "bounds", "number_too_long")),
    "too deep": ('{"a":' * 70 + "1" + "}" * 70, ("/a" * 64, "bounds", "too_deep")),
    "far too deep": ('{"a":' * 100_000 + "1" + "}" * 100_000, ("", "bounds", "too_deep")),
}  # fmt: skip


@pytest.mark.parametrize(("text", "issue"), REFUSED.values(), ids=REFUSED)
def test_what_two_readers_could_take_differently_is_refused(
    text: str, issue: tuple[str, str, str]
) -> None:
    """Each refusal names its place, its layer and its rule."""
    args = read_args(text, BOUNDS)
    assert args.state == "invalid"
    assert args.value == {}
    first = args.issues[0]
    assert (first.pointer, first.kind, first.code) == issue


SMALL = Bounds(max_bytes=60, max_depth=3, max_string=10, max_items=3, max_nodes=9, max_number=5)
TOO_LARGE = {
    "bytes": ('{"a":"' + "é" * 30 + '"}', "too_large"),
    "characters": ('{"a":"' + "e" * 60 + '"}', "too_large"),
    "depth": ('{"a":{"b":{"c":{}}}}', "too_deep"),
    "string": ('{"a":"12345678901"}', "string_too_long"),
    "key": ('{"12345678901":1}', "string_too_long"),
    "items": ('{"a":[1,2,3,4]}', "too_many_items"),
    "nodes": ('{"a":[1,2,3],"b":[1,2,3],"c":1}', "too_many_nodes"),
    "number": ('{"a":123456}', "number_too_long"),
}


@pytest.mark.parametrize(("text", "code"), TOO_LARGE.values(), ids=TOO_LARGE)
def test_each_bound_refuses_what_is_over_it(text: str, code: str) -> None:
    """Every limit is in force by itself."""
    assert code in {issue.code for issue in read_args(text, SMALL).issues}


def test_a_document_at_every_limit_passes() -> None:
    """Limits are the largest sizes that pass."""
    assert read_args('{"a":{"b":[1]},"1234567890":12345}', SMALL).state == "complete"


@given(json_objects)
def test_what_json_writes_is_read_as_it_was(document: dict[str, object]) -> None:
    """Whatever object any JSON writer makes is complete, with the same value."""
    try:
        text = json.dumps(document, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:
        return
    args = read_args(text, BOUNDS)
    assert args.state == "complete"
    assert args.value == document


@given(json_objects, st.data())
def test_every_proper_prefix_is_incomplete(
    document: dict[str, object], data: st.DataObject
) -> None:
    """A cut-off anywhere, even inside an escape or a literal, is never complete nor invalid."""
    text = json.dumps(document, ensure_ascii=data.draw(st.booleans()))
    cut = data.draw(st.integers(1, len(text) - 1))
    assert read_args(text[:cut], BOUNDS).state == "incomplete"


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1',
        '{"a":1 ',
        '{"a":1.',
        '{"a":-',
        '{"a":1e',
        '{"a":-0.5e+',
        '{"a":tr',
        '{"a":[1,f',
        '{"a":N',
        '{"a":-Inf',
    ],
)
def test_an_atom_that_was_cut_is_incomplete(text: str) -> None:
    """Where the text ends inside a number or a literal, more could make it whole."""
    assert read_args(text, BOUNDS).state == "incomplete"


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1}.',
        '{"a":1}-',
        '{"a":1}t',
        '{"a":[1].',
        '{"a":"x"t',
        '{"a":1.5.',
        '{"a":1 .',
        '{"a":01.',
        '{"a":1 e',
        '{"a":1 2.',
        '{"a":1 "b":1e-',
    ],
)
def test_what_looks_cut_and_is_wrong_already_is_invalid(text: str) -> None:
    """A full stop after the object is no half of a number: no more text makes it right."""
    args = read_args(text, BOUNDS)
    assert (args.state, args.issues[0].code) == ("invalid", "json_syntax")


@given(json_objects, st.data())
def test_the_grammar_is_that_of_pydantic(document: dict[str, object], data: st.DataObject) -> None:
    """Mutated text is complete only if pydantic_core reads it too, and as the same value."""
    text = json.dumps(document)
    at = data.draw(st.integers(0, len(text)))
    text = text[:at] + data.draw(st.sampled_from('{}[],:"\\ \t01e.-tn')) + text[at:]
    args = read_args(text, BOUNDS)
    try:
        expected = from_json(args.text)
    except ValueError:
        assert args.state != "complete"
        return
    if args.state == "complete":
        assert args.value == expected


@given(st.text())
def test_no_text_raises(text: str) -> None:
    """Any text at all gets an answer."""
    assert isinstance(read_args(text, BOUNDS), Args)


def test_raw_line_breaks_inside_strings_are_themselves() -> None:
    """Raw LF, CR and TAB are taken, and the text that goes on to a validator is JSON."""
    args = read_args('{"a":"Two\nlines\twith\rcontrol",\n"b":"\\n"}', BOUNDS)
    assert args.value == {"a": "Two\nlines\twith\rcontrol", "b": "\n"}
    assert from_json(args.text) == args.value


def test_halves_of_one_pair_are_joined() -> None:
    """Two fragments that each held half of a surrogate pair make one character."""
    assert read_args('{"a":"\ud83d\ude80"}', BOUNDS).value == {"a": "🚀"}


def test_an_integer_beyond_2_53_is_exact_and_said() -> None:
    """Python keeps it; the notice says that other readers do not."""
    args = read_args('{"a":[9007199254740993, 9007199254740991]}', BOUNDS)
    assert args.value["a"][0] == 9007199254740993
    assert [(notice.code, notice.pointer) for notice in args.notices] == [
        ("unsafe_integer", "/a/0")
    ]


def test_an_issue_holds_no_value() -> None:
    """What a model wrote is not echoed: the message may go to a browser."""
    for text in ('{"a":"sk-secret\x01"}', '{"sk-secret":1,}', '{"a": sk-secret}'):
        assert "secret" not in str(read_args(text, BOUNDS).issues)


def test_a_pointer_escapes_its_keys() -> None:
    """`~` and `/` are written as RFC 6901 asks."""
    assert pointer(("a/b", 0, "~")) == "/a~1b/0/~0"


def test_bounds_refuse_a_limit_below_one() -> None:
    """A limit of nothing would refuse everything: a mistake, said at once."""
    with pytest.raises(ValueError, match="max_depth must be at least 1"):
        Bounds(max_depth=0)

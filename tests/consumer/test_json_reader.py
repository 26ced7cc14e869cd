from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rendercall.consumer.deltas import apply
from rendercall.consumer.json_reader import JsonReader
from rendercall.contract.args import read_args
from rendercall.contract.bounds import Bounds
from tests.consumer.documents import (
    ROOMY,
    SIZES,
    cut_anyhow,
    documents,
    fragments,
    leads_to,
    oracle,
    same,
)


class Silent:
    """A listener that lets all strings be shown."""

    def starts(self, key: str | int) -> bool:  # noqa: ARG002 - the protocol's
        return True

    def string(self, key: str | int, value: str) -> None:
        pass

    def atom(self, key: str | int, value: Any, literal: str) -> Any:  # noqa: ARG002 - same
        return value

    def opens(self, key: str | int, path: Any, value: Any) -> bool:  # noqa: ARG002 - same
        return True

    def closes(self, value: Any, text: str) -> None:
        if "\\" not in text:
            assert json.loads(text, strict=False) == value


def read(pieces: list[str], bounds: Bounds = ROOMY) -> tuple[JsonReader, Any]:
    """The reader after all fragments, and what the deltas rebuild."""
    reader, rebuilt = JsonReader(Silent(), bounds), None
    for piece in pieces:
        rebuilt = apply(rebuilt, reader.feed(piece))
    return reader, rebuilt


def check_truth(pieces: list[str]) -> None:
    final = oracle("".join(pieces))
    reader, rebuilt = JsonReader(Silent(), ROOMY), None
    shown: Any = None
    closed: dict[Any, str] = {}
    for piece in pieces:
        deltas = reader.feed(piece)
        rebuilt = apply(rebuilt, deltas)
        if rebuilt is None:
            continue
        assert leads_to(rebuilt, final)
        assert shown is None or leads_to(shown, rebuilt)
        shown = json.loads(json.dumps(rebuilt))
        closed |= {path: _at(rebuilt, path) for op, path, _ in deltas if op in {"set", "close"}}
        assert all(_at(rebuilt, path) == value for path, value in closed.items())
    assert reader.progress.complete
    assert reader.progress.fault is None
    assert same(reader.progress.root[0], final)
    assert same(rebuilt, final)
    assert str(reader.progress.raw) == "".join(pieces)


def _at(document: Any, path: Any) -> str:
    for key in path:
        document = document[key]
    return json.dumps(document)


@given(cut_anyhow())
@settings(max_examples=150)
def test_what_is_shown_is_true_at_every_prefix(pieces: list[str]) -> None:
    """Whatever is shown is final, but for strings that grow; deltas rebuild the value."""
    check_truth(pieces)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@given(cut_anyhow())
@settings(max_examples=20_000)
def test_what_is_shown_is_true_at_every_prefix_of_many(pieces: list[str]) -> None:
    """The same over many documents."""
    check_truth(pieces)


ACCEPTED = {
    "empty": "{}",
    "space everywhere": ' \t\n\r{ "a" \n:\t[ 1 , 2 ] , "b" : { } }\r\n',
    "empty key": '{"":1}',
    "literals": '{"a":true,"b":false,"c":null}',
    "integers": '{"a":0,"b":-0,"c":-12,"d":123456789012345678901234567890}',
    "floats": '{"a":0.5,"b":1e5,"c":1E+5,"d":-1.5e-7,"e":0e0,"f":20.0,"g":1e-400}',
    "escapes": r'{"a":"\"\\\/\b\f\n\r\t\u0041\u00e9\u4f60"}',
    "escaped key": r'{"\u0061\n":1}',
    "surrogate escapes": r'{"a":"\ud83d\ude00 \uD83D\uDE80"}',
    "escaped NUL": r'{"a":"\u0000"}',
    "raw breaks in strings": '{"a":"one\ntwo\r\tthree","k\ney":1}',
    "DEL and C1 controls": '{"a":"\x7f\x80\x9f"}',
    "other planes": '{"a":"😀\U0010ffff","\u2028":"\u3000\u00a0\ufeff"}',
    "escape look-alikes": r'{"a":"\\ud800","b":"\\\\"}',
    "nested": '{"a":[[],[{}],{"b":[[1]]}]}',
    "pair of raw halves": '{"a":"\ud83d\ude00"}',
}

REFUSED = {
    "nothing": ("", None),
    "space": ("  \n", None),
    "array": ("[1]", "not_object"),
    "string": ('"a"', "not_object"),
    "number": ("1", "not_object"),
    "null": ("null", "not_object"),
    "code fence": ("```json\n{}", "json_syntax"),
    "byte order mark": ("\ufeff{}", "json_syntax"),
    "two objects": ("{}{}", "json_syntax"),
    "trailing word": ("{} ok", "json_syntax"),
    "trailing brace": ("{}}", "json_syntax"),
    "trailing comma in object": ('{"a":1,}', "json_syntax"),
    "trailing comma in array": ('{"a":[1,]}', "json_syntax"),
    "leading comma": ('{,"a":1}', "json_syntax"),
    "two commas": ('{"a":[1,,2]}', "json_syntax"),
    "no comma": ('{"a":[1 2]}', "json_syntax"),
    "no colon": ('{"a" 1}', "json_syntax"),
    "two colons": ('{"a"::1}', "json_syntax"),
    "no value": ('{"a":}', "json_syntax"),
    "no key": ("{1:2}", "json_syntax"),
    "bare key": ("{a:1}", "json_syntax"),
    "single quotes": ("{'a':1}", "json_syntax"),
    "comment": ('{"a":1/*b*/}', "json_syntax"),
    "wrong bracket": ('{"a":[1}', "json_syntax"),
    "wrong brace": ('{"a":{"b":1]}', "json_syntax"),
    "leading zero": ('{"a":01}', "json_syntax"),
    "leading plus": ('{"a":+1}', "json_syntax"),
    "leading point": ('{"a":.5}', "json_syntax"),
    "trailing point": ('{"a":1.}', "json_syntax"),
    "empty exponent": ('{"a":1e}', "json_syntax"),
    "two signs": ('{"a":--1}', "json_syntax"),
    "hexadecimal": ('{"a":0x1F}', "json_syntax"),
    "underscore": ('{"a":1_000}', "json_syntax"),
    "wide digits": ('{"a":\uff11}', "json_syntax"),
    "minus alone": ('{"a":-}', "json_syntax"),
    "capital literal": ('{"a":True}', "json_syntax"),
    "longer literal": ('{"a":nulls}', "json_syntax"),
    "undefined": ('{"a":undefined}', "json_syntax"),
    "NaN": ('{"a":NaN}', "not_finite"),
    "Infinity": ('{"a":Infinity}', "not_finite"),
    "-Infinity": ('{"a":-Infinity}', "not_finite"),
    "infinite float": ('{"a":1e400}', "not_finite"),
    "unknown escape": (r'{"a":"\x41"}', "json_syntax"),
    "capital U": (r'{"a":"\U0041"}', "json_syntax"),
    "short escape": (r'{"a":"\u12"}', "json_syntax"),
    "bad hexadecimal": (r'{"a":"\u12G4"}', "json_syntax"),
    "NUL in a string": ('{"a":"\x00"}', "json_syntax"),
    "form feed in a string": ('{"a":"\x0c"}', "json_syntax"),
    "form feed as space": ('{\x0c"a":1}', "json_syntax"),
    "no-break space as space": ('{\u00a0"a":1}', "json_syntax"),
    "high half escaped": (r'{"a":"\ud83d"}', "lone_surrogate"),
    "high half, then text": (r'{"a":"\ud83dx"}', "lone_surrogate"),
    "high half, then an escape": (r'{"a":"\ud83d\n"}', "lone_surrogate"),
    "two high halves": (r'{"a":"\ud83d\ud83d"}', "lone_surrogate"),
    "low half escaped": (r'{"a":"\ude00"}', "lone_surrogate"),
    "high half raw": ('{"a":"\ud83d"}', "lone_surrogate"),
    "low half raw": ('{"a":"\ude00\ud83d"}', "lone_surrogate"),
    "half raw, half escaped": ('{"a":"\ud83d\\ude00"}', "lone_surrogate"),
    "half escaped, half raw": ('{"a":"\\ud83d\ude00"}', "lone_surrogate"),
    "high half in a key": ('{"\ud83d":1}', "lone_surrogate"),
    "twice the same key": ('{"a":1,"a":1}', "duplicate_key"),
    "the same key, escaped": (r'{"a":1,"\u0061":2}', "duplicate_key"),
    "the same key below": ('{"x":[{"a":1,"b":2,"a":{}}]}', "duplicate_key"),
    "cut in a string": ('{"a":"b', None),
    "cut in an escape": ('{"a":"b\\', None),
    "cut in a pair": ('{"a":"\\ud83d\\', None),
    "cut in a number": ('{"a":1', None),
    "cut in a literal": ('{"a":tr', None),
    "cut in a key": ('{"a', None),
    "cut before the end": ('{"a":[{}]', None),
}
"""Texts and the code of their fault; None where more text could still mend it."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_json_is_read_as_pydantic_reads_it(text: str, size: int) -> None:
    """Every form of JSON gives the same value, however it is cut."""
    reader, rebuilt = read(fragments(text, size))
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16")
    assert reader.progress.complete
    assert same(reader.progress.root[0], oracle(joined))
    assert same(rebuilt, oracle(joined))
    assert read_args(text, ROOMY).value == rebuilt


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("text", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_json_is_refused(text: str, code: str | None, size: int) -> None:
    """Each fault has its code, and the same place however the text is cut."""
    reader, _ = read(fragments(text, size))
    assert not reader.progress.complete
    assert (reader.progress.fault.code if reader.progress.fault else None) == code
    assert reader.progress.fault == read([text])[0].progress.fault
    assert oracle(text) is None
    assert read_args(text, ROOMY).state == ("invalid" if code or not text.strip() else "incomplete")


@pytest.mark.parametrize(
    ("text", "path", "position"),
    [
        ('{"a":1,"b":[1,{"c":2,"c":3}]}', ("b", 1, "c"), 23),
        ('{"a":1,"b":[1,{"c":nul,', ("b", 1, "c"), 19),
        ('{"a":["x","y\\q"]}', ("a", 1), 12),
        ('{"a":[1,2}', ("a",), 9),
        ('  {"a":?}', ("a",), 7),
        ("{} x", (), 3),
    ],
)
def test_a_fault_tells_its_place(text: str, path: Any, position: int) -> None:
    """A fault carries the path of the value that was being read, and its position."""
    for size in SIZES:
        fault = read(fragments(text, size))[0].progress.fault
        assert fault is not None
        assert (fault.path, fault.position) == (path, position)


SMALL = Bounds(max_bytes=60, max_depth=3, max_string=8, max_items=3, max_nodes=9, max_number=5)
LIMITS = {
    "just fits": ('{"a":[[1,2,3]],"b":"12345678","c":12345}', None, ()),
    "bytes": ('{"a":1' + " " * 60 + "}", "too_large", ()),
    "bytes of wide characters": (
        '{"a":["今天很好吃","今天很好吃","今天很好吃","今天很"]}',
        "too_large",
        None,
    ),
    "bytes after halves of a pair": (
        '{"a":"\ud83d\ude00","b":{"c":[1,2]},"d":{}' + " " * 60 + "}",
        "too_large",
        (),
    ),
    "depth": ('{"a":[[{}]]}', "too_deep", None),
    "string": ('{"a":"123456789"}', "string_too_long", ("a",)),
    "string with escapes": (r'{"a":"\u0031\u0032345678\n"}', "string_too_long", ("a",)),
    "string after another": ('{"a":"b","c":"123456789"}', "string_too_long", ("c",)),
    "string in an array": ('{"a":["b","123456789","c"]}', "string_too_long", ("a", 1)),
    "key": ('{"123456789":1}', "string_too_long", ()),
    "key after a string": (r'{"a":"b","12345678\n":1}', "string_too_long", ()),
    "items": ('{"a":[1,2,3,4]}', "too_many_items", ("a",)),
    "members": ('{"a":1,"b":1,"c":1,"d":1}', "too_many_items", ()),
    "nodes": ('{"a":[1,1,1],"b":[1,1,1],"c":1}', "too_many_nodes", None),
    "number": ('{"a":123456}', "number_too_long", ("a",)),
    "bad long number": ('{"a":12-3456}', "json_syntax", ("a",)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("text", "code", "path"), LIMITS.values(), ids=LIMITS.keys())
def test_bounds_end_the_reading(text: str, code: str | None, path: Any, size: int) -> None:
    """Each limit has its own fault, as soon as the text goes over it."""
    reader, _ = read(fragments(text, size), SMALL)
    assert (reader.progress.fault.code if reader.progress.fault else None) == code
    assert reader.progress.complete == (code is None)
    if reader.progress.fault and path is not None:
        assert reader.progress.fault.path == path
    verdict = read_args(text, SMALL)
    assert verdict.state == ("complete" if code is None else "invalid")
    assert str(reader.progress.raw) == text


@pytest.mark.parametrize("size", [1, 7, 10**9])
@pytest.mark.parametrize(
    ("literal", "code"),
    [
        ("9" * 4_300, None),
        ("-" + "9" * 4_300, None),
        ("0." + "1" * 5_000, None),
        ("9" * 4_301, "not_finite"),
        ("9" * 4_301 + ".5", "not_finite"),
        ("9" * 10_001, "number_too_long"),
    ],
    ids=["integer", "negative", "fraction", "too long an integer", "infinite", "over the limit"],
)
def test_long_numbers_are_for_the_bounds(literal: str, code: str | None, size: int) -> None:
    """No other limit stands in the way than the reader's own and what Python itself can hold."""
    text, bounds = f'{{"a":{literal}}}', Bounds(max_number=10_000)
    reader, rebuilt = read(fragments(text, size), bounds)
    assert (reader.progress.fault.code if reader.progress.fault else None) == code
    verdict = read_args(text, bounds)
    assert (verdict.state, [issue.code for issue in verdict.issues]) == (
        ("invalid", [code]) if code else ("complete", [])
    )
    assert code or rebuilt == verdict.value


@given(st.integers(1, 400), cut_anyhow())
@settings(max_examples=150)
def test_the_size_is_counted_in_bytes(room: int, pieces: list[str]) -> None:
    """Exactly the texts of at most `max_bytes` bytes of UTF-8 are read to their end."""
    text = "".join(pieces)
    reader, _ = read(pieces, Bounds(max_bytes=room))
    assert reader.progress.complete == (len(text.encode()) <= room)
    assert str(reader.progress.raw) == text


def test_a_fault_is_known_at_once() -> None:
    """A duplicate key is known when the key closes, a wrong root at its first character."""
    reader = JsonReader(Silent(), ROOMY)
    reader.feed('{"a":1,"a')
    assert reader.progress.fault is None
    reader.feed('"')
    assert reader.progress.fault is not None
    assert JsonReader(Silent(), ROOMY).feed(" ") == []
    assert read([" ", "["])[0].progress.fault is not None


def test_a_failed_reading_only_collects() -> None:
    """After a fault no more is shown, and the text is kept whole."""
    reader = JsonReader(Silent(), ROOMY)
    assert reader.feed('{"a":1,?') == [("open", (), {}), ("set", ("a",), 1)]
    assert reader.feed('"b":2}') == []
    assert str(reader.progress.raw) == '{"a":1,?"b":2}'
    assert reader.progress.root == [{"a": 1}]


def test_halves_of_a_pair_wait_for_each_other() -> None:
    """A pair that two fragments cut in halves is joined; no half is ever shown."""
    reader = JsonReader(Silent(), ROOMY)
    assert reader.feed('{"a":"x\ud83d')[-1] == ("open", ("a",), "x")
    assert reader.feed("\ude00y") == [("append", ("a",), "😀y")]
    assert reader.feed("\\ud83d\\u") == []
    assert reader.feed("de80") == [("append", ("a",), "🚀")]


def test_keys_come_with_the_beginning_of_their_value() -> None:
    """A key is not shown before its value begins, a number not before it is over."""
    reader = JsonReader(Silent(), ROOMY)
    assert reader.feed('{"minutes"') == [("open", (), {})]
    assert reader.feed(": 1") == []
    assert reader.feed("2") == []
    assert reader.feed(",") == [("set", ("minutes",), 12)]


def test_nothing_is_a_fragment_too() -> None:
    """An empty fragment changes nothing, in any state."""
    reader = JsonReader(Silent(), ROOMY)
    for piece in fragments('{"a":["x\\n",1.5]}', 1):
        assert reader.feed("") == []
        reader.feed(piece)
    assert reader.progress.complete


_ODD = '{}[]",:\\0e1.-+tfnu \n\x01aNI\ud83d\ude00'


def break_text(text: str, seed: int) -> str:
    """Insert, delete, cut or repeat something, once to three times."""
    rng = random.Random(seed)  # noqa: S311 - test data
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        text = rng.choice(
            [
                text[:at] + rng.choice(_ODD) + text[at:],
                text[:at] + text[at + 1 :],
                text[:at],
                text[:at] + text[at:] + text[at:],
            ]
        )
    return text


def check_broken(text: str, seed: int) -> None:
    broken = break_text(text, seed)
    joined = re.sub(
        "[\ud800-\udbff][\udc00-\udfff]",
        lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"),
        broken,
    )
    expected = oracle(joined)
    faults = set()
    for size in SIZES:
        reader, rebuilt = read(fragments(broken, size))
        assert reader.progress.complete == (expected is not None)
        assert expected is None or same(rebuilt, expected)
        faults.add(reader.progress.fault)
    assert len(faults) == 1
    fault = faults.pop()
    state = read_args(broken, ROOMY).state
    assert (state == "complete") == (expected is not None)
    assert state != "invalid" or fault or not broken.strip(" \n\r\t")


@given(documents(), st.integers(0, 2**32))
@settings(max_examples=300)
def test_broken_texts_are_accepted_by_none_or_all(text: str, seed: int) -> None:
    """The reader, `read_args` and Pydantic agree on what is JSON, at every fragment size."""
    check_broken(text, seed)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@given(documents(), st.integers(0, 2**32))
@settings(max_examples=20_000)
def test_many_broken_texts_are_accepted_by_none_or_all(text: str, seed: int) -> None:
    """The same over many texts."""
    check_broken(text, seed)


SUITE = os.environ.get("RENDERCALL_JSONTESTSUITE", "")


@pytest.mark.skipif(not SUITE, reason="RENDERCALL_JSONTESTSUITE names no folder")
def test_the_json_test_suite() -> None:
    """No file of JSONTestSuite is judged otherwise than by Pydantic, within the bounds.

    Each file is read as it is and, since the root must be an object, as a member's value.
    """
    files = sorted(Path(SUITE).rglob("*.json"))
    assert files
    for file in files:
        try:
            text = file.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        for whole in (text, f'{{"a":{text}}}'):
            expected = oracle(whole) if len(whole) < 10_000 else None
            for size in SIZES if len(whole) < 10_000 else (5, 10**9):
                reader, rebuilt = read(fragments(whole, size), Bounds())
                assert reader.progress.complete == (expected is not None), (file.name, size)
                assert expected is None or same(rebuilt, expected), (file.name, size)

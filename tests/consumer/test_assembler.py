from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from rendercall import RenderTool
from rendercall.consumer.assembler import Assembler, readings_of
from rendercall.consumer.fragments import Fragment, from_chunk, from_protocol_event

PLAN = RenderTool.from_json_schema("render_plan", "", {"type": "object"})


def assemble(
    fragments: Iterable[Fragment], tools: list[RenderTool[Any]] | None = None
) -> list[tuple[str, str | None, str]]:
    assembler = Assembler(readings_of(tools or []))
    for fragment in fragments:
        assembler.feed(fragment)
    return [
        (call.name, call.id, call.readings.reader.text if call.readings else "")
        for call in assembler.calls
    ]


def piece(index: object, call_id: object, name: str | None, args: object) -> Fragment:
    chunk = {"tool_call_chunks": [{"index": index, "id": call_id, "name": name, "args": args}]}
    return next(from_chunk(chunk))


def test_parallel_calls_are_kept_apart_by_index() -> None:
    """Interleaved pieces find their calls."""
    found = assemble([
        piece(0, "a", "search", '{"q'), piece(1, "b", "render", "{"),
        piece(0, None, None, '":1}'), piece(1, None, None, "}"),
    ])  # fmt: skip
    assert found == [("search", "a", '{"q":1}'), ("render", "b", "{}")]


def test_a_new_id_at_a_taken_index_is_a_new_call() -> None:
    """Some gateways give every call index 0; a piece without an id belongs to the last one."""
    found = assemble([
        piece(0, "a", "search", "{"), piece(0, None, None, "}"),
        piece(0, "b", "render", "{"), piece(0, None, None, "}"),
    ])  # fmt: skip
    assert found == [("search", "a", "{}"), ("render", "b", "{}")]


def test_a_piece_without_a_name_never_opens_a_call() -> None:
    """Whatever its id or index says."""
    found = assemble([
        piece(0, "1", "render", ""), piece(0, "2", "", "{"), piece(5, "3", None, "}"),
    ])  # fmt: skip
    assert found == [("render", "1", "{}")]
    assert assemble([piece(0, "1", None, "{}")]) == []


def test_names_may_come_in_pieces_or_again() -> None:
    """Pieces join before any args came; the same name again is a repeat."""
    assert assemble([piece(0, "a", "render_", ""), piece(0, None, "plan", ""), piece(0, None, None, "{}")]) == [
        ("render_plan", "a", "{}")
    ]  # fmt: skip
    assert assemble([piece(None, "a", "plan", "{"), piece(None, None, "plan", "}")]) == [
        ("plan", "a", "{}")
    ]


def test_another_name_after_args_is_another_call() -> None:
    """A server without ids still tells its calls apart by name."""
    found = assemble([piece(None, None, "a", "{}"), piece(None, None, "b", "{}")])
    assert found == [("a", None, "{}"), ("b", None, "{}")]


Piece = tuple[object, object, "str | None", object]

SORTED: dict[str, tuple[list[Piece], list[tuple[str, str | None, str]]]] = {
    # index, id, name and args of each piece: name, id and text of each call
    "ids without an index, interleaved": (
        [(None, "a", "search", ""), (None, "b", "render_plan", ""), (None, "a", None, '{"q'),
         (None, "b", None, "{"), (None, "a", None, '":1}'), (None, "b", None, "}")],
        [("search", "a", '{"q":1}'), ("render_plan", "b", "{}")],
    ),
    "ids and names with every piece at one index, interleaved": (
        [(0, "a", "search", '{"q'), (0, "b", "render_plan", "{"), (0, "a", "search", '":1}'),
         (0, "b", "render_plan", "}")],
        [("search", "a", '{"q":1}'), ("render_plan", "b", "{}")],
    ),
    "names with every piece and nothing else, interleaved": (
        [(0, None, "search", '{"q'), (0, None, "render_plan", '{"t'), (0, None, "search", '":1}'),
         (0, None, "render_plan", '":2}')],
        [("search", None, '{"q":1}'), ("render_plan", None, '{"t":2}')],
    ),
    "an index that grows with every piece": (
        [(0, "a", "render_plan", ""), (1, "a", "render_plan", "{"), (2, "a", "render_plan", "\n"),
         (3, "a", "render_plan", '"t":{'), (4, "a", "render_plan", "}}"), (5, "a", "render_plan", "\n")],
        [("render_plan", "a", '{\n"t":{}}\n')],
    ),
    "another id with every piece, and the name": (
        [(0, "1", "render_plan", "{"), (0, "2", "render_plan", ""), (0, "3", "render_plan", '"t":'),
         (0, "4", "render_plan", "{"), (0, "5", "render_plan", "}}"), (0, "6", "render_plan", "")],
        [("render_plan", "1", '{"t":{}}')],
    ),
    "the second call's head at the first one's index": (
        [(0, "a", "search", "{}"), (0, "b", "render_plan", ""), (1, "b", None, "{"), (1, "b", None, "}")],
        [("search", "a", "{}"), ("render_plan", "b", "{}")],
    ),
    "one id for two calls, by index": (
        [(0, "x", "search", "{}"), (1, "x", "render_plan", ""), (1, "x", None, "{}")],
        [("search", "x", "{}"), ("render_plan", "x", "{}")],
    ),
    "one id for two calls, by name": (
        [(0, "x", "search", "{}"), (0, "x", "render_plan", ""), (0, "x", None, "{}")],
        [("search", "x", "{}"), ("render_plan", "x", "{}")],
    ),
    "one id for two calls of one tool": (
        [(0, "x", "render_plan", "{}"), (1, "x", "render_plan", ""), (1, None, None, '{"t":1}')],
        [("render_plan", "x", "{}"), ("render_plan", "x", '{"t":1}')],
    ),
    "an id that comes late": (
        [(0, None, "render_plan", ""), (0, None, None, "{"), (0, "a", "render_plan", "}")],
        [("render_plan", "a", "{}")],
    ),
    "an id that comes late, without the name": (
        [(0, None, "render_plan", ""), (0, None, None, "{"), (0, "a", None, "}"), (0, "b", None, " ")],
        [("render_plan", "a", "{} ")],
    ),
    "an id as a number": ([(0, 9001, "render_plan", "{}")], [("render_plan", "9001", "{}")]),
    "a name that grows": (
        [(0, "a", "render", ""), (0, None, "render_", ""), (0, "a", "render_plan", "{}")],
        [("render_plan", "a", "{}")],
    ),
    "a name in pieces, with args": (
        [(0, "a", "render", "{"), (0, "a", "_plan", '"t":1'), (0, None, None, "}")],
        [("render_plan", "a", '{"t":1}')],
    ),
    "a call without args before another, without ids": (
        [(None, None, "get_time", ""), (None, None, "render_plan", ""), (None, None, None, "{}")],
        [("get_time", None, ""), ("render_plan", None, "{}")],
    ),
    "args before the name": (
        [(0, "a", None, '{"t"'), (0, None, "render_plan", ":1}")],
        [("render_plan", "a", '{"t":1}')],
    ),
    "the name last": (
        [(0, "a", None, "{"), (0, "a", None, "}"), (0, None, "render_plan", "")],
        [("render_plan", "a", "{}")],
    ),
    "the end of a call whose beginning was missed": (
        [(None, None, None, '":1}'), (None, "b", "render_plan", ""), (None, None, None, "{}")],
        [("render_plan", "b", "{}")],
    ),
    "args as an object": ([(0, "a", "render_plan", {"t": "é"})], [("render_plan", "a", '{"t": "é"}')]),
}  # fmt: skip


@pytest.mark.parametrize(("pieces", "calls"), SORTED.values(), ids=SORTED)
def test_pieces_find_their_calls(
    pieces: list[Piece], calls: list[tuple[str, str | None, str]]
) -> None:
    """Whichever of index, id and name a gateway leaves out, repeats or changes."""
    assert assemble([piece(*one) for one in pieces], [PLAN]) == calls


def test_a_call_whose_name_comes_in_pieces_is_read_as_its_tools() -> None:
    """What came before the name was whole is read again, and its deltas come then."""
    assembler = Assembler(readings_of([PLAN]))
    assembler.feed(piece(0, "a", "render", '{"t":'))
    call, deltas = assembler.feed(piece(0, "a", "_plan", "1}"))
    assert call is not None
    assert call.tool is PLAN
    assert [delta[0] for delta in deltas] == ["open", "set", "close"]


def test_an_index_as_text_is_a_number() -> None:
    """`"0"` and 0 are one place."""
    assert assemble([piece("0", "a", "x", "{"), piece(0, None, None, "}")]) == [("x", "a", "{}")]


def test_protocol_events_give_the_same_fragments() -> None:
    """v3 events carry the name once, at the block's start."""
    events = [
        {"event": "message-start", "id": "m"},
        {"event": "content-block-start", "index": 1,
         "content": {"type": "tool_call_chunk", "id": "a", "name": "x", "args": ""}},
        {"event": "content-block-delta", "index": 0, "delta": {"type": "text-delta", "text": "hi"}},
        {"event": "content-block-delta", "index": 1, "delta": {"type": "tool-call-delta", "args": "{}"}},
    ]  # fmt: skip
    fragments = [fragment for event in events for fragment in from_protocol_event(event)]
    assert assemble(fragments) == [("x", "a", "{}")]

from __future__ import annotations

from collections.abc import Iterable

from rendercall.consumer.assembler import Assembler, readings_of
from rendercall.consumer.fragments import Fragment, from_chunk, from_protocol_event


def assemble(fragments: Iterable[Fragment]) -> list[tuple[str, str | None, str]]:
    assembler = Assembler(readings_of([]))
    for fragment in fragments:
        assembler.feed(fragment)
    return [
        (call.name, call.id, call.readings.reader.text if call.readings else "")
        for call in assembler.calls
    ]


def piece(index: object, call_id: str | None, name: str | None, args: str) -> Fragment:
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

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rendercall.consumer.cursor import CursorDecoder, Frame, encode, keyframe
from rendercall.consumer.deltas import Delta, apply
from rendercall.consumer.plan import ANYTHING, Plan
from rendercall.consumer.reader import Reader
from tests.consumer.documents import ROOMY, cut_anyhow, fragments, plan_text, same


def sent(frame: Frame) -> Any:
    """A frame after its way over the wire."""
    return json.loads(json.dumps(frame))


def check_round_trip(pieces: list[str], together: int, jump: int) -> None:
    """One decoder follows from the beginning, another joins at a keyframe."""
    reader, decoder, late = Reader(Plan(ANYTHING), ROOMY), CursorDecoder(), CursorDecoder()
    rebuilt: Any = None
    joined: Any = None
    waiting: list[Delta] = []
    for number, piece in enumerate(pieces):
        waiting += reader.feed(piece)
        if (number + 1) % together and number + 1 < len(pieces):
            continue
        frame = encode(waiting)
        waiting = []
        if frame is not None:
            rebuilt = apply(rebuilt, decoder.decode(sent(frame)))
            if number > jump:
                joined = apply(joined, late.decode(sent(frame)))
        if number <= jump:
            whole = keyframe(reader.document(), reader.shown_path)
            joined = apply(joined, late.decode(sent(whole)))
        assert same(rebuilt, reader.document())
        assert same(joined, reader.document())


@given(cut_anyhow(), st.integers(1, 4), st.integers(0, 40))
@settings(max_examples=120)
def test_frames_rebuild_the_value(pieces: list[str], together: int, jump: int) -> None:
    """A decoder that got every frame has the value, and so has one that came later."""
    check_round_trip(pieces, together, jump)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@given(cut_anyhow(), st.integers(1, 4), st.integers(0, 200))
@settings(max_examples=10_000)
def test_frames_rebuild_many_values(pieces: list[str], together: int, jump: int) -> None:
    """The same over many documents."""
    check_round_trip(pieces, together, jump)


@pytest.mark.parametrize(("size", "most"), [(4, 2.0), (20, 1.3)])
def test_frames_are_small(size: int, most: float) -> None:
    """At 4 characters a frame they take at most twice the bytes of the document."""
    text = plan_text(20_000)
    reader = Reader(Plan(ANYTHING), ROOMY)
    frames = [encode(reader.feed(piece)) for piece in fragments(text, size)]
    written = "\n".join(
        json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
        for frame in frames
        if frame is not None
    )
    assert len(written.encode()) <= most * len(text.encode())


def test_the_form_is_the_documented_one() -> None:
    """The example of the module's docstring."""
    reader = Reader(Plan(ANYTHING), ROOMY)
    pieces = ['{"topic":"S', "QL", '","minutes":[5]}']
    assert [encode(reader.feed(piece)) for piece in pieces] == [
        [{}, "topic", ["S"]],
        "QL",
        [[0], "minutes", [], 5, [0], [0]],
    ]
    assert encode([]) is None


@pytest.mark.parametrize(
    "frames",
    [
        [[[0]]],
        [[{}, 1]],
        [[{}, "a", ["x"], 1]],
        [[{}, "a", [], "b", [0], [0], [0]]],
    ],
    ids=["nothing open", "no key", "no text", "one close too many"],
)
def test_a_lost_frame_is_noticed(frames: list[Frame]) -> None:
    """Frames that do not continue the stream are refused with what to do."""
    decoder = CursorDecoder()
    with pytest.raises(ValueError, match="ask for a keyframe"):
        list(map(decoder.decode, frames))

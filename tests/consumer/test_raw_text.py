from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rendercall.consumer.raw_text import RawText


@given(
    st.lists(st.text(min_size=1, max_size=4), min_size=1), st.sets(st.integers(0, 20)), st.data()
)
def test_parts_are_cut_as_from_one_string(
    pieces: list[str], packed: set[int], data: st.DataObject
) -> None:
    """Any part that began in some piece is found again, whatever was packed since."""
    whole = "".join(pieces)
    begun = data.draw(st.integers(0, len(pieces) - 1))
    text = RawText()
    mark = (0, 0, 0)
    for number, piece in enumerate(pieces):
        text.tail.append(piece)
        if number == begun:
            start = len("".join(pieces[:number]))
            offset = data.draw(st.integers(0, len(piece) - 1))
            mark = (start + offset, len(text.tail) - 1, offset)
        if number in packed:
            assert text.pack() >= 0
    stop = data.draw(st.integers(mark[0], len(whole)))
    assert text.cut(stop, *mark) == whole[mark[0] : stop]
    assert str(text) == whole

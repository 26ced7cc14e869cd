"""The one call that grows, where nothing but its next piece is expected: the fast way to read it.

Nearly every chunk of a stream is one of these, so no more is done for it than must be.
"""

from __future__ import annotations

from typing import Any

from rendercall.consumer.assembler import ArrivingCall

__all__ = ["OpenCall"]


_SAYS_NOTHING = {"model_provider"}
"""What the clients of all providers put into the metadata of every chunk."""


class OpenCall:
    """A render call whose pieces are ordinary ones.

    Attributes:
        call: the call.
        send: takes the next piece of its text, returns what that changed.
        end: takes that where the reading is over, returns it healed; see `Readings.resume`.
        progress: tells whether the reading is over; the call is then open no more.
        partial: the typed value so far, which is one and the same view from here on.
    """

    __slots__ = ("_chunk_type", "_index", "call", "end", "partial", "progress", "send")

    def __init__(
        self, call: ArrivingCall, chunk_type: type[Any] | None, index: int | str | None
    ) -> None:
        readings = call.readings
        assert readings is not None  # noqa: S101 - `of` has looked
        self.call = call
        self.send = readings.reader.feed
        self.end = readings.resume
        self.progress = readings.reader.progress
        self.partial: Any = readings.reader.partial
        self._chunk_type = chunk_type
        self._index = index

    @classmethod
    def of(
        cls, call: ArrivingCall, chunk_type: type[Any] | None, index: int | str | None
    ) -> OpenCall | None:
        """The call as an open one; None while it may be another's, or be read in another way.

        Args:
            call: the call that the last piece was of.
            chunk_type: the class of the chunks that bring the pieces; None for raw text.
            index: the call's place in them.
        """
        if call.tool is None or call.readings is None or not call.readings.settled:
            return None
        if call.readings.reader.awaits_tag:
            return None
        # Only objects with langchain-core's fields can be read without being looked at.
        readable = "tool_call_chunks" in getattr(chunk_type, "model_fields", ())
        return cls(call, chunk_type if readable else None, index)

    def next_piece(self, chunk: Any) -> str | None:
        """The next piece of the text, from a chunk that is nothing else; None for any other."""
        if type(chunk) is not self._chunk_type:
            return None
        fields = chunk.__dict__
        pieces, metadata = fields["tool_call_chunks"], fields["response_metadata"]
        if len(pieces) != 1 or (metadata and metadata.keys() != _SAYS_NOTHING):
            return None
        piece = pieces[0]
        if piece["name"] or piece["id"] or piece["index"] != self._index:
            return None
        return piece["args"] or ""

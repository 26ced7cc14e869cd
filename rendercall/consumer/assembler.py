"""Fragments put together: which call each belongs to, and the raw text of every call."""

from __future__ import annotations

from dataclasses import dataclass, field

from rendercall.consumer.fragments import Fragment

__all__ = ["ArrivingCall", "Assembler"]


@dataclass(slots=True)
class ArrivingCall:
    """A call while it arrives.

    Attributes:
        name: as far as it is known.
        id: the provider's id; None where it gave none.
        pieces: the argument text so far, in pieces.
    """

    name: str
    id: str | None
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The raw argument text so far."""
        return "".join(self.pieces)


class Assembler:
    """Sorts fragments into calls. Costs O(1) a fragment.

    Providers do not agree on what marks a call. A piece without a name never opens one,
    whatever its id or index says; a new id with a name at a place that is taken does.
    """

    def __init__(self) -> None:
        self.calls: list[ArrivingCall] = []
        self._at: dict[int | str | None, ArrivingCall] = {}

    def feed(self, fragment: Fragment) -> ArrivingCall | None:
        """Add a fragment to its call; None where it belongs to no call at all."""
        call = self._find(fragment)
        if call is None:
            return None
        if fragment.args:
            call.pieces.append(fragment.args)
        return call

    def _find(self, fragment: Fragment) -> ArrivingCall | None:
        last = self._at.get(fragment.index)
        if fragment.name is None:
            return last or (self.calls[-1] if self.calls else None)
        if last is None or _is_another(last, fragment):
            call = ArrivingCall(fragment.name, fragment.id)
            self.calls.append(call)
            self._at[fragment.index] = call
            return call
        if last.name != fragment.name and not last.pieces:
            last.name += fragment.name
        last.id = last.id or fragment.id
        return last


def _is_another(last: ArrivingCall, fragment: Fragment) -> bool:
    """Whether a named fragment at a taken place opens a new call."""
    if last.id and fragment.id:
        return last.id != fragment.id
    return fragment.name != last.name and bool(last.pieces)

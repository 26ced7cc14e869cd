"""Fragments put together: which call each belongs to, and the text of every call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rendercall.consumer.deltas import Delta
from rendercall.consumer.fragments import Fragment
from rendercall.consumer.names import known_name
from rendercall.consumer.plan import ANYTHING, Plan
from rendercall.consumer.plans import plan_of_tool
from rendercall.consumer.readings import Readings
from rendercall.contract import Bounds, RenderTool
from rendercall.contract.args import Args
from rendercall.errors import Issue

__all__ = ["ArrivingCall", "Assembler", "StartReadings", "readings_of"]

StartReadings: TypeAlias = Callable[[str], tuple[RenderTool[Any] | None, Readings[Any]]]
"""From the name in a call to its render tool, if it is of one, and the readings of its args."""


def readings_of(tools: Sequence[RenderTool[Any]]) -> StartReadings:
    """Readings by the schema of the tool that is called; of other calls, as plain JSON.

    Args:
        tools: the render tools.
    """
    named = {tool.name: tool for tool in tools}
    bounds = tools[0].bounds if tools else Bounds()
    anything: Plan[Any] = Plan(ANYTHING)

    def start(name: str) -> tuple[RenderTool[Any] | None, Readings[Any]]:
        known = known_name(name, named)
        if known is None:
            return None, Readings(anything, bounds)
        return named[known], Readings(plan_of_tool(named[known]), named[known].bounds)

    return start


@dataclass(slots=True)
class ArrivingCall:
    """A call while it arrives.

    Attributes:
        name: as far as it is known.
        id: the provider's id; None where it gave none.
        readings: of its args; None before any came.
        tool: the render tool that it calls, once its args come; None for any other.
        is_restated: whether its name comes with every piece, though its id or place differ.
        is_bare: whether pieces of it came without a name.
    """

    name: str
    id: str | None
    readings: Readings[Any] | None = None
    tool: RenderTool[Any] | None = None
    is_restated: bool = False
    is_bare: bool = False

    @property
    def is_open(self) -> bool:
        """Whether its object has begun and is not whole."""
        return self.readings is not None and self.readings.reader.state == "open"

    def goes_on_with(self, fragment: Fragment, *, is_here: bool) -> bool:
        """Whether a fragment that says its name, and another id or place, is of this call."""
        if self.is_open:
            return self.is_restated or fragment.is_middle or (is_here and not fragment.begins)
        return self.is_restated and not fragment.begins

    @property
    def errors(self) -> Sequence[Issue]:
        """What is definitely wrong in its args, whatever may still come or be mended."""
        errors = self.readings.reader.errors if self.readings else ()
        if self.tool is None or self.tool.mend is None:
            return errors
        return [one for one in errors[-1:] if one.code == "too_large"]  # it ends the reading

    def identified(self, fallback: str) -> list[tuple[str, str, Args | None]]:
        """Id, text and args of every object in this call: one, unless a server glued them.

        The args are there where the reader knows them without reading the text again.

        Args:
            fallback: the id where the provider gave none.
        """
        first = self.id or fallback
        if self.readings is None:
            return [(first, "", None)]
        args = self.readings.reader.args
        last = args.text if args else self.readings.reader.text
        read = [*((text, None) for text in self.readings.earlier), (last, args)]
        return [(f"{first}-{n}" if n else first, *one) for n, one in enumerate(read)]


class Assembler:
    """Sorts fragments into calls.

    Providers do not agree on what marks a call. A piece without a name never opens one,
    whatever its id or index says; a known id counts more than an index; a new id with a name
    opens a call, unless its text can only be the middle of one.

    Args:
        start: makes the readings of a call, once its name is known and args come.
    """

    def __init__(self, start: StartReadings) -> None:
        self.calls: list[ArrivingCall] = []
        self._start = start
        self._at: dict[int | str | None, ArrivingCall] = {}
        self._by_id: dict[str, ArrivingCall] = {}
        self._by_name: dict[str, ArrivingCall] = {}  # the last one of each name
        self._early: list[Fragment] = []  # came before any name

    @property
    def began(self) -> bool:
        """Whether any fragment came."""
        return bool(self.calls or self._early)

    def feed(self, fragment: Fragment) -> tuple[ArrivingCall | None, list[Delta]]:
        """Add a fragment to its call.

        Returns:
            The call, None where the fragment belongs to none, and what changed in its args.
        """
        call = self._find(fragment)
        if call is None:
            self._early.append(fragment)
            return None, []
        text = fragment.args
        if self._early:
            text = self._early_text(call, fragment) + text
        if not text or (fragment.whole and call.readings):
            return call, []
        return call, self.readings(call).feed(text)

    def readings(self, call: ArrivingCall) -> Readings[Any]:
        """The readings of a call's args, which begin here where none came before."""
        if call.readings is None:
            call.tool, call.readings = self._start(call.name)
        return call.readings

    def finish(self) -> None:
        """Decide what is undecided: nothing more will come."""
        for call in self.calls:
            if call.readings:
                call.readings.finish()

    def _find(self, fragment: Fragment) -> ArrivingCall | None:
        last = self._at.get(fragment.index)
        known = last
        if fragment.id is not None and (last is None or last.id != fragment.id):
            known = self._by_id.get(fragment.id, last)
        if fragment.name is None or (fragment.whole and known):
            call = known or (self.calls[-1] if self.calls else None)
            if call is not None:
                call.is_bare = True
                self._identify(call, fragment.id)
            return call
        call = self._continued(fragment, fragment.name, last, known)
        if call is None:
            call = ArrivingCall(fragment.name, fragment.id)
            self.calls.append(call)
        self._identify(call, fragment.id)
        self._by_name[call.name] = call
        self._at[fragment.index] = call
        return call

    def _identify(self, call: ArrivingCall, call_id: str | None) -> None:
        call.id = call.id or call_id
        if call.id is not None:
            self._by_id[call.id] = call

    def _continued(
        self, fragment: Fragment, name: str, last: ArrivingCall | None, known: ArrivingCall | None
    ) -> ArrivingCall | None:
        """The call that a named fragment goes on with; None where it opens one.

        Args:
            fragment: the fragment.
            name: its name.
            last: the call that was opened last at its place.
            known: the call that its id or else its place says.
        """
        agrees = known is not None and not (known.id and fragment.id and known.id != fragment.id)
        if known is not None and agrees and known.name == name:
            started = known.readings is None or known.is_open
            if known is last and known.is_bare and known.readings and not fragment.is_middle:
                known.readings.may_restart()  # a stream that was broken off comes again
            if known is last or started or (fragment.args and not fragment.begins):
                return known
        same = self._by_name.get(name)
        if same is not None and same.goes_on_with(fragment, is_here=same is last):
            same.is_restated = True
            return same
        if known is None or not agrees or known is not last:
            return None  # an id that stands in two places is that of two calls
        return known if self._rename(known, name, fragment) else None

    def _rename(self, call: ArrivingCall, name: str, fragment: Fragment) -> bool:
        """Take a name, or the next piece of it; False where it is another call's name."""
        if name == call.name:
            return True
        if call.readings is not None and not (call.is_open and fragment.is_middle):
            return False
        joined = name if name.startswith(call.name) else call.name + name
        if not self._is_known(joined) and (self._is_known(name) or self._is_known(call.name)):
            return False
        call.name = joined
        if call.readings is not None and self._is_known(joined):
            text, call.readings = call.readings.reader.text, None  # read again as that tool's
            self._early.append(Fragment(fragment.index, None, None, text))
        return True

    def _is_known(self, name: str) -> bool:
        return self._start(name)[0] is not None

    def _early_text(self, call: ArrivingCall, fragment: Fragment) -> str:
        """What came for a place before the name of its call did.

        The end of a call whose beginning was missed is not of this one.
        """
        mine = [one for one in self._early if one.index == fragment.index]
        self._early.clear()
        text = "".join(one.args for one in mine)
        if fragment.begins or not text.lstrip().startswith("{"):
            return ""
        call.id = call.id or next((one.id for one in mine if one.id), None)
        return text

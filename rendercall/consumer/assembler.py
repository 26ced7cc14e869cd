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
    """

    name: str
    id: str | None
    readings: Readings[Any] | None = None
    tool: RenderTool[Any] | None = None

    @property
    def errors(self) -> Sequence[Issue]:
        """What is definitely wrong in its args, whatever may still come or be mended."""
        errors = self.readings.reader.errors if self.readings else ()
        mends = self.tool is not None and self.tool.mend is not None
        return [one for one in errors if one.code == "too_large"] if mends else errors

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
    whatever its id or index says; a new id with a name at a place that is taken does.

    Args:
        start: makes the readings of a call, once its name is known and args come.
    """

    def __init__(self, start: StartReadings) -> None:
        self.calls: list[ArrivingCall] = []
        self._start = start
        self._at: dict[int | str | None, ArrivingCall] = {}

    def feed(self, fragment: Fragment) -> tuple[ArrivingCall | None, list[Delta]]:
        """Add a fragment to its call.

        Returns:
            The call, None where the fragment belongs to none, and what changed in its args.
        """
        call = self._find(fragment)
        if call is None or not fragment.args or (fragment.whole and call.readings):
            return call, []
        if call.readings is None:
            call.tool, call.readings = self._start(call.name)
        return call, call.readings.feed(fragment.args)

    def finish(self) -> None:
        """Decide what is undecided: nothing more will come."""
        for call in self.calls:
            if call.readings:
                call.readings.finish()

    def _find(self, fragment: Fragment) -> ArrivingCall | None:
        last = self._at.get(fragment.index)
        if fragment.name is None or (fragment.whole and last):
            return last or (self.calls[-1] if self.calls else None)
        if last is None or _is_another(last, fragment):
            call = ArrivingCall(fragment.name, fragment.id)
            self.calls.append(call)
            self._at[fragment.index] = call
            return call
        if last.name != fragment.name and last.readings is None:
            last.name += fragment.name
        last.id = last.id or fragment.id
        return last


def _is_another(last: ArrivingCall, fragment: Fragment) -> bool:
    """Whether a named fragment at a taken place opens a new call."""
    if last.id and fragment.id:
        return last.id != fragment.id
    return fragment.name != last.name and last.readings is not None

"""The tool calls of a run, as people follow them: one step a call, put together from its events.

The events are those of `rendercall.results.tool_events`. Of each only the UI summary and the
duration are read, so that nothing else can be shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rendercall.card.words import Language, StepStatus, duration, told_step
from rendercall.contract.status import Status

__all__ = ["LIVE_STEPS", "Step", "StepList", "Steps"]

MAX_STEPS = 100
"""Steps that are kept: a run may be long."""

LIVE_STEPS = 6
"""Steps that stand above a card that forms: it must stay in sight."""

MAX_TEXT = 120
"""Characters of a title or a detail: a tool's name may be a model's word for it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a tool.

    Attributes:
        call_id: the call's id.
        status: how it is.
        title: the tool's name for people.
        detail: a few words more; empty where there is nothing to say.
        seconds: how long it took; None before its end.
    """

    call_id: str
    status: StepStatus
    title: str
    detail: str = ""
    seconds: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status not in {"running", "waiting"}

    def line(self, language: Language) -> str:
        """All of it in one line, the status first; a tool's text is in it as it came."""
        words = told_step(self.status, language)
        took = "" if self.seconds is None else duration(self.seconds, language)
        said = (f"{words.sign} {words.what}", self.title, self.detail, took)
        return " · ".join(filter(None, said))


@dataclass(frozen=True, slots=True)
class Steps:
    """What is shown of a run's steps.

    Attributes:
        steps: the newest ones, the newest last.
        earlier: how many there are before them.
    """

    steps: tuple[Step, ...] = ()
    earlier: int = 0


class StepList:
    """The steps of a run, in the order in which they began.

    Args:
        language: in which the summaries are read.
    """

    def __init__(self, language: Language) -> None:
        self._language: Language = language
        self._steps: dict[int, Step] = {}
        self._begun = 0
        self._latest: dict[str, int] = {}  # the call's number by its id

    def shown(self, most: int = MAX_STEPS) -> Steps:
        """The steps as they are now.

        Args:
            most: how many, at the most.
        """
        newest = tuple(self._steps.values())[-most:]
        return Steps(newest, self._begun - len(newest))

    def above(self, status: Status) -> Steps:
        """The steps above a card: the newest while it forms, and all of them with its outcome."""
        return self.shown(LIVE_STEPS if status == "partial" else MAX_STEPS)

    def take(self, event: object) -> Step | None:
        """Read one part of the run's `custom` stream.

        Args:
            event: of a tool; anything else is passed over.

        Returns:
            The step as it is now; None where the part changed none.
        """
        read = _read(event, self._language)
        if read is None:
            return None
        kind, step = read
        number = self._latest.get(step.call_id, 0)
        known = self._steps.get(number)
        if known is not None and known.is_over and kind == "progress":
            return None  # too late
        begins = kind in {"start", "waiting"}
        if known is None or (known.is_over and begins):  # some models use an id again
            number = self._begun = self._begun + 1
        self._latest[step.call_id] = number
        self._steps[number] = step
        self._forget()
        return step

    def end(self, *, was_cut: bool) -> None:
        """The run is over: no step runs any more.

        Args:
            was_cut: whether it was stopped, or failed; else a step may wait for an answer.
        """
        over: set[StepStatus] = {"running", "waiting"} if was_cut else {"running"}
        for number, step in self._steps.items():
            if step.status in over:
                self._steps[number] = replace(step, status="stopped", detail="")

    def _forget(self) -> None:
        if len(self._steps) > MAX_STEPS:
            number = next(iter(self._steps))
            call_id = self._steps.pop(number).call_id
            if self._latest[call_id] == number:
                del self._latest[call_id]


def _read(event: Any, language: Language) -> tuple[str, Step] | None:
    """The kind of an event, and the step as it tells of it; None where it is none."""
    match event:
        case {
            "type": "tool_event",
            "event": "start" | "progress" | "waiting" | "end" as kind,
            "tool_call_id": str(call_id),
            "summary": {
                "status": "running" | "waiting" | "success" | "error" as status,
                "title": Mapping() as titles,
                "detail": Mapping() as details,
            },
        }:
            title, detail = _text(titles.get(language)), _text(details.get(language))
            seconds = _seconds(event.get("duration_ms"))
            return (kind, Step(call_id, status, title, detail, seconds)) if title else None
        case _:
            return None


def _text(text: object) -> str:
    return text[:MAX_TEXT] if isinstance(text, str) else ""


def _seconds(took_ms: object) -> float | None:
    return took_ms / 1000 if type(took_ms) is int and took_ms >= 0 else None

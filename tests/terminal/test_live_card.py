from __future__ import annotations

import asyncio
import io
from typing import Any

import pytest
from rich.console import Console

from rendercall import RenderTool
from rendercall.card.steps import LIVE_STEPS
from rendercall.terminal import LiveCard
from schemas.learning_plan import LearningPlan

PLAN: dict[str, Any] = {
    "topic": "SQL",
    "level": "beginner",
    "objectives": ["Read a query."],
    "lessons": [{"title": "Select", "duration_minutes": 15}],
    "total_minutes": 15,
}
SCHEMA = RenderTool(LearningPlan).schema


def event(kind: str, call_id: str, status: str, detail: str = "") -> dict[str, Any]:
    return {
        "type": "tool_event",
        "event": kind,
        "tool_call_id": call_id,
        "summary": {"status": status, "title": {"en": call_id}, "detail": {"en": detail}},
    }


async def test_live_without_a_terminal() -> None:
    """Where the output is no terminal, the final card is printed once and nothing before it."""
    file = io.StringIO()
    async with LiveCard(Console(file=file, width=80), SCHEMA, "en") as card:
        card.update({"topic": "SQ"}, {(), ("topic",)})
        await asyncio.sleep(0.2)
        card.finish("ok", PLAN)
    shown = file.getvalue()
    assert shown.count("Complete and checked") == 1
    assert "Still arriving" not in shown


async def test_live_in_a_terminal() -> None:
    """In a terminal the value is drawn while it arrives, then the outcome stays."""
    file = io.StringIO()
    console = Console(file=file, width=80, force_terminal=True, _environ={})
    async with LiveCard(console, SCHEMA, "en") as card:
        card.update({"topic": "SQ"}, {(), ("topic",)})
        await asyncio.sleep(0.2)
        card.finish("truncated", None)
    shown = file.getvalue()
    assert shown.index("SQ") < shown.index("Cut off before it was complete")


async def test_nothing_had_arrived() -> None:
    """An outcome without any value is told without an empty card."""
    file = io.StringIO()
    async with LiveCard(Console(file=file, width=80), SCHEMA, "en") as card:
        card.finish("absent", None)
    assert file.getvalue().splitlines()[0] == "∅ Nothing was shown"


async def test_no_card_is_left_after_an_exception() -> None:
    """A run that could not even be made leaves no card that still waits."""
    file = io.StringIO()
    with pytest.raises(ValueError, match="gone"):
        async with LiveCard(Console(file=file, width=80), SCHEMA, "en"):
            raise ValueError("gone")
    assert file.getvalue() == ""


async def test_steps_above_the_card() -> None:
    """While they run the newest are drawn, the number of those before them is told."""
    file = io.StringIO()
    console = Console(file=file, width=80, force_terminal=True, _environ={})
    async with LiveCard(console, SCHEMA, "en") as card:
        for number in range(LIVE_STEPS + 3):
            card.tell(event("start", f"step {number}", "running"))
        card.tell({"type": "render_frame", "seq": 0, "frame": None})
        await asyncio.sleep(0.2)
        drawn = file.getvalue()
        card.finish("ok", PLAN)
    assert "… 3 earlier" in drawn
    assert "step 2" not in drawn
    assert drawn.index("step 3") < drawn.index("Still arriving", drawn.index("step 3"))
    last = file.getvalue()[len(drawn) :]
    assert "step 0" in last
    assert "earlier" not in last


@pytest.mark.parametrize(
    ("status", "ends"), [("ok", ["Stopped", "Waiting"]), ("aborted", ["Stopped", "Stopped"])]
)
async def test_steps_without_a_terminal(status: Any, ends: list[str]) -> None:
    """The steps are printed once, above the card, and none of them runs any more."""
    file = io.StringIO()
    async with LiveCard(Console(file=file, width=80), SCHEMA, "en") as card:
        card.tell(event("start", "searching", "running"))
        card.tell(event("waiting", "asking", "waiting", "for an answer"))
        await asyncio.sleep(0.2)
        card.finish(status, PLAN if status == "ok" else None)
    lines = [line.split() for line in file.getvalue().splitlines()[:2]]
    assert [(line[1], line[2]) for line in lines] == list(
        zip(ends, ["searching", "asking"], strict=True)
    )
    assert file.getvalue().count("searching") == 1

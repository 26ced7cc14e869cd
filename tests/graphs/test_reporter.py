from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from graphs.parts.reporter import report_reply

DAY = {"date": "2026-06-01", "sky": "rain", "low": 4, "high": 9, "rain": 3, "wind": 5}
FOUND = {"place": "Bergen", "source": "generated", "days": [DAY, {**DAY, "rain": 0, "high": 11}]}
ASKED = HumanMessage("Bergen?")


def answer(name: str, artifact: Any = None, **fields: Any) -> ToolMessage:
    return ToolMessage("No such place.", name=name, tool_call_id="c", artifact=artifact, **fields)


def tools(*names: str) -> list[dict[str, Any]]:
    return [{"type": "function", "function": {"name": name}} for name in names]


ACTIVE = tools("use_skill", "get_weather", "output_weather")
STEPS: dict[str, tuple[list[BaseMessage], list[dict[str, Any]], str]] = {
    "the skill is not active": ([ASKED], tools("use_skill"), "use_skill"),
    "active": ([ASKED], ACTIVE, "get_weather"),
    "looked up": ([ASKED, answer("get_weather", FOUND)], ACTIVE, "output_weather"),
    "no such place": ([ASKED, answer("get_weather", {"places": ["Rome"]})], ACTIVE, ""),
    "nothing asked": ([HumanMessage(" ")], ACTIVE, ""),
    "refused": ([ASKED, answer("get_weather", FOUND), answer("output_weather", status="error")], ACTIVE, ""),
    "a new turn": ([ASKED, answer("get_weather", FOUND), HumanMessage("Rome?")], ACTIVE, "get_weather"),
}  # fmt: skip


@pytest.mark.parametrize(("messages", "offered", "called"), STEPS.values(), ids=STEPS)
def test_each_step(messages: list[BaseMessage], offered: list[dict[str, Any]], called: str) -> None:
    """One call a step, or words where there is nothing to show; the same again for the same."""
    reply = report_reply(messages, offered)
    assert [call.name for call in reply.calls] == ([called] if called else [])
    assert reply.calls or reply.text
    assert report_reply(messages, offered) == reply


def test_the_card_is_what_was_found() -> None:
    """Not a number is added; the summary follows from the days."""
    (call,) = report_reply([ASKED, answer("get_weather", FOUND)], ACTIVE).calls
    assert call.args == {
        "data": FOUND,
        "summary": "Bergen: 4 to 11 °C, and an umbrella on 1 of 2 days.",
    }

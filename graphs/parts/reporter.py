"""The offline weather reporter: a rule that answers like a model, and is none.

It takes up the skill, looks the place up, and shows what was found. The same messages give the
same reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from rendercall.models import Call, Reply

__all__ = ["report_reply"]

SKILL = "weather"
LOOK_UP = "get_weather"
RENDER = "output_weather"

_TOLD = "Reported by fixed rules, without a model."
_ASK_PLACE = "Which place?"
_GIVEN_UP = "The rule-based reporter has no other card to offer."


def report_reply(messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]]) -> Reply:
    """The next reply of the rule-based reporter; the rule of a `RuleBasedChatModel`.

    Args:
        messages: the request, oldest first.
        tools: the tools that may be called, in OpenAI's form.
    """
    asked, answers = _turn(messages)
    if not asked.strip():
        return Reply(text=_ASK_PLACE)
    if RENDER not in {tool["function"]["name"] for tool in tools}:
        return Reply(calls=(Call("use_skill", {"name": SKILL}),))
    if any(one.name == RENDER for one in answers):
        return Reply(text=_GIVEN_UP)  # it was refused, and the rules would write it again
    looked_up = [one for one in answers if one.name == LOOK_UP]
    if not looked_up:
        return Reply(calls=(Call(LOOK_UP, {"place": asked}),))
    match looked_up[-1].artifact:
        case {"place": str(), "days": [_, *_]} as found:
            args = {"data": found, "summary": _summary(found)}
            return Reply(text=_TOLD, calls=(Call(RENDER, args),))
        case _:
            return Reply(text=str(looked_up[-1].text))


def _turn(messages: Sequence[BaseMessage]) -> tuple[str, list[ToolMessage]]:
    """What the human said last, and what tools answered since."""
    answers: list[ToolMessage] = []
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return str(message.text), answers[::-1]
        if isinstance(message, ToolMessage):
            answers.append(message)
    return "", answers[::-1]


def _summary(found: Mapping[str, Any]) -> str:
    days: list[Mapping[str, Any]] = found["days"]
    wet = sum(1 for day in days if day["rain"])
    low, high = min(day["low"] for day in days), max(day["high"] for day in days)
    umbrella = f"an umbrella on {wet} of {len(days)} days" if wet else "no umbrella"
    return f"{found['place']}: {low} to {high} °C, and {umbrella}."

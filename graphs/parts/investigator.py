"""The rule of the rule-based investigator: a conversation to the next calls, or the report.

The investigation is run anew for every reply, over the results that have come since the user
spoke: nothing is kept between two replies, and the same conversation gives the same reply.
"""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from pydantic import TypeAdapter

from graphs.parts.investigation import Evidence, investigate
from graphs.parts.log_lines import iso
from graphs.parts.log_results import FoundRecords, ReadLines
from graphs.parts.readings import Seen
from graphs.parts.report_rules import make_report
from graphs.parts.request import Language, read_request
from rendercall.models import Call, Reply
from rendercall.results import tool_result

__all__ = ["investigate_reply"]

RENDER = "render_incident_report"

_TOLD: Mapping[Language, str] = {
    "en": "Written by fixed rules, without a model.",
    "zh": "由固定规则生成，未使用模型。",
}
_GIVEN_UP: Mapping[Language, str] = {
    "en": "The rules have no other report to offer for these logs.",
    "zh": "对这些日志，规则无法给出其他报告。",
}
_FOUND: TypeAdapter[FoundRecords | ReadLines] = TypeAdapter(FoundRecords | ReadLines)


def investigate_reply(messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]]) -> Reply:
    """The next reply; the rule of a `RuleBasedChatModel`.

    Args:
        messages: the request, oldest first.
        tools: the tools that may be called; the investigation needs both of the graph's.
    """
    del tools
    text, turn = _last_turn(messages)
    language = read_request(text).language
    if any(call["name"] == RENDER for call in _calls(turn)):
        return Reply(text=_GIVEN_UP[language])  # the report was refused
    results = {one.tool_call_id: _seen(one) for one in turn if isinstance(one, ToolMessage)}
    given = [results[call["id"]] for call in _calls(turn) if call["id"] in results]
    asked = _replayed(text, given)
    if isinstance(asked, Evidence):
        report = make_report(asked, language)
        args = report.model_dump(mode="json")
        for entry, written in zip(report.timeline, args["timeline"], strict=True):
            written["time"] = iso(entry.time)  # as the records have it
        return Reply(text=_TOLD[language], calls=(Call(RENDER, args),))
    return Reply(calls=asked)


def _replayed(about: str, given: Sequence[Seen]) -> tuple[Call, ...] | Evidence:
    """Where the investigation stands after these results."""
    steps = investigate(about)
    try:
        calls = next(steps)
        start = 0
        while start + len(calls) <= len(given):
            results = given[start : start + len(calls)]
            start += len(calls)
            calls = steps.send(results)
    except StopIteration as end:
        evidence: Evidence = end.value
        return evidence
    return calls


def _last_turn(messages: Sequence[BaseMessage]) -> tuple[str, Sequence[BaseMessage]]:
    """What the user last said, and what came after it.

    A graph may remind a model to render, in a human message; people do not name the call.
    """
    humans = [
        number
        for number, message in enumerate(messages)
        if isinstance(message, HumanMessage) and RENDER not in message.text
    ]
    if not humans:
        return "", messages
    return str(messages[humans[-1]].text), messages[humans[-1] + 1 :]


def _calls(turn: Sequence[BaseMessage]) -> list[Any]:
    return [call for one in turn if isinstance(one, AIMessage) for call in one.tool_calls]


def _seen(message: ToolMessage) -> Seen:
    read = tool_result(message, _FOUND)
    return Seen(read.outcome, read.value)

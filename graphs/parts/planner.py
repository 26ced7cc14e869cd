"""The offline planner: a rule that answers like a model, and is none.

It searches the documentation once, makes a plan of the pages that it found, and changes the
last plan when asked to ("shorter", "more advanced", …). The same messages give the same reply.
"""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from pydantic import ValidationError

from graphs.parts.plan_rules import PageFound, Reason, change_plan, make_plan, plain_plan
from graphs.parts.request import Language, Request, changes_asked, read_request
from rendercall.models import Call, Reply
from schemas.learning_plan import LearningPlan

__all__ = ["plan_reply"]

RENDER = "render_learning_plan"
SEARCH = "search_docs"

_TOLD: Mapping[Language, str] = {
    "en": "Planned by fixed rules, without a model.",
    "zh": "由固定规则生成，未使用模型。",
}
_ASK_TOPIC = "What do you want to learn? 你想学什么？"
_GIVEN_UP: Mapping[Language, str] = {
    "en": "The rule-based planner has no other plan to offer for this topic.",
    "zh": "基于规则的规划器无法为该主题提供其他计划。",
}


@dataclass(frozen=True, slots=True)
class _Turn:
    """What happened since the user last spoke, and the plan before that.

    Attributes:
        text: what the user said.
        searched: whether a search was asked for.
        pages: the pages that it found; None where no result has arrived.
        refusals: how many answers of this turn were refused.
        previous: the newest valid plan of earlier turns.
    """

    text: str
    searched: bool
    pages: tuple[PageFound, ...] | None
    refusals: int
    previous: LearningPlan | None


def plan_reply(messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]]) -> Reply:
    """The next reply of the rule-based planner; the rule of a `RuleBasedChatModel`.

    Args:
        messages: the request, oldest first.
        tools: the tools that may be called, in OpenAI's form.
    """
    turn = _read_turn(messages)
    request = read_request(turn.text)
    changes = changes_asked(turn.text) if turn.previous else ()
    if not request.topic:
        return Reply(text=_ASK_TOPIC)
    if turn.refusals > 1:
        return Reply(text=_GIVEN_UP[request.language])
    if turn.refusals:
        asked = _about(turn.previous, request) if turn.previous and changes else request
        return _render(plain_plan(asked, "refused"), request.language)
    if turn.previous and changes:
        plan = turn.previous
        for change in changes:
            plan = change_plan(plan, change, request.language)
        return _render(plan, request.language)
    if not turn.searched and SEARCH in [tool["function"]["name"] for tool in tools]:
        return Reply(calls=(Call(name=SEARCH, args={"query": request.query}),))
    if turn.pages:
        return _render(make_plan(request, turn.pages), request.language)
    reason: Reason = "no_search" if turn.pages is None else "no_page"
    return _render(plain_plan(request, reason), request.language)


def _render(plan: LearningPlan, language: Language) -> Reply:
    return Reply(text=_TOLD[language], calls=(Call(name=RENDER, args=plan.model_dump()),))


def _about(plan: LearningPlan, request: Request) -> Request:
    """The request to plan the same topic again."""
    return Request(plan.topic, plan.level, request.language, plan.topic)


def _read_turn(messages: Sequence[BaseMessage]) -> _Turn:
    # A graph may remind a model to render, in a human message; people do not name the call.
    humans = [
        n
        for n, message in enumerate(messages)
        if isinstance(message, HumanMessage) and RENDER not in message.text
    ]
    start = humans[-1] if humans else len(messages)
    calls = {
        call["id"]: call["name"]
        for message in messages[start:]
        if isinstance(message, AIMessage)
        for call in (*message.tool_calls, *message.invalid_tool_calls)
    }
    answers = [message for message in messages[start:] if isinstance(message, ToolMessage)]
    found = [answer for answer in answers if calls.get(answer.tool_call_id) == SEARCH]
    refused = [answer for answer in answers if answer not in found and answer.status == "error"]
    return _Turn(
        text=str(messages[start].text) if humans else "",
        searched=SEARCH in calls.values(),
        pages=_pages(found[-1].artifact) if found else None,
        refusals=len(refused),
        previous=_last_plan(messages[:start]),
    )


def _pages(artifact: object) -> tuple[PageFound, ...] | None:
    """The pages with all the words that were searched for; None for no list of hits.

    Pages with only some of the words are left out: whether they are about the topic takes a
    reader to judge.
    """
    if not isinstance(artifact, list):
        return None
    pages: list[PageFound] = []
    for hit in cast("list[object]", artifact):
        match hit:
            case {
                "title": str(title),
                "source": str(source),
                "snippet": str(snippet),
                "complete": True,
            } if title:
                pages.append(PageFound(title, source, snippet))
            case _:
                pass
    return tuple(pages)


def _last_plan(messages: Sequence[BaseMessage]) -> LearningPlan | None:
    for message in reversed(messages):
        for call in reversed(message.tool_calls if isinstance(message, AIMessage) else ()):
            if call["name"] == RENDER:
                try:
                    return LearningPlan.model_validate(call["args"])
                except ValidationError:
                    continue  # refused at the time; the plan before it still stands
    return None

"""What the scripted model answers: the words of the request name it, `key=value` among them.

- `outcome`: one of `OUTCOMES`; `ok` by default.
- `lang`: `en` or `zh`, the plan's language.
- `chunk`: characters a fragment. `delay`: milliseconds before each.
- `size`: about how many bytes the plan has.
- `payloads=kind:start:count`: attacks as the titles of the lessons.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from rendercall.models import Call, Reply
from tests.browser.payloads import PAYLOADS
from tests.browser.shapes import TRIP, plan_tool, poll_tool, trip_tool

__all__ = ["HOSTILE", "OUTCOMES", "SECRET", "Request", "answer", "plan_of"]

SECRET = "sk-secret-9f3"

TITLES = {
    "en": ["Names and values", "Lists, and what they hold", 'Say "no" to globals', "A\nbreak & <b>"],
    "zh": ["变量与值", "列表和推导式 — 例题", "函数“纯度”与测试", "异常😀处理"],
}  # fmt: skip
OBJECTIVES = {
    "en": ["Explain what a name is bound to.", "Choose a container for a task."],
    "zh": ["解释名称与对象的关系。", "为任务选择合适的容器。"],
}
TOPIC = {"en": "Python for people who count", "zh": "面向统计人员的 Python"}


@dataclass(frozen=True)
class Request:
    """What the human's words ask of the script."""

    outcome: str = "ok"
    lang: str = "en"
    chunk: int = 7
    delay: int = 5
    size: int = 0
    payloads: str = ""
    known: frozenset[str] = field(default=frozenset(), compare=False)

    @classmethod
    def of(cls, messages: Sequence[BaseMessage]) -> Request:
        """Read what the human asked last."""
        return cls.read(str(messages[asked(messages)].text))

    @classmethod
    def read(cls, text: str) -> Request:
        found = dict(re.findall(r"\b(outcome|lang|chunk|delay|size|payloads)=(\S+)", text))
        numbers = {key: int(found.pop(key)) for key in ("chunk", "delay", "size") if key in found}
        return cls(**found, **numbers)


def plan_of(request: Request) -> dict[str, Any]:
    """A valid plan."""
    titles = list(TITLES[request.lang])
    if request.payloads:
        kind, start, count = request.payloads.split(":")
        titles = PAYLOADS[kind][int(start) : int(start) + int(count)]
    lessons = [
        {"title": title, "duration_minutes": 5 + 25 * (number % 50)}
        for number, title in enumerate(titles)
    ]
    while (
        request.size and len(json.dumps(lessons, ensure_ascii=False).encode()) < request.size - 300
    ):
        number = len(lessons)
        title = f"{titles[number % 4]} ({number})"
        lessons.append({"title": title, "duration_minutes": 5 + 25 * (number % 50)})
    return {
        "topic": TOPIC[request.lang],
        "level": "intermediate",
        "objectives": OBJECTIVES[request.lang],
        "lessons": lessons,
        "total_minutes": sum(one["duration_minutes"] for one in lessons),
    }  # fmt: skip


HOSTILE: dict[str, Any] = {
    "topic": "<img src=x onerror=alert(1)>",
    "level": "beginner",
    "objectives": [
        "[click](javascript:alert(1))",
        "</script><script>alert(1)</script>",
        "\u202eevil\u202c \u200b\u2066x\u2069 a\u0300\u0301\u0302",
        "javascript:alert(1)",
        "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    ],
    "lessons": [
        {"title": "__proto__", "duration_minutes": 1},
        {"title": "constructor", "duration_minutes": 2**53 + 1},
        {"title": "{{7*7}} ${7*7} <%= 7*7 %>", "duration_minutes": 3},
        {"title": "x" * 300, "duration_minutes": 4},
    ],
    "total_minutes": 2**63,
}


def _shown(args: Any, tool: Any = plan_tool, **fields: Any) -> Reply:
    return Reply(calls=[Call(tool.name, args)], **fields)


def _cut(request: Request, _: int) -> Reply:
    """Inside the 30 of the second lesson: 3 would be a valid number."""
    text = json.dumps(plan_of(request), ensure_ascii=False)
    return _shown(text).cut(text.index(": 30") + 3)


def _wrong(request: Request) -> dict[str, Any]:
    plan = {**plan_of(request), "level": "expert", "total_minutes": -5}
    plan["lessons"][1]["title"] = ""
    return plan


def _failing(_: Request, __: int) -> Reply:
    raise RuntimeError(f"the key {SECRET} was refused")


def _failing_late(request: Request, step: int) -> Reply:
    return _shown(_wrong(request)) if step == 0 else _failing(request, step)


def _with_tools(request: Request, step: int, pause_ms: int = 1) -> Reply:
    """Three calls at once, and then the plan."""
    if step:
        return _shown(plan_of(request))
    return Reply(
        calls=[
            Call("count_rows", {"query": SECRET, "pause_ms": pause_ms}, "count"),
            Call("find_row", {"query": SECRET}, "find"),
            Call("odd_name", {}, "odd"),
        ]
    )


OUTCOMES: dict[str, Callable[[Request, int], Reply]] = {
    "ok": lambda request, _: _shown(plan_of(request), text="Here is your plan."),
    "cut": _cut,
    "invalid": lambda request, _: _shown(_wrong(request)),
    "repaired": lambda request, step: _shown(_wrong(request) if step == 0 else plan_of(request)),
    "refused": lambda *_: Reply(refusal="I cannot help with that."),
    "filtered": lambda request, _: _shown(plan_of(request)).cut(120, "content_filter"),
    "failed": _failing,
    "failed_late": _failing_late,
    "empty": lambda *_: Reply(),
    "text": lambda *_: Reply("I would rather <b>talk</b> about it."),
    "hostile": lambda *_: _shown(HOSTILE),
    "tools": _with_tools,
    "slow_tools": lambda request, step: _with_tools(request, step, pause_ms=50),
    "trip": lambda *_: _shown(TRIP, trip_tool),
    "trip_cut": lambda *_: _shown(TRIP, trip_tool).cut(170),
    "trip_wrong": lambda *_: _shown({**TRIP, "booked": "yes", "page": "javascript:alert(1)"}, trip_tool),
    "poll": lambda *_: _shown({"question": "Which?", "choices": ["a", "b"], "closes": 2**60}, poll_tool),
}  # fmt: skip
"""The request and how often the model was asked in this turn, to the reply."""


def asked(messages: Sequence[BaseMessage]) -> int:
    """Where the turn begins; the graph's own reminder is no human's message."""
    return max(
        place
        for place, one in enumerate(messages)
        if isinstance(one, HumanMessage)
        and not str(one.text).startswith("Give the final answer now")
    )


def answer(messages: Sequence[BaseMessage]) -> Reply:
    """The reply to a conversation."""
    step = sum(isinstance(one, AIMessage) for one in messages[asked(messages) :])
    request = Request.of(messages)
    return OUTCOMES[request.outcome](request, step)

"""Learning plans made and changed by fixed rules, out of real search hits.

The rules: one lesson for each page that was found, then practice and review until there are
at least three lessons. A page takes five minutes for each 60 characters begun of its snippet;
every other lesson takes ten. The total is the sum.
"""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from graphs.parts.request import Change, Language, Request
from schemas.learning_plan import LearningPlan, Lesson, Level

__all__ = ["PageFound", "Reason", "change_plan", "make_plan", "plain_plan"]

Reason: TypeAlias = Literal["no_page", "no_search", "refused"]
"""Why a plan rests on no page: none was found, none was looked for, or such a plan was refused."""

_LEVELS: tuple[Level, ...] = get_args(Level)
_MIN_LESSONS, _MAX_LESSONS = 3, 6
_STEP_MINUTES = 5
_STEP_CHARS = 60
_EXTRA_MINUTES = 10


@dataclass(frozen=True, slots=True)
class PageFound:
    """A page to make a lesson of: title, source and snippet of a search hit."""

    title: str
    source: str
    snippet: str


@dataclass(frozen=True, slots=True)
class _Words:
    """The texts of one language; braces name what is filled in."""

    overview: str
    practice: str
    review: str
    explain: str
    apply: str
    own_words: str
    reasons: Mapping[Reason, str]


_WORDS: Mapping[Language, _Words] = {
    "en": _Words(
        overview="Overview: {it}",
        practice="Practice: {it}",
        review="Review: {it}",
        explain="Explain {it} from its page ({source}).",
        apply="Use {it} in a small exercise of your own.",
        own_words="Explain the main ideas of {it} in your own words.",
        reasons={
            "no_page": "Find a good source on {it}: the Python documentation had no hits for it.",
            "no_search": "Find a good source on {it}: no documentation was searched for this plan.",
            "refused": "Find a good source on {it}: a plan made of pages was not accepted.",
        },
    ),
    "zh": _Words(
        overview="概览：{it}",
        practice="练习：{it}",
        review="复习：{it}",
        explain="根据文档页面说明“{it}”（{source}）。",
        apply="在自己的小练习中使用“{it}”。",
        own_words="用自己的话说明“{it}”的要点。",
        reasons={
            "no_page": "为“{it}”找到可靠的资料：Python 文档中没有找到相关内容。",
            "no_search": "为“{it}”找到可靠的资料：这份计划没有检索任何文档。",
            "refused": "为“{it}”找到可靠的资料：根据页面生成的计划未被接受。",
        },
    ),
}


def make_plan(request: Request, pages: Sequence[PageFound]) -> LearningPlan:
    """A plan of three to six lessons, one for each of the first five pages.

    Args:
        request: the topic must not be empty.
        pages: at least one; of pages with one title the first counts.
    """
    words = _WORDS[request.language]
    by_title: dict[str, PageFound] = {}
    for page in pages:
        by_title.setdefault(page.title, page)
    chosen = list(by_title.values())[: _MAX_LESSONS - 1]
    extras = (words.practice, words.review)[: max(1, _MIN_LESSONS - len(chosen))]
    lessons = [Lesson(title=p.title, duration_minutes=_minutes(p.snippet)) for p in chosen]
    lessons += [_extra(extra, request.topic) for extra in extras]
    objectives = [words.explain.format(it=page.title, source=page.source) for page in chosen]
    objectives.append(words.apply.format(it=request.topic))
    return _plan(request.topic, request.level, objectives, lessons)


def plain_plan(request: Request, reason: Reason) -> LearningPlan:
    """A plan for any topic that rests on no page, and says so in its first objective."""
    words = _WORDS[request.language]
    objectives = [words.reasons[reason], words.own_words, words.apply]
    lessons = [words.overview, words.practice, words.review]
    return _plan(
        request.topic,
        request.level,
        [objective.format(it=request.topic) for objective in objectives],
        [_extra(lesson, request.topic) for lesson in lessons],
    )


def change_plan(plan: LearningPlan, change: Change, language: Language) -> LearningPlan:
    """A new plan: fewer or more lessons, or the next level.

    Shorter drops the last third of the lessons, or halves the only one. Longer adds practice
    up to six lessons, or five minutes to each. Harder and easier name the next level: rules
    cannot write other contents.
    """
    match change:
        case "shorter":
            return _shorter(plan)
        case "longer":
            return _longer(plan, _WORDS[language].practice)
        case "harder" | "easier":
            step = 1 if change == "harder" else -1
            position = min(max(_LEVELS.index(plan.level) + step, 0), len(_LEVELS) - 1)
            return plan.model_copy(update={"level": _LEVELS[position]})


def _shorter(plan: LearningPlan) -> LearningPlan:
    count = max(1, len(plan.lessons) * 2 // 3)
    lessons = plan.lessons[:count]
    if count == len(plan.lessons):
        minutes = max(1, lessons[0].duration_minutes // 2)
        lessons = [Lesson(title=lessons[0].title, duration_minutes=minutes)]
    return _plan(plan.topic, plan.level, plan.objectives[:count], lessons)


def _longer(plan: LearningPlan, practice: str) -> LearningPlan:
    taken = {lesson.title for lesson in plan.lessons}
    room = max(0, _MAX_LESSONS - len(plan.lessons))
    own = practice.format(it="")  # what a lesson of practice starts with
    practised = [lesson for lesson in plan.lessons if not lesson.title.startswith(own)]
    new = [_extra(practice, lesson.title) for lesson in practised]
    new = [lesson for lesson in new if lesson.title not in taken][:room]
    lessons = plan.lessons + new
    if not new:
        lessons = [
            Lesson(title=old.title, duration_minutes=old.duration_minutes + _STEP_MINUTES)
            for old in lessons
        ]
    return _plan(plan.topic, plan.level, plan.objectives, lessons)


def _extra(words: str, topic: str) -> Lesson:
    return Lesson(title=words.format(it=topic), duration_minutes=_EXTRA_MINUTES)


def _minutes(snippet: str) -> int:
    return _STEP_MINUTES * max(1, math.ceil(len(snippet) / _STEP_CHARS))


def _plan(
    topic: str, level: Level, objectives: Sequence[str], lessons: Sequence[Lesson]
) -> LearningPlan:
    return LearningPlan(
        topic=topic,
        level=level,
        objectives=list(objectives),
        lessons=list(lessons),
        total_minutes=sum(lesson.duration_minutes for lesson in lessons),
    )

"""What a user's text asks for, by rules: the topic, the level, the language, a change.

English and Chinese. The rules know phrases, not meaning; what they do not know is a topic.
"""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from schemas.learning_plan import Level

__all__ = ["Change", "Language", "Request", "changes_asked", "read_request"]

Language: TypeAlias = Literal["en", "zh"]
Change: TypeAlias = Literal["shorter", "longer", "harder", "easier"]

_MAX_TEXT = 1000
_MAX_TOPIC = 200

_PLAN_ABOUT = (
    r".*\b(?:learning|study|lesson|course|training)\s+plan"
    r"(?:\s+for\s+(?:absolute\s+|complete\s+)?\w+(?=\s+(?:about|on)\s))?"
    r"\s*(?::|\b(?:about|on|for|of|covering)\s)\s*(?P<topic>.+)"
)
_PLAN_FOR_LEARNING = r".*\bplan\s+(?:for\s+learning|to\s+learn)\s+(?:about\s+)?(?P<topic>.+)"
_WANT_TO_LEARN = (
    r"(?:(?:please|can you|could you|i want to|i'd like to|i would like to|i need to|"
    r"help me to|help me|how do i|how can i|let me)\s+)+"
    r"(?:learn|study|understand)\s+(?:more\s+)?(?:about\s+)?(?P<topic>.+)"
)
_TEACH_ME = (
    r"(?:(?:please|can you|could you)\s+)*(?:teach me|explain|learn)\s+"
    r"(?:more\s+)?(?:about\s+)?(?P<topic>.+)"
)
_PLAN_ABOUT_ZH = (
    r"(?:请|你|能|可以|帮我|给我|为我|我|想|要)*(?:做|制定|制订|写|生成|设计|创建|准备|来)"
    r"(?:一个|一份|个|份)?(?:关于|有关)?(?P<topic>.+?)\s*的?\s*学习(?:计划|路线).{0,4}"
)
_WANT_TO_LEARN_ZH = (
    r"(?:(?:请|我|想|要|希望|需要|打算|帮我|教我)\s*)+"
    r"(?:(?:学习|学会|学|了解|掌握)(?:一下|关于)?|(?<=教我))\s*(?P<topic>.+)"
)
_WRAPPED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        _PLAN_FOR_LEARNING,
        _PLAN_ABOUT,
        _WANT_TO_LEARN,
        _TEACH_ME,
        _PLAN_ABOUT_ZH,
        _WANT_TO_LEARN_ZH,
    )
)
"""Sentences around a topic. Each is matched against the whole text; the first that fits counts."""

_LEVELS = re.compile(
    r"\b(?:(?P<beginner>beginners?|newbies?|basics?|intro(?:duction|ductory)?|from scratch)"
    r"|(?P<intermediate>intermediate)"
    r"|(?P<advanced>advanced|experts?|in[- ]depth|deep dive))\b"
    r"|(?P<beginner_zh>入门|初级|初学者?|零基础|基础|新手)"
    r"|(?P<intermediate_zh>中级|进阶)|(?P<advanced_zh>高级|深入|精通)",
    re.IGNORECASE,
)
_LEVEL_TAIL = re.compile(
    r"(?:[\s,(，（]+(?:for|at)\s+(?:an?\s+|the\s+)?(?:absolute\s+|complete\s+)?"
    r"(?:beginners?|intermediate|advanced|experts?|newbies?)"
    r"(?:\s+(?:level|learners?|users?|students?|programmers?|developers?))?"
    r"|[\s,(，（]*(?:零基础|入门|初级|中级|高级|进阶)(?:水平|级别|教程)?)[)）]?$",
    re.IGNORECASE,
)
_COURTESY_TAIL = re.compile(r"(?:[\s,，.。!！?？;；]|\bplease|谢谢)+$", re.IGNORECASE)

_CHANGES: dict[Change, re.Pattern[str]] = {
    "shorter": re.compile(
        r"\b(?:short(?:er|en)|briefer|fewer|less time|too long)\b|太长|(?<!太)短|精简|少"
    ),
    "longer": re.compile(r"\b(?:longer|extend|more lessons|too short)\b|太短|(?<!太)长|多"),
    "harder": re.compile(
        r"\b(?:harder|more (?:advanced|difficult|challenging)|too (?:easy|simple|basic))\b"
        r"|太简单|太容易|(?<!太)难|高级|深入|进阶"
    ),
    "easier": re.compile(
        r"\b(?:easier|simpler|more basic|less advanced|too (?:hard|difficult|advanced))\b"
        r"|太难|(?<!太)(?:简单|容易)|基础|入门"
    ),
}
_FILLER = re.compile(
    r"\b(?:a|add|again|also|and|be|bit|but|can|could|even|for|give|i|is|it|its|lessons?|level|"
    r"like|little|make|me|much|need|now|ok|okay|one|plan|please|slightly|somewhat|still|thank|"
    r"thanks|that|the|this|to|version|want|way|with|would|you|s|d)\b"
    r"|[请把它这那个份计划课程一点些再更要给我做改成变得弄吧能不可以吗的了下版让帮有想希望和并也来]"
)


@dataclass(frozen=True, slots=True)
class Request:
    """What a text asks for.

    Attributes:
        topic: what to learn, as the user wrote it; empty where the text is blank.
        level: the level that its words name, `beginner` where they name none.
        language: the language to answer in.
        query: the topic without words for a level: what to search for.
    """

    topic: str
    level: Level
    language: Language
    query: str


def read_request(text: str) -> Request:
    """Read a user's text.

    A text that is only a topic stays as it was typed; of a sentence around a topic, the
    sentence goes. Runs of whitespace count as one space; a topic ends after 200 characters.
    """
    line = _clean(text)
    topic = line
    for pattern in _WRAPPED:
        if found := pattern.fullmatch(line):
            asked = _COURTESY_TAIL.sub("", found["topic"]).strip()
            topic = _COURTESY_TAIL.sub("", _LEVEL_TAIL.sub("", asked)) or asked or line
            break
    topic = topic if len(topic) <= _MAX_TOPIC else topic[: _MAX_TOPIC - 1] + "…"
    query = " ".join(_LEVELS.sub(" ", topic).split())
    return Request(topic, _level(line), _language(line), query or topic)


def changes_asked(text: str) -> tuple[Change, ...]:
    """The changes of the last plan that a text asks for; empty where it says anything else."""
    rest = line = _clean(text).lower()
    for pattern in _CHANGES.values():
        rest = pattern.sub(" ", rest)
    if re.search(r"\w", _FILLER.sub(" ", rest)):
        return ()
    return tuple(change for change, pattern in _CHANGES.items() if pattern.search(line))


def _clean(text: str) -> str:
    """One line of valid Unicode: a lone surrogate, which no JSON text may hold, becomes `?`."""
    valid = text[:_MAX_TEXT].encode("utf-8", "replace").decode("utf-8")
    return " ".join(valid.split())


def _level(text: str) -> Level:
    found = _LEVELS.search(text)
    match (found.lastgroup or "").split("_")[0] if found else "":
        case "intermediate":
            return "intermediate"
        case "advanced":
            return "advanced"
        case _:
            return "beginner"


def _language(text: str) -> Language:
    chinese = re.search(r"[\u3400-\u9fff]", text)
    japanese = re.search(r"[\u3040-\u30ff]", text)
    return "zh" if chinese and not japanese else "en"

"""What people are told about an outcome, in English and Chinese."""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rendercall.contract.status import Status

__all__ = [
    "Labels",
    "Language",
    "Told",
    "labels",
    "language_of_environment",
    "told",
]

Language: TypeAlias = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class Told:
    """An outcome in words.

    Attributes:
        sign: one character that goes with the words, never instead of them.
        what: what happened.
        next: what to do about it; empty where there is nothing to do.
    """

    sign: str
    what: str
    next: str


@dataclass(frozen=True, slots=True)
class Labels:
    """Words around a card.

    Attributes:
        share: head of the column with each row's share of the total.
    """

    share: str


def labels(language: Language) -> Labels:
    """The words around a card."""
    return _LABELS[language]


_LABELS: Mapping[Language, Labels] = {
    "en": Labels(share="Share"),
    "zh": Labels(share="占比"),
}


def told(status: Status, language: Language) -> Told:
    """The words for a status."""
    return _TOLD[language][status]


_TOLD: Mapping[Language, Mapping[Status, Told]] = {
    "en": {
        "ok": Told("✓", "Complete and checked", ""),
        "partial": Told("…", "Still arriving", ""),
        "invalid": Told(
            "✗", "Not what the schema asks for", "Ask again, or choose a stronger model."
        ),
        "truncated": Told(
            "✂",
            "Cut off before it was complete",
            "Raise the model's output limit, or ask for something shorter.",
        ),
        "filtered": Told(
            "⊘", "Stopped by the provider's content filter", "Put the request in other words."
        ),
        "refused": Told("⊘", "The model refused", "Put the request in other words."),
        "failed": Told(
            "✗", "No usable answer", "Ask again; if it stays so, look for the cause in the log."
        ),
        "absent": Told("∅", "Nothing was shown", "Ask again, and say what you want to be shown."),
        "aborted": Told(
            "■", "Stopped before it was complete", "Ask again: the conversation is kept."
        ),
    },
    "zh": {
        "ok": Told("✓", "已完成并通过校验", ""),
        "partial": Told("…", "正在生成", ""),
        "invalid": Told("✗", "结果不符合要求的结构", "请重试，或换用更强的模型。"),
        "truncated": Told("✂", "结果在完成之前被截断", "请提高模型的输出上限，或要求更短的内容。"),
        "filtered": Told("⊘", "被服务商的内容过滤器拦截", "请换一种说法。"),
        "refused": Told("⊘", "模型拒绝了请求", "请换一种说法。"),
        "failed": Told("✗", "没有可用的结果", "请重试；如果仍然失败，请在日志中查找原因。"),
        "absent": Told("∅", "没有可展示的结果", "请重试，并说明想看到什么。"),
        "aborted": Told("■", "在完成之前被停止", "请重试：对话已保存。"),
    },
}


def language_of_environment(environment: Mapping[str, str]) -> Language:
    """The language of a terminal: Chinese where the locale is, else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"

"""What people are told about an outcome and about tool calls, in English and Chinese."""

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
    "StepStatus",
    "Told",
    "duration",
    "labels",
    "language_of_environment",
    "told",
    "told_earlier",
    "told_step",
]

Language: TypeAlias = Literal["en", "zh"]

StepStatus: TypeAlias = Literal["running", "waiting", "success", "error", "stopped"]
"""How a tool call is; `stopped` where the run was over before it."""


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


def told_step(status: StepStatus, language: Language) -> Told:
    """The words for how a tool call is."""
    return _STEPS[language][status]


_STEPS: Mapping[Language, Mapping[StepStatus, Told]] = {
    "en": {
        "running": Told("●", "Running", ""),
        "waiting": Told("○", "Waiting", ""),
        "success": Told("✓", "Done", ""),
        "error": Told("✗", "Failed", ""),
        "stopped": Told("■", "Stopped", ""),
    },
    "zh": {
        "running": Told("●", "运行中", ""),
        "waiting": Told("○", "等待中", ""),
        "success": Told("✓", "完成", ""),
        "error": Told("✗", "失败", ""),
        "stopped": Told("■", "已停止", ""),
    },
}


def told_earlier(count: int, language: Language) -> str:
    """That there are steps before the first one shown."""
    return {"en": f"… {count:,} earlier", "zh": f"… 之前还有 {count:,} 步"}[language]


def duration(seconds: float, language: Language) -> str:
    """How long something took: to the millisecond below a second, to a tenth above."""
    in_ms = round(seconds * 1000)
    if in_ms < 1000:  # noqa: PLR2004 - milliseconds of a second
        return f"{in_ms} " + {"en": "ms", "zh": "毫秒"}[language]
    return f"{seconds:,.1f} " + {"en": "s", "zh": "秒"}[language]


def language_of_environment(environment: Mapping[str, str]) -> Language:
    """The language of a terminal: Chinese where the locale is, else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"

"""What people are told about a tool call, in English and Chinese: no value, no query."""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

from collections.abc import Mapping

from rendercall.card.words import Language
from rendercall.results.error_codes import Code
from rendercall.results.outcome import Empty, Failed, Outcome, Truncated

__all__ = [
    "LANGUAGES",
    "answering",
    "detail_of",
    "failure",
    "progress",
    "retrying",
    "taking_turns",
]

LANGUAGES: tuple[Language, ...] = ("en", "zh")


def detail_of(outcome: Outcome, language: Language) -> str:
    """An outcome in a few words; empty where all is well."""
    if isinstance(outcome, Failed):
        return failure(outcome.error.code, language)
    if isinstance(outcome, Empty):
        return {"en": "Nothing found", "zh": "没有找到结果"}[language]
    if isinstance(outcome, Truncated):
        here = outcome.covered
        return _part(here.first, here.last, outcome.total, language)
    return ""


def _part(first: int, last: int, total: int | None, language: Language) -> str:
    if language == "zh":
        return f"第 {first:,}–{last:,} 条" + ("" if total is None else f"，共 {total:,} 条")
    return f"{first:,}–{last:,}" + (" of more" if total is None else f" of {total:,}")


def progress(done: int, total: int | None, language: Language) -> str:
    """How far it is."""
    if total is None:
        return {"en": f"{done:,} so far", "zh": f"已处理 {done:,}"}[language]
    return {"en": f"{done:,} of {total:,}", "zh": f"{done:,}/{total:,}"}[language]


def retrying(seconds: float, language: Language) -> str:
    """The runtime waits before it tries again."""
    shown = f"{seconds:.0f}" if seconds >= 1 else "1"
    return {"en": f"Trying again in {shown} s", "zh": f"{shown} 秒后重试"}[language]


def taking_turns(language: Language) -> str:
    """Another call must end first."""
    return {"en": "Waiting for another call to end", "zh": "正在等待另一个调用结束"}[language]


def answering(language: Language) -> str:
    """A human must answer first."""
    return {"en": "Waiting for an answer", "zh": "正在等待答复"}[language]


def failure(code: Code, language: Language) -> str:
    """A failure in a few words."""
    return _FAILURES[language][code]


_FAILURES: Mapping[Language, Mapping[Code, str]] = {
    "en": {
        "INVALID_ARGUMENT": "Wrong arguments",
        "UNAUTHENTICATED": "Not signed in",
        "FORBIDDEN": "Not allowed",
        "NOT_FOUND": "Not found",
        "CONFLICT": "Changed by somebody else",
        "FAILED_PRECONDITION": "Not possible in this state",
        "RATE_LIMITED": "Too many requests",
        "QUOTA_EXHAUSTED": "Quota used up",
        "TIMEOUT": "Took too long",
        "UNAVAILABLE": "Service not reachable",
        "CANCELLED": "Stopped",
        "OUTPUT_INVALID": "The tool gave an invalid result",
        "OUTPUT_REJECTED": "The result was refused",
        "SCHEMA_REJECTED": "The tool's schema was refused",
        "TOO_LARGE": "Too large",
        "UNSUPPORTED": "Not supported",
        "DATA_LOSS": "Stored data is damaged",
        "INTERNAL": "The tool failed",
    },
    "zh": {
        "INVALID_ARGUMENT": "参数不正确",
        "UNAUTHENTICATED": "未登录",
        "FORBIDDEN": "没有权限",
        "NOT_FOUND": "不存在",
        "CONFLICT": "已被他人修改",
        "FAILED_PRECONDITION": "当前状态下无法执行",
        "RATE_LIMITED": "请求过于频繁",
        "QUOTA_EXHAUSTED": "配额已用完",
        "TIMEOUT": "超时",
        "UNAVAILABLE": "服务不可用",
        "CANCELLED": "已停止",
        "OUTPUT_INVALID": "工具返回了无效的结果",
        "OUTPUT_REJECTED": "结果被拒绝",
        "SCHEMA_REJECTED": "工具的结构定义被拒绝",
        "TOO_LARGE": "内容过大",
        "UNSUPPORTED": "不支持",
        "DATA_LOSS": "存储的数据已损坏",
        "INTERNAL": "工具执行失败",
    },
}

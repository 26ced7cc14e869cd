"""Why a model stopped: the finish reasons of every provider, in six classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

__all__ = ["FinishClass", "classify", "graver", "reported_reason", "undouble"]

FinishClass: TypeAlias = Literal["normal", "length", "broken", "filter", "refusal", "malformed"]

_CLASSES: dict[str, FinishClass] = {
    # OpenAI chat and Responses, Anthropic, Mistral, Gemini, Bedrock: each under its own name.
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "incomplete": "length",
    "insufficient_system_resource": "broken",  # DeepSeek
    "error": "broken",  # Mistral, OpenRouter
    "abort": "broken",  # vLLM, SGLang
    "repetition": "broken",  # vLLM
    "content_filter": "filter",
    "content_filtered": "filter",
    "guardrail_intervened": "filter",
    "safety": "filter",
    "recitation": "filter",
    "blocklist": "filter",
    "prohibited_content": "filter",
    "spii": "filter",
    "language": "filter",
    "image_safety": "filter",
    "prompt_blocked": "filter",
    "error_toxic": "filter",
    "refusal": "refusal",
    "malformed_function_call": "malformed",
    "malformed_tool_call": "malformed",
    "malformed_tool_use": "malformed",
    "malformed_model_output": "malformed",
    "unexpected_tool_call": "malformed",
    "tool_use_failed": "malformed",
}

_NORMAL = frozenset({"stop", "tool_calls", "function_call", "end_turn", "tool_use", "completed"})
"""The ordinary ends that come after another reason in one stream."""


def classify(reason: str | None) -> FinishClass:
    """Class of a provider's finish reason; an unknown one is `normal`, as is none at all.

    Two words that merged metadata put together (`content_filterstop`) have the class of the
    one that says more.
    """
    word = (reason or "").strip().lower()
    if word in _CLASSES:
        return _CLASSES[word]
    for known, found in _CLASSES.items():
        rest = word.removeprefix(known) if word.startswith(known) else word.removesuffix(known)
        if rest != word and (rest in _CLASSES or rest in _NORMAL):
            return found
    return "normal"


def graver(before: str | None, after: str | None) -> str | None:
    """The reason that counts of two in one stream: the later one, unless it is an ordinary end.

    Gateways put their own `stop` after a limit or a filter that the provider reported.
    """
    if classify(before) != "normal" and classify(after) == "normal":
        return before
    return after or before


def undouble(reason: str | None) -> str | None:
    """Undo the string addition of merged metadata: `tool_callstool_calls` is `tool_calls`.

    langchain-core adds the texts of two finish chunks, which some servers send.
    """
    if not reason:
        return None
    for times in (2, 3):
        size, rest = divmod(len(reason), times)
        if not rest and reason == reason[:size] * times:
            return reason[:size]
    return reason


def reported_reason(metadata: Mapping[str, Any]) -> str | None:
    """Find the provider's word in a message's metadata, whichever name it has there.

    OpenAI's Responses have none: an incomplete one says why it is, any other its status.
    Gemini blocks a prompt without a finish reason (`promptFeedback.blockReason`).
    """
    status = metadata.get("status")
    reason = (
        (metadata.get("incomplete_details") or {}).get("reason")
        or metadata.get("finish_reason")
        or metadata.get("stop_reason")
        or metadata.get("stopReason")
        or _block_reason(metadata.get("prompt_feedback"))
        or (status if status in _ENDS else None)
    )
    return undouble(str(reason)) if reason else None


_ENDS = frozenset({"completed", "incomplete", "failed", "cancelled", "completedcompleted"})
"""Statuses of a response that is over (openai-python, `ResponseStatus`), one also doubled."""


def _block_reason(feedback: object) -> str | None:
    """Gemini's word where it is a filter's; its others say no more than that it was blocked."""
    reason = feedback.get("block_reason") if isinstance(feedback, Mapping) else None
    if not reason:
        return None
    word = str(getattr(reason, "value", reason))
    return word if classify(word) == "filter" else "prompt_blocked"

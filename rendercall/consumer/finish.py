"""Why a model stopped: the finish reasons of every provider, in five classes."""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["FinishClass", "classify", "undouble"]

FinishClass: TypeAlias = Literal["normal", "length", "filter", "refusal", "malformed"]

_CLASSES: dict[str, FinishClass] = {
    # OpenAI chat and Responses, Anthropic, Mistral, Gemini, Bedrock: each under its own name.
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "incomplete": "length",
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
    "refusal": "refusal",
    "malformed_function_call": "malformed",
    "malformed_tool_call": "malformed",
    "unexpected_tool_call": "malformed",
    "tool_use_failed": "malformed",
}


def classify(reason: str | None) -> FinishClass:
    """Class of a provider's finish reason; an unknown one is `normal`, as is none at all."""
    return _CLASSES.get((reason or "").lower(), "normal")


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

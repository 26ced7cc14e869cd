"""A chat model that answers by rules and streams like one with weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from langchain_core.messages import BaseMessage
from pydantic import Field
from typing_extensions import override

from rendercall.models.reply import Reply
from rendercall.models.replying import ReplyingChatModel

__all__ = ["RULE_BASED", "Rule", "RuleBasedChatModel"]

RULE_BASED = "rule-based"
"""What such a model calls itself."""

Rule: TypeAlias = Callable[[list[BaseMessage], list[dict[str, Any]]], Reply]
"""The conversation and the bound tools, in OpenAI's form, to the reply."""


class RuleBasedChatModel(ReplyingChatModel):
    """A program that answers where a chat model would: no weights, no key, no guessing.

    It calls itself `rule-based` in its messages, its traces and its type, so that nobody
    takes its answers for a model's.

    Attributes:
        rule: makes the reply from the messages and the bound tools.
        pace: seconds before each chunk of a stream, so that one can watch it form.
        chunk_size: characters a chunk; a sequence of sizes is cycled.
    """

    rule: Rule
    pace: float = Field(default=0.0, ge=0)
    model_name: str = RULE_BASED

    @property
    @override
    def _llm_type(self) -> str:
        return RULE_BASED

    @override
    def _pause(self) -> float:
        return self.pace

    @override
    def _reply(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> Reply:
        return self.rule(messages, list(kwargs.get("tools") or ()))

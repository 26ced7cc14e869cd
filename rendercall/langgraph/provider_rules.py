"""What single providers ask of a request, beyond what all of them share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

__all__ = [
    "SEALING",
    "Provider",
    "bridged",
    "calls_tools",
    "loses_refusals",
    "native",
    "opened",
    "provider_of",
]

Provider: TypeAlias = Literal["openai", "anthropic", "anthropic_thinking", "google", "mistral"]
"""Whose rules a request keeps; `anthropic_thinking` with extended thinking on."""

_PROVIDERS: dict[str, Provider] = {
    "openai-chat": "openai",
    "azure-openai-chat": "openai",
    "anthropic-chat": "anthropic",
    "chat-google-generative-ai": "google",
    "mistralai-chat": "mistral",
}
"""By `_llm_type`, the only name that every chat model has."""

_OWN: dict[Provider, frozenset[str]] = {
    "openai": frozenset({"openai", "azure"}),
    "anthropic": frozenset({"anthropic"}),
    "anthropic_thinking": frozenset({"anthropic"}),
    "google": frozenset({"google_genai", "google_vertexai"}),
    "mistral": frozenset({"mistralai"}),
}
"""What each one's client writes in `response_metadata["model_provider"]`."""


def provider_of(model: BaseChatModel) -> Provider | None:
    """The provider of a chat model; None for one without rules here."""
    provider = _PROVIDERS.get(model._llm_type)  # noqa: SLF001 - has no public name
    thinking = getattr(model, "thinking", None) or {}
    if provider == "anthropic" and thinking.get("type") in {"enabled", "adaptive"}:
        return "anthropic_thinking"
    return provider


SEALING: frozenset[Provider] = frozenset({"anthropic_thinking", "google"})
"""Those that take a call in the turn that goes on only with the thought that it came of."""


def calls_tools(model: object) -> bool:
    """Whether the model can choose among tools: its profile would say if it cannot."""
    profile = getattr(model, "profile", None) or {}
    return profile.get("tool_calling") is not False


def loses_refusals(model: BaseChatModel) -> bool:
    """Whether the model's client drops a refusal that is streamed."""
    return provider_of(model) == "openai"


def native(message: AIMessage, provider: Provider | None) -> AIMessage:
    """A message of another provider's model as any provider takes it: its text and its calls.

    Reasoning is sealed for the one who wrote it. Anthropic: "Invalid `signature` in `thinking`
    block" (anthropics/claude-code#10627), and "signature: Field required" without one
    (langchain-ai/langchain#29971). OpenAI: "Item with id 'rs_…' not found" (vercel/ai#7543).
    """
    maker = message.response_metadata.get("model_provider")
    if provider is None or maker is None or maker in _OWN[provider]:
        return message
    if isinstance(message.content, str) and not message.additional_kwargs:
        return message
    metadata = {key: one for key, one in message.response_metadata.items() if key not in _SHAPE}
    changes = {"content": text_of(message), "additional_kwargs": {}, "response_metadata": metadata}
    return message.model_copy(update=changes)


_SHAPE = frozenset({"output_version", "model_provider"})


def text_of(message: AIMessage) -> str:
    """The text of a message's content, in any of its shapes."""
    if isinstance(message.content, str):
        return message.content
    return "".join(
        block if isinstance(block, str) else str(block.get("text", ""))
        for block in message.content
        if isinstance(block, str) or block.get("type") == "text"
    )


def opened(messages: Sequence[AnyMessage], provider: Provider | None) -> Sequence[AnyMessage]:
    """The messages, with a human's word before a call that a trimmed history begins with.

    Gemini: "Please ensure that function call turn comes immediately after a user turn or
    after a function response turn" (continuedev/continue#11164).
    """
    start = next(
        (n for n, one in enumerate(messages) if not isinstance(one, SystemMessage)), len(messages)
    )
    first = messages[start] if start < len(messages) else None
    if provider != "google" or not isinstance(first, AIMessage) or not first.tool_calls:
        return messages
    opening = HumanMessage("Go on.", id=f"opening-{first.id}")
    return [*messages[:start], opening, *messages[start:]]


def bridged(messages: Sequence[AnyMessage], provider: Provider | None) -> Iterator[AnyMessage]:
    """The messages, with an assistant's word between a tool and a human where one is needed.

    Mistral refuses a human message right after a tool message ("Unexpected role 'user' after
    role 'tool'", code 3230). To Anthropic, a human's words after a tool result go on with the
    turn of the call, and with thinking on that turn "must start with a thinking block"
    (lbjlaq/Antigravity-Manager#139), which the call of another model has not.
    """
    previous: AnyMessage | None = None
    asked: AIMessage | None = None
    for message in messages:
        if isinstance(previous, ToolMessage) and isinstance(message, HumanMessage):
            unthought = provider == "anthropic_thinking" and not _thinks_first(asked)
            if provider == "mistral" or unthought:
                yield AIMessage("Done.", id=f"bridge-{previous.id}")
        yield message
        previous = message
        asked = message if isinstance(message, AIMessage) else asked


def _thinks_first(message: AIMessage | None) -> bool:
    """Whether it begins with a signed thought, in Anthropic's form or the standard one."""
    content: Any = message.content if message else ""
    first = content[0] if content and isinstance(content, list) else None
    return isinstance(first, Mapping) and first.get("type") in _THOUGHTS


_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning", "non_standard"})

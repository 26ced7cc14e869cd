"""Images and other media in tools' results, where a provider takes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from rendercall.langgraph.provider_rules import Provider

__all__ = ["media_placed"]

_KINDS = frozenset({"image", "image_url", "input_image", "audio", "input_audio", "video", "file"})


def media_placed(messages: Sequence[AnyMessage], provider: Provider | None) -> Iterator[AnyMessage]:
    """The messages, with the media of tools' results where the provider takes them.

    OpenAI's Chat Completions: "Image URLs are only allowed for messages with role 'user', but
    this message with role 'tool' contains an image URL" (OpenHands/OpenHands#7700). They follow
    the results as a human's message, as the Responses API takes them too. Mistral takes only
    text, and no human right after a tool (LibreChat-AI/agents#344): there words say what is
    missing.
    """
    held: list[Any] = []
    last: ToolMessage | None = None
    for message in messages:
        if last and held and not isinstance(message, ToolMessage):
            yield _shown(held, last)
            held = []
        media = _media(message) if provider in {"openai", "mistral"} else []
        yield _without(message, provider) if media else message
        if isinstance(message, ToolMessage):
            last = message
            held += media if provider == "openai" else []
    if last and held:
        yield _shown(held, last)


def _media(message: AnyMessage) -> list[Any]:
    if not isinstance(message, ToolMessage) or isinstance(message.content, str):
        return []
    return [one for one in message.content if _is_media(one)]


def _is_media(block: str | dict[Any, Any]) -> TypeGuard[dict[Any, Any]]:
    return isinstance(block, dict) and block.get("type") in _KINDS


def _without(message: AnyMessage, provider: Provider | None) -> AnyMessage:
    said = "it follows below" if provider == "openai" else "this model takes none from a tool"
    content = [
        {"type": "text", "text": f"[{one['type']}: {said}]"} if _is_media(one) else one
        for one in message.content
    ]
    return message.model_copy(update={"content": content})


def _shown(media: list[Any], last: ToolMessage) -> HumanMessage:
    text = {"type": "text", "text": "[from the tools' results above]"}
    return HumanMessage([text, *media], id=f"media-{last.id or last.tool_call_id}")

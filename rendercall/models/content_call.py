"""The tool call that the text content of one answer becomes, streamed or whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from rendercall.models.reply import Call, Reply, whole

__all__ = ["ContentCall", "as_chunk"]


class ContentCall:
    """The call that one answer becomes; its id is made once."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._id = f"call_{uuid4().hex[:24]}"
        self._begun = False

    def chunk(self, chunk: ChatGenerationChunk) -> ChatGenerationChunk:
        """A chunk of content as a chunk of the call."""
        text = str(chunk.message.text)
        first = bool(text) and not self._begun
        self._begun = self._begun or first
        piece = tool_call_chunk(
            name=self._name if first else None,
            args=text,
            id=self._id if first else None,
            index=0,
        )
        message = AIMessageChunk(
            content=_beside(chunk.message),
            id=chunk.message.id,
            additional_kwargs=chunk.message.additional_kwargs,
            response_metadata=self._finished(chunk.message.response_metadata),
            usage_metadata=getattr(chunk.message, "usage_metadata", None),
            tool_call_chunks=[piece] if text else [],
        )
        info = self._finished(chunk.generation_info or {})
        return ChatGenerationChunk(message=message, generation_info=info or None)

    def result(self, result: ChatResult) -> ChatResult:
        """A whole answer as the call."""
        inner = result.generations[0]
        text = str(inner.message.text)
        self._begun = bool(text)
        calls = (Call(self._name, text, self._id),) if text else ()
        parsed = whole(Reply(calls=calls)).generations[0].message
        update = {
            "content": _beside(inner.message),
            "id": inner.message.id,
            "additional_kwargs": inner.message.additional_kwargs,
            "response_metadata": self._finished(inner.message.response_metadata),
            "usage_metadata": getattr(inner.message, "usage_metadata", None),
        }
        info = self._finished(inner.generation_info or {})
        generation = ChatGeneration(
            message=parsed.model_copy(update=update), generation_info=info or None
        )
        return ChatResult(generations=[generation], llm_output=result.llm_output)

    def _finished(self, info: Mapping[str, Any]) -> dict[str, Any]:
        if self._begun and info.get("finish_reason") == "stop":
            return {**info, "finish_reason": "tool_calls"}
        return dict(info)


def as_chunk(result: ChatResult) -> ChatGenerationChunk:
    """A whole answer as the one chunk of its stream."""
    inner = result.generations[0]
    message = AIMessageChunk(
        content=inner.message.content,
        id=inner.message.id,
        additional_kwargs=inner.message.additional_kwargs,
        response_metadata=inner.message.response_metadata,
        usage_metadata=getattr(inner.message, "usage_metadata", None),
    )
    return ChatGenerationChunk(message=message, generation_info=inner.generation_info)


def _beside(message: BaseMessage) -> str | list[str | dict[Any, Any]]:
    """The content that is not text, such as reasoning; the text became the call."""
    if isinstance(message.content, str):
        return ""
    return [
        block
        for block in message.content
        if isinstance(block, dict) and block.get("type") != "text"
    ]

"""The base of the chat models that answer with a `Reply`: one way to stream, one way to wait."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, TypeAlias

from langchain_core.caches import BaseCache
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput, ModelProfile
from langchain_core.language_models.base import LangSmithParams
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr, field_validator
from typing_extensions import override

from rendercall.models.reply import Reply, chunks, whole

__all__ = ["Choice", "ReplyingChatModel", "Tool"]

Tool: TypeAlias = dict[str, Any] | type | Callable[..., Any] | BaseTool
"""Whatever langchain-core turns into an OpenAI tool."""

Choice: TypeAlias = str | bool | dict[str, Any]
"""A tool choice: "auto", "none", "any", "required", a tool's name, or OpenAI's dict."""


class _CallIds:
    """Ids `call_1`, `call_2`, … of one model, none of which the conversation holds already."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def fresh(self, messages: Sequence[BaseMessage]) -> Iterator[str]:
        """Ids that no call in `messages` has."""
        used = {
            call["id"]
            for message in messages
            if isinstance(message, AIMessage)
            for call in (*message.tool_calls, *message.invalid_tool_calls)
        }
        while True:
            with self._lock:
                id_ = next(f"call_{n}" for n in self._numbers if f"call_{n}" not in used)
            yield id_


class ReplyingChatModel(BaseChatModel):
    """A chat model without weights: a subclass says what to reply, this class sends it.

    `disable_streaming=True`, a field of every chat model, makes a model that never streams.

    Attributes:
        chunk_size: characters of text or args a chunk carries; a sequence is cycled, so
            that a reply can be cut anywhere.
        model_name: the name that its messages and traces show.
    """

    chunk_size: int | tuple[int, ...] = 4
    model_name: str = ""
    cache: BaseCache | bool | None = False
    _ids: _CallIds = PrivateAttr(default_factory=_CallIds)

    @field_validator("chunk_size")
    @classmethod
    def _positive(cls, size: int | tuple[int, ...]) -> int | tuple[int, ...]:
        sizes = (size,) if isinstance(size, int) else size
        if not sizes or min(sizes) < 1:
            raise ValueError(
                "chunk_size must be 1 or more, or a sequence of such sizes. "
                "For a model that never streams, set disable_streaming=True."
            )
        return size

    @abstractmethod
    def _reply(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> Reply:
        """What to answer; `kwargs` hold `tools` and `tool_choice` where they were bound."""

    def _pause(self) -> float:
        """Seconds to wait before each chunk."""
        return 0.0

    @override
    def bind_tools(
        self, tools: Sequence[Tool], *, tool_choice: Choice | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """This model with tools: the same model, which shares its script and its record."""
        specs = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=specs, tool_choice=tool_choice, **kwargs)

    def _named(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> Reply:
        return self._reply(messages, kwargs).with_ids(self._ids.fresh(messages))

    def _chunks(
        self, messages: list[BaseMessage], kwargs: dict[str, Any]
    ) -> Iterator[ChatGenerationChunk]:
        sizes = (self.chunk_size,) if isinstance(self.chunk_size, int) else self.chunk_size
        return chunks(self._named(messages, kwargs), sizes, self.model_name)

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return whole(self._named(messages, kwargs), self.model_name)

    @override
    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in self._chunks(messages, kwargs):
            if pause := self._pause():
                time.sleep(pause)
            yield chunk

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._chunks(messages, kwargs):
            # Also without a pause: a model that never yields the loop starves its watchers.
            await asyncio.sleep(self._pause())
            yield chunk

    @override
    def _resolve_model_profile(self) -> ModelProfile:
        return {"tool_calling": True, "tool_call_streaming": True}

    @override
    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        return LangSmithParams(
            ls_provider=self._llm_type, ls_model_name=self.model_name, ls_model_type="chat"
        )

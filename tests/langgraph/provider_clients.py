"""Every provider's imitation server with the client package that real users have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import BaseChatModel
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_mistralai import ChatMistralAI
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.providers.anthropic import AnthropicServer
from tests.providers.gemini import GeminiServer
from tests.providers.mistral import MistralServer
from tests.providers.openai_chat import OpenAIChatServer
from tests.providers.openai_responses import OpenAIResponsesServer

KEY = SecretStr("test")


@dataclass(frozen=True)
class Provider:
    """A server class, the client for it, and what the provider has.

    Attributes:
        server: the imitation.
        client: makes the client, from the server and whether it streams.
        length: the finish reason of a cut-off.
        malformed: that of a call which the provider cannot read.
        reasons: whether the model thinks aloud.
        sealed: what in a request shows that the reasoning came back as it was sent.
    """

    server: type[Any]
    client: Callable[[Any, bool], BaseChatModel]
    length: str
    malformed: str = ""
    reasons: bool = False
    sealed: str = ""


def openai_chat(server: Any, stream: bool) -> BaseChatModel:
    return ChatOpenAI(
        model="gpt-4o", base_url=server.base_url, api_key=KEY, use_responses_api=False,
        disable_streaming=not stream, max_retries=0,
    )  # fmt: skip


def openai_responses(server: Any, stream: bool) -> BaseChatModel:
    return ChatOpenAI(
        model="gpt-4o", base_url=server.base_url, api_key=KEY, use_responses_api=True,
        disable_streaming=not stream, max_retries=0,
    )  # fmt: skip


def anthropic(server: Any, stream: bool) -> BaseChatModel:
    return ChatAnthropic(  # type: ignore[call-arg]
        model="claude-opus-4-6", base_url=server.base_url, api_key=KEY,
        disable_streaming=not stream, max_retries=0,
    )  # fmt: skip


def responses_stored(server: Any, stream: bool) -> BaseChatModel:
    return ChatOpenAI(
        model="gpt-5", base_url=server.base_url, api_key=KEY, use_responses_api=True,
        disable_streaming=not stream, max_retries=0, store=True,
    )  # fmt: skip


def responses_sealed(server: Any, stream: bool) -> BaseChatModel:
    return ChatOpenAI(
        model="gpt-5", base_url=server.base_url, api_key=KEY, use_responses_api=True,
        disable_streaming=not stream, max_retries=0, store=False,
        include=["reasoning.encrypted_content"],
    )  # fmt: skip


def anthropic_thinking(server: Any, stream: bool) -> BaseChatModel:
    return ChatAnthropic(  # type: ignore[call-arg]
        model="claude-opus-4-6", base_url=server.base_url, api_key=KEY,
        disable_streaming=not stream, max_retries=0,
        thinking={"type": "adaptive"}, max_tokens=4096,
    )  # fmt: skip


def gemini(server: Any, stream: bool) -> BaseChatModel:
    return ChatGoogleGenerativeAI(
        model="gemini-2.5-flash", base_url=server.base_url, api_key=KEY,
        disable_streaming=not stream, max_retries=1,
    )  # fmt: skip


def gemini_3(server: Any, stream: bool) -> BaseChatModel:
    return ChatGoogleGenerativeAI(
        model="gemini-3-pro-preview", base_url=server.base_url, api_key=KEY,
        disable_streaming=not stream, max_retries=1,
    )  # fmt: skip


def mistral(server: Any, stream: bool) -> BaseChatModel:
    return ChatMistralAI(
        model_name="mistral-large", endpoint=server.base_url, api_key=KEY,
        disable_streaming=not stream, max_retries=1,
    )  # fmt: skip


PROVIDERS = {
    "openai chat": Provider(OpenAIChatServer, openai_chat, "length"),
    "openai responses": Provider(OpenAIResponsesServer, openai_responses, "max_output_tokens"),
    "responses, stored reasoning": Provider(
        OpenAIResponsesServer, responses_stored, "max_output_tokens", reasons=True, sealed='"id": "rs_1"'
    ),
    "responses, sealed reasoning": Provider(
        OpenAIResponsesServer, responses_sealed, "max_output_tokens", reasons=True,
        sealed='"encrypted_content": "sealed"',
    ),
    "anthropic": Provider(AnthropicServer, anthropic, "max_tokens"),
    "anthropic thinking": Provider(
        AnthropicServer, anthropic_thinking, "max_tokens", reasons=True, sealed='"signature": "sig-'
    ),
    "gemini": Provider(GeminiServer, gemini, "MAX_TOKENS", "MALFORMED_FUNCTION_CALL"),
    "gemini 3": Provider(
        GeminiServer, gemini_3, "MAX_TOKENS", "MALFORMED_FUNCTION_CALL", reasons=True,
        sealed='"thoughtSignature": "',
    ),
    "mistral": Provider(MistralServer, mistral, "length", reasons=True),
}  # fmt: skip

"""OpenAI's chat completions: `POST {base_url}/chat/completions`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .http import Answer, Event, ProviderServer, pieces
from .rules.openai_chat import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rules.refusal import Refusal

__all__ = ["OpenAIChatServer"]

USAGE = {"prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11}


class OpenAIChatServer(ProviderServer):
    """`ChatOpenAI(base_url=server.base_url, api_key="test", use_responses_api=False)`.

    Finish reasons: `stop`, `length`, `tool_calls`, `content_filter`. Reasoning is sent as
    `reasoning_content`, as DeepSeek and vLLM do: OpenAI itself never shows it here.
    """

    prefix = "/v1"

    @override
    def check(self, path: str, request: dict[str, Any]) -> Refusal | None:
        return check(request)

    @override
    def body(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:
        message: dict[str, Any] = {
            "role": "assistant",
            "content": answer.text or None,
            "refusal": answer.refusal or None,
        }
        if answer.reasoning:
            message["reasoning_content"] = answer.reasoning
        if answer.calls:
            message["tool_calls"] = [
                {"id": i, "type": "function", "function": {"name": name, "arguments": text}}
                for name, text, i in answer.calls
            ]
        reason = next(iter(_reasons(answer)), None)
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}
        return {**_frame(request, "chat.completion"), "choices": [choice], "usage": USAGE}

    @override
    def events(self, request: dict[str, Any], answer: Answer) -> Iterator[Event]:
        frame = _frame(request, "chat.completion.chunk")

        def event(delta: dict[str, Any], characters: int = 0, reason: str | None = None) -> Event:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
            return Event({**frame, "choices": [choice]}, characters=characters)

        start = None if answer.calls and not answer.text else ""
        yield event({"role": "assistant", "content": start, "refusal": None})
        spoken = {
            "reasoning_content": answer.reasoning,
            "content": answer.text,
            "refusal": answer.refusal,
        }
        for key, text in spoken.items():
            for piece in pieces(text, answer.chunk):
                yield event({key: piece}, len(piece))
        for index, (name, arguments, call_id) in enumerate(answer.calls):
            function = {"name": name, "arguments": ""}
            first = {"index": index, "id": call_id, "type": "function", "function": function}
            yield event({"tool_calls": [first]})
            for piece in pieces(arguments, answer.chunk):
                call = {"index": index, "function": {"arguments": piece}}
                yield event({"tool_calls": [call]}, len(piece))
        for reason in _reasons(answer):
            yield event({}, reason=reason)
        options: Any = request.get("stream_options") or {}
        if options.get("include_usage"):
            yield Event({**frame, "choices": [], "usage": USAGE})
        yield Event("[DONE]")


def _reasons(answer: Answer) -> tuple[str, ...]:
    return answer.reasons("tool_calls" if answer.calls else "stop")


def _frame(request: dict[str, Any], kind: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-imitation",
        "object": kind,
        "created": 1_700_000_000,
        "model": request["model"],
        "system_fingerprint": "fp_imitation",
    }

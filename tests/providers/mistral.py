"""Mistral's chat completions: `POST {base_url}/chat/completions`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .http import Answer, Event, ProviderServer, pieces
from .rules.mistral import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rules.refusal import Refusal

__all__ = ["MistralServer"]

USAGE = {"prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11}


class MistralServer(ProviderServer):
    """`ChatMistralAI(endpoint=server.base_url, api_key="test")`.

    Finish reasons: `stop`, `length`, `model_length`, `tool_calls`, `error`. Calls come whole,
    one event each, as the service sends them; only text and reasoning come in pieces. Reasoning
    is a `thinking` chunk of the content. There is no place for a refusal: it is text.
    """

    prefix = "/v1"

    @override
    def check(self, path: str, request: dict[str, Any]) -> Refusal | None:
        return check(request)

    @override
    def body(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:
        text = answer.text or answer.refusal
        content: Any = text
        if answer.reasoning:
            content = [_thinking(answer.reasoning), {"type": "text", "text": text}]
        calls = [_call(*call, index) for index, call in enumerate(answer.calls)]
        message = {"role": "assistant", "content": content, "tool_calls": calls or None}
        reason = next(iter(_reasons(answer)), None)
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {**_frame(request, "chat.completion"), "choices": [choice], "usage": USAGE}

    @override
    def events(self, request: dict[str, Any], answer: Answer) -> Iterator[Event]:
        frame = _frame(request, "chat.completion.chunk")

        def event(delta: dict[str, Any], characters: int = 0, reason: str | None = None) -> Event:
            choice = {"index": 0, "delta": delta, "finish_reason": reason}
            usage = {} if reason is None else {"usage": USAGE}
            return Event({**frame, "choices": [choice], **usage}, characters=characters)

        yield event({"role": "assistant", "content": ""})
        for piece in pieces(answer.reasoning, answer.chunk):
            yield event({"content": [_thinking(piece)]}, len(piece))
        for piece in pieces(answer.text or answer.refusal, answer.chunk):
            yield event({"content": piece}, len(piece))
        for index, call in enumerate(answer.calls):
            yield event({"content": "", "tool_calls": [_call(*call, index)]}, len(call[1]))
        for reason in _reasons(answer):
            yield event({"content": ""}, reason=reason)
        yield Event("[DONE]")


def _thinking(text: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}


def _call(name: str, arguments: str, call_id: str, index: int) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function, "index": index}


def _reasons(answer: Answer) -> tuple[str, ...]:
    return answer.reasons("tool_calls" if answer.calls else "stop")


def _frame(request: dict[str, Any], kind: str) -> dict[str, Any]:
    return {
        "id": "imitation",
        "object": kind,
        "created": 1_700_000_000,
        "model": request["model"],
    }

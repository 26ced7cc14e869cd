"""Anthropic's messages: `POST {base_url}/v1/messages`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .http import Answer, Event, ProviderServer, pieces
from .rules.anthropic import check, signature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rules.refusal import Refusal

__all__ = ["AnthropicServer"]


class AnthropicServer(ProviderServer):
    """`ChatAnthropic(base_url=server.base_url, api_key="test")`.

    Finish reasons: `end_turn`, `tool_use`, `max_tokens`, `refusal`, `pause_turn`,
    `stop_sequence`. A refusal is that reason; its text, where there is any, is ordinary text.
    Argument text that is no JSON object can only be streamed: a whole answer has `input` as an
    object, and is then the empty one.
    """

    @override
    def check(self, path: str, request: dict[str, Any]) -> Refusal | None:
        return check(request)

    @override
    def body(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:
        content = [_whole(block) for block in _blocks(answer)]
        reason = next(iter(_reasons(answer)), None)
        return {**_message(request), "content": content, "stop_reason": reason}

    @override
    def events(self, request: dict[str, Any], answer: Answer) -> Iterator[Event]:
        yield _event("message_start", message=_message(request))
        for index, block in enumerate(_blocks(answer)):
            yield _event("content_block_start", index=index, content_block=_opened(block))
            for characters, delta in _deltas(block, answer.chunk):
                yield _event("content_block_delta", characters, index=index, delta=delta)
            yield _event("content_block_stop", index=index)
        for reason in _reasons(answer):
            delta = {"stop_reason": reason, "stop_sequence": None}
            yield _event("message_delta", delta=delta, usage={"output_tokens": 6})
        yield _event("message_stop")


def _event(kind: str, characters: int = 0, **fields: Any) -> Event:
    return Event({"type": kind, **fields}, kind, characters)


def _message(request: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "msg_imitation",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 5, "output_tokens": 6},
    }


def _reasons(answer: Answer) -> tuple[str, ...]:
    if answer.refusal:
        return answer.reasons("refusal")
    return answer.reasons("tool_use" if answer.calls else "end_turn")


def _blocks(answer: Answer) -> list[dict[str, Any]]:
    """The blocks of the answer; a call's `input` is still its raw text."""
    blocks: list[dict[str, Any]] = []
    if answer.reasoning:
        signed = {"thinking": answer.reasoning, "signature": signature(answer.reasoning)}
        blocks.append({"type": "thinking", **signed})
    if answer.text or answer.refusal:
        blocks.append({"type": "text", "text": answer.text + answer.refusal})
    for name, arguments, call_id in answer.calls:
        blocks.append({"type": "tool_use", "id": call_id, "name": name, "input": arguments})
    return blocks


def _whole(block: dict[str, Any]) -> dict[str, Any]:
    if block["type"] != "tool_use":
        return block
    try:
        arguments = json.loads(block["input"])
    except ValueError:
        arguments = {}
    return {**block, "input": arguments if isinstance(arguments, dict) else {}}


def _opened(block: dict[str, Any]) -> dict[str, Any]:
    """The block as it is announced: its frame, without what is still to come."""
    if block["type"] == "tool_use":
        return {**block, "input": {}}
    return {key: value if key == "type" else "" for key, value in block.items()}


def _deltas(block: dict[str, Any], size: int) -> Iterator[tuple[int, dict[str, Any]]]:
    if block["type"] == "tool_use":
        yield 0, {"type": "input_json_delta", "partial_json": ""}
        for piece in pieces(block["input"], size):
            yield len(piece), {"type": "input_json_delta", "partial_json": piece}
    elif block["type"] == "thinking":
        for piece in pieces(block["thinking"], size):
            yield len(piece), {"type": "thinking_delta", "thinking": piece}
        yield 0, {"type": "signature_delta", "signature": block["signature"]}
    else:
        for piece in pieces(block["text"], size):
            yield len(piece), {"type": "text_delta", "text": piece}

"""Gemini's content generation: `POST {base_url}/v1beta/models/{model}:generateContent`."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .http import Answer, Event, ProviderServer, pieces
from .rules.gemini import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rules.refusal import Refusal

__all__ = ["GeminiServer"]

SIGNATURE = base64.b64encode(b"imitation").decode()
USAGE = {"promptTokenCount": 5, "candidatesTokenCount": 6, "totalTokenCount": 11}


class GeminiServer(ProviderServer):
    """`ChatGoogleGenerativeAI(base_url=server.base_url, api_key="test")`.

    Finish reasons: `STOP`, `MAX_TOKENS`, `SAFETY`, `RECITATION`, `PROHIBITED_CONTENT`,
    `MALFORMED_FUNCTION_CALL`, `UNEXPECTED_TOOL_CALL`. A refusal blocks the prompt: no candidate,
    `promptFeedback.blockReason` is its text. Calls come whole, one event each; a call's arguments
    are an object on the wire, so a text that is none is an error of the script. Reasoning is a
    thought, and then the first call is signed; every Gemini 3 model signs it always.
    """

    @override
    def check(self, path: str, request: dict[str, Any]) -> Refusal | None:
        return check(request, _model(path))

    @override
    def streams(self, path: str, request: dict[str, Any]) -> bool:
        return ":streamGenerateContent" in path

    @override
    def body(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:
        parts = [part for part, _ in self._parts(answer, 1_000_000_000)]
        reason = next(iter(answer.reasons("STOP")), None)
        return _blocked(answer) if answer.refusal else self._frame(parts, reason)

    @override
    def events(self, request: dict[str, Any], answer: Answer) -> Iterator[Event]:
        if answer.refusal:
            yield Event(_blocked(answer))
            return
        for part, characters in self._parts(answer, answer.chunk):
            yield Event(self._frame([part], None), characters=characters)
        for reason in answer.reasons("STOP"):
            yield Event(self._frame([], reason))

    def _parts(self, answer: Answer, size: int) -> Iterator[tuple[dict[str, Any], int]]:
        for piece in pieces(answer.reasoning, size):
            yield {"text": piece, "thought": True}, len(piece)
        for piece in pieces(answer.text, size):
            yield {"text": piece}, len(piece)
        signs = bool(answer.reasoning) or _model(self.paths[-1]).startswith("gemini-3")
        for number, (name, arguments, call_id) in enumerate(answer.calls):
            call = {"id": call_id, "name": name, "args": json.loads(arguments)}
            signed = {"thoughtSignature": SIGNATURE} if signs and number == 0 else {}
            yield {"functionCall": call, **signed}, len(arguments)

    def _frame(self, parts: list[Any], reason: str | None) -> dict[str, Any]:
        content = {"role": "model", "parts": parts} if parts else {"role": "model"}
        end = {} if reason is None else {"finishReason": reason}
        return {
            "candidates": [{"content": content, "index": 0, **end}],
            "usageMetadata": USAGE,
            "modelVersion": _model(self.paths[-1]),
            "responseId": "imitation",
        }


def _blocked(answer: Answer) -> dict[str, Any]:
    return {"promptFeedback": {"blockReason": answer.refusal}, "usageMetadata": USAGE}


def _model(path: str) -> str:
    found = re.search(r"/models/([^:/?]+):", path)
    return found[1] if found else ""

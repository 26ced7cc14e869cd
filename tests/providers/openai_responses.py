"""OpenAI's responses: `POST {base_url}/responses`."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .http import Answer, Event, ProviderServer, pieces
from .rules.openai_responses import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rules.refusal import Refusal

__all__ = ["OpenAIResponsesServer"]

USAGE = {
    "input_tokens": 5,
    "output_tokens": 6,
    "total_tokens": 11,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens_details": {"reasoning_tokens": 0},
}


class OpenAIResponsesServer(ProviderServer):
    """`ChatOpenAI(base_url=server.base_url, api_key="test", use_responses_api=True)`.

    Finish reasons: `completed`, or why it is `incomplete`: `max_output_tokens`,
    `content_filter`; `()` ends a stream without its last event. Items are numbered over the
    server's life, and an item that came after reasoning carries that in its id (rules).
    """

    prefix = "/v1"

    first = 1
    """Number of the first item: servers that share a thread must not give ids twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._numbers = count(self.first)

    @override
    def check(self, path: str, request: dict[str, Any]) -> Refusal | None:
        return check(request)

    @override
    def body(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:
        reason = next(iter(answer.reasons("completed")), "completed")
        return self._response(request, self._items(request, answer), reason)

    @override
    def events(self, request: dict[str, Any], answer: Answer) -> Iterator[Event]:
        items = self._items(request, answer)
        numbers = count()

        def event(kind: str, characters: int = 0, **fields: Any) -> Event:
            data = {"type": kind, "sequence_number": next(numbers), **fields}
            return Event(data, kind, characters)

        start = {**self._response(request, [], "completed"), "status": "in_progress"}
        yield event("response.created", response=start)
        yield event("response.in_progress", response=start)
        for place, item in enumerate(items):
            at = {"output_index": place, "item_id": item["id"]}
            yield event("response.output_item.added", output_index=place, item=_opened(item))
            for kind, characters, fields in _parts(item, answer.chunk):
                yield event(kind, characters, **at, **fields)
            yield event("response.output_item.done", output_index=place, item=item)
        for reason in answer.reasons("completed"):
            kind = "response.completed" if reason == "completed" else "response.incomplete"
            yield event(kind, response=self._response(request, items, reason))

    def _items(self, request: dict[str, Any], answer: Answer) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        if answer.reasoning:
            summary = [{"type": "summary_text", "text": answer.reasoning}]
            item = {"id": f"rs_{next(self._numbers)}", "type": "reasoning", "summary": summary}
            asked = "reasoning.encrypted_content" in (request.get("include") or ())
            items.append(item | ({"encrypted_content": "sealed"} if asked else {}))

        def item_id(prefix: str) -> str:
            # Only the item right after the reasoning is tied to it.
            tie = (
                f"after_{items[-1]['id']}_"
                if items and len(items) == 1 and answer.reasoning
                else ""
            )
            return f"{prefix}_{tie}{next(self._numbers)}"

        if answer.text or answer.refusal:
            said = [{"type": "output_text", "text": answer.text, "annotations": [], "logprobs": []}]
            refused = [{"type": "refusal", "refusal": answer.refusal}]
            content = [*(said if answer.text else []), *(refused if answer.refusal else [])]
            message = {"type": "message", "role": "assistant", "status": "completed"}
            items.append({"id": item_id("msg"), **message, "content": content})
        whole = answer.reasons("completed") in {(), ("completed",)}
        for number, (name, arguments, call_id) in enumerate(answer.calls, 1):
            cut = not whole and number == len(answer.calls)
            status = "incomplete" if cut else "completed"
            call = {"type": "function_call", "status": status, "call_id": call_id}
            items.append({"id": item_id("fc"), **call, "name": name, "arguments": arguments})
        return items

    def _response(self, request: dict[str, Any], items: list[Any], reason: str) -> dict[str, Any]:
        done = reason == "completed"
        return {
            "id": f"resp_{self.first}_{len(self.requests)}",
            "object": "response",
            "created_at": 1_700_000_000,
            "status": "completed" if done else "incomplete",
            "error": None,
            "incomplete_details": None if done else {"reason": reason},
            "instructions": None,
            "metadata": {},
            "model": request["model"],
            "output": items,
            "parallel_tool_calls": True,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "top_p": 1.0,
            "usage": USAGE,
        }


def _opened(item: dict[str, Any]) -> dict[str, Any]:
    """The item as it is announced: its frame, without what is still to come."""
    empty: dict[str, Any] = {"arguments": ""} if item["type"] == "function_call" else {}
    empty |= {"content": []} if item["type"] == "message" else {}
    empty |= {"summary": []} if item["type"] == "reasoning" else {}
    return {**item, **empty, **({"status": "in_progress"} if "status" in item else {})}


def _parts(item: dict[str, Any], size: int) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The events between an item's opening and its end: kind, characters, fields."""
    if item["type"] == "function_call":
        kind, arguments = "response.function_call_arguments", item["arguments"]
        for piece in pieces(arguments, size):
            yield f"{kind}.delta", len(piece), {"delta": piece}
        yield f"{kind}.done", 0, {"arguments": arguments, "name": item["name"]}
    for index, part in enumerate(item.get("summary", ())):
        at = {"summary_index": index}
        blank = {"type": "summary_text", "text": ""}
        yield "response.reasoning_summary_part.added", 0, {**at, "part": blank}
        for piece in pieces(part["text"], size):
            yield "response.reasoning_summary_text.delta", len(piece), {**at, "delta": piece}
        yield "response.reasoning_summary_text.done", 0, {**at, "text": part["text"]}
        yield "response.reasoning_summary_part.done", 0, {**at, "part": part}
    for index, part in enumerate(item.get("content", ())):
        at = {"content_index": index}
        key = "refusal" if part["type"] == "refusal" else "text"
        kind = "response.refusal" if key == "refusal" else "response.output_text"
        yield "response.content_part.added", 0, {**at, "part": {**part, key: ""}}
        for piece in pieces(part[key], size):
            yield f"{kind}.delta", len(piece), {**at, "delta": piece, "logprobs": []}
        yield f"{kind}.done", 0, {**at, key: part[key], "logprobs": []}
        yield "response.content_part.done", 0, {**at, "part": part}

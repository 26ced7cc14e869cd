"""One form for messages in every shape that they are stored and sent in.

Message objects of langchain-core, their `model_dump` and wire dicts, serialised
constructors, OpenAI chat messages and Responses items, Anthropic messages. Only what the
reading of calls needs is taken; nothing is imported for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias, cast

from pydantic import BaseModel
from pydantic_core import to_json

from rendercall.consumer.finish import reported_reason
from rendercall.contract.args import Args
from rendercall.errors import StateError

__all__ = ["Call", "Message", "MessageLike", "Role", "read_message"]

Role: TypeAlias = Literal["human", "ai", "chunk", "tool", "other"]
"""`chunk` is an AIMessageChunk: its args are half-parsed, so it is never final."""

MessageLike: TypeAlias = Any
"""A message object or any of its dict forms."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of an AI message.

    Attributes:
        name: as the model wrote it.
        id: the provider's id, or a made-up one that is the same at every reading.
        text: the args as JSON text.
        raw: whether `text` is what the model wrote; else it was written from parsed args,
            which cannot tell whether a lenient parser completed them.
        args: what the bounds make of `text`, where a stream's reader knows it already.
    """

    name: str
    id: str
    text: str
    raw: bool
    args: Args | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Message:
    """What a message says about tool calls.

    Attributes:
        role: who speaks.
        id: the message's id.
        calls: the tool calls of an AI message, in order.
        has_content: whether it holds any text or other content block.
        finish_reason: the provider's own word.
        refusal: the provider's refusal text.
        answers: ids of the calls that a tool message answers.
        is_error: whether it answers with an error.
        note: what rendercall wrote on it.
    """

    role: Role
    id: str | None = None
    calls: tuple[Call, ...] = ()
    has_content: bool = False
    finish_reason: str | None = None
    refusal: str | None = None
    answers: tuple[str, ...] = ()
    is_error: bool = False
    note: Mapping[str, Any] = field(default_factory=dict[str, Any])


def read_message(source: MessageLike) -> Message:
    """Read a message in any of its shapes; what is no message at all has role `other`.

    Raises:
        StateError: an AI message that was stored without its tool calls.
    """
    get, kind = _open(source)
    role = _ROLES.get(kind, "other")
    if role == "human" and _is_tool_results(get("content")):
        role = "tool"
    if role == "tool":
        return _read_tool(get)
    if role not in {"ai", "chunk"}:
        return Message(role, get("id"))
    if _has_lost_calls(source):
        raise StateError(
            "an AI message was stored without its tool calls: it went through a field that is "
            "declared list[BaseMessage]. Declare that field list[AnyMessage] "
            "(langchain_core.messages); what is stored cannot be read back."
        )
    metadata: Mapping[str, Any] = get("response_metadata") or {}
    extra: Mapping[str, Any] = get("additional_kwargs") or {}
    content = get("content")
    return Message(
        role,
        get("id"),
        calls=tuple(_calls(get, extra, kind)),
        has_content=_has_content(content),
        finish_reason=_finish_reason(get, metadata),
        refusal=get("refusal") or extra.get("refusal") or _refusal_block(content),
        note=metadata.get("rendercall") or {},
    )


_ROLES: dict[str, Role] = {
    "human": "human",
    "user": "human",
    "HumanMessage": "human",
    "HumanMessageChunk": "human",
    "ai": "ai",
    "assistant": "ai",
    "AIMessage": "ai",
    "function_call": "ai",
    "AIMessageChunk": "chunk",
    "tool": "tool",
    "ToolMessage": "tool",
    "function_call_output": "tool",
}


def _open(source: MessageLike) -> tuple[Any, str]:
    """A getter for the message's fields, and the word that says whose it is."""
    if isinstance(source, tuple) and len(source) == 2:  # noqa: PLR2004 - ("human", "text")
        return {"content": source[1]}.get, str(source[0])
    if not isinstance(source, Mapping):
        return _attributes(source), str(getattr(source, "type", ""))
    fields = cast("Mapping[str, Any]", source)
    kind = str(fields.get("type") or fields.get("role") or "")
    if fields.get("lc") and isinstance(fields.get("kwargs"), Mapping):
        return fields["kwargs"].get, str(fields["id"][-1])
    if isinstance(fields.get("data"), Mapping) and kind in _ROLES:
        return fields["data"].get, kind
    if kind == "message":
        kind = str(fields.get("role", ""))
    return fields.get, kind


def _attributes(source: object) -> Any:
    """A getter of an object's attributes. A miss on a Pydantic object is slow, on its dict not."""
    if isinstance(source, BaseModel) and not source.model_extra:
        return source.__dict__.get
    return partial(_attribute, source)


def _attribute(source: object, name: str) -> Any:
    return getattr(source, name, None)


def _has_lost_calls(source: MessageLike) -> bool:
    """Whether it is what Pydantic makes of a message in a field of type `BaseMessage`."""
    if isinstance(source, Mapping):
        return source.keys() == _BASE_FIELDS
    return type(source).__name__ == "BaseMessage"


_BASE_FIELDS = {"content", "additional_kwargs", "response_metadata", "type", "name", "id"}


def _blocks(content: object) -> Iterator[Mapping[str, Any]]:
    if not isinstance(content, str) and isinstance(content, Sequence):
        for block in cast("Sequence[object]", content):
            if isinstance(block, Mapping):
                yield cast("Mapping[str, Any]", block)


def _is_tool_results(content: object) -> bool:
    """Anthropic sends tool results as a user message that holds nothing else."""
    kinds = {block.get("type") for block in _blocks(content)}
    return kinds == {"tool_result"}


def _has_content(content: object) -> bool:
    if isinstance(content, str):
        return bool(content.strip())
    return any(
        block.get("text", True) for block in _blocks(content) if block.get("type") not in _CALLS
    )


def _refusal_block(content: object) -> str | None:
    texts = [block.get("refusal", "") for block in _blocks(content)]
    return "".join(texts) or None


def _finish_reason(get: Any, metadata: Mapping[str, Any]) -> str | None:
    return reported_reason(metadata) or reported_reason(
        {name: get(name) for name in ("incomplete_details", "finish_reason", "stop_reason")}
    )


def _read_tool(get: Any) -> Message:
    extra: Mapping[str, Any] = get("additional_kwargs") or {}
    results = [block for block in _blocks(get("content")) if block.get("type") == "tool_result"]
    ids = [get("tool_call_id") or get("call_id"), *(block.get("tool_use_id") for block in results)]
    failed = get("status") == "error" or any(block.get("is_error") for block in results)
    return Message(
        "tool",
        get("id"),
        answers=tuple(str(one) for one in ids if one),
        is_error=failed,
        note=extra.get("rendercall") or {},
    )


_CALLS = frozenset(
    {"tool_use", "tool_call", "invalid_tool_call", "function_call", "tool_call_chunk"}
) | {"input_json_delta"}


def _calls(get: Any, extra: Mapping[str, Any], kind: str) -> Iterator[Call]:
    """The calls from the first place that has any: later places repeat them, less exactly."""
    if kind == "function_call":
        yield _call({name: get(name) for name in ("id", "call_id", "name", "arguments")}, get, 0)
        return
    found: Sequence[Mapping[str, Any]] = (
        [*(get("tool_calls") or ()), *(get("invalid_tool_calls") or ())]
        or get("toolCalls")
        or extra.get("tool_calls")
        or [block for block in _blocks(get("content")) if block.get("type") in _CALLS]
    )
    for position, one in enumerate(found):
        if one and one.get("type") != "input_json_delta":
            yield _call(one, get, position)


def _call(one: Mapping[str, Any], get: Any, position: int) -> Call:
    function = one.get("function")
    fields: Mapping[str, Any] = function if isinstance(function, Mapping) else one
    args = next((fields[key] for key in ("args", "arguments", "input") if key in fields), None)
    text, raw = (args, True) if isinstance(args, str) else (_write(args), False)
    call_id = one.get("call_id") or one.get("id") or f"{get('id') or 'message'}-call-{position}"
    return Call(str(fields.get("name") or ""), str(call_id), text, raw)


def _write(args: object) -> str:
    """Parsed args as JSON again. None is an invalid call that came without any text."""
    if args is None:
        return ""
    try:
        return to_json(args, inf_nan_mode="constants").decode()
    except ValueError:  # half of a surrogate pair, say: kept, for the bounds to refuse
        return json.dumps(args, ensure_ascii=False)

"""The content of a model's message in one shape, whoever watched the run.

Clients give text, their provider's own blocks, or langchain-core's standard blocks (v1),
depending on how the message was streamed. Here text alone becomes one string, and anything
else (reasoning with its signature, citations) standard blocks, which every client turns back
into its provider's own where `response_metadata["output_version"]` is `"v1"`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, ToolCall

__all__ = ["Content", "content_of"]

Content = str | list[str | dict[str, Any]]


def content_of(message: AIMessage, calls: Sequence[ToolCall | None]) -> Content:
    """Read a message's content.

    Args:
        message: as the client made it.
        calls: every call of the message, in order; None for a broken one, which leaves the
            content and is in `invalid_tool_calls` only.

    Returns:
        One string, or standard blocks in which a whole call has its place.
    """
    if isinstance(message.content, str):
        return message.content
    blocks = [dict(block) for block in _without_strings(message).content_blocks]
    spoken = [tidy for block in blocks if not _is_call(block) and (tidy := _tidied(block))]
    if all(block.keys() <= {"type", "text", "id"} and "text" in block for block in spoken):
        return "".join(block["text"] for block in spoken)
    return list(_placed(blocks, calls))


def _without_strings(message: AIMessage) -> AIMessage:
    """With text blocks for bare strings, which not every provider's translation takes."""
    content = [
        {"type": "text", "text": block} if isinstance(block, str) else block
        for block in message.content
    ]
    return message.model_copy(update={"content": content})


def _placed(
    blocks: Sequence[Mapping[str, Any]], calls: Sequence[ToolCall | None]
) -> Iterator[dict[str, Any]]:
    """The blocks, with the calls as they really are."""
    left = iter(calls)
    count = sum(_is_call(block) for block in blocks)
    for block in blocks:
        if not _is_call(block):
            if tidy := _tidied(block):
                yield tidy
        elif count == len(calls) and (call := next(left)):
            extras = _tidied(block).get("extras")
            yield {**call, **({"extras": extras} if extras else {})}


_CALLS = frozenset({"tool_call", "tool_call_chunk", "invalid_tool_call", "input_json_delta"})
_PASSING = frozenset({"index", "status", "annotations"})
"""What differs with the way of watching; annotations only where there are none."""


def _is_call(block: Mapping[str, Any]) -> bool:
    return block.get("type") in _CALLS


def _tidied(block: Mapping[str, Any]) -> dict[str, Any]:
    """A block less what one way of watching adds; empty where nothing is said."""
    inner = block.get("value")
    kinds = {block.get("type"), inner.get("type") if isinstance(inner, Mapping) else None}
    if kinds & {"refusal", "input_json_delta"} or block.get("text") == "":
        return {}  # a refusal is kept beside the content
    tidy = {key: one for key, one in block.items() if key not in _PASSING or _says(key, one)}
    extras = {**(tidy.pop("extras", None) or {})}
    if "encrypted_content" in tidy:
        extras["encrypted_content"] = tidy.pop("encrypted_content")
    extras = {key: one for key, one in extras.items() if one is not None and key not in _PASSING}
    return {**tidy, **({"extras": extras} if extras else {})}


def _says(key: str, part: object) -> bool:
    return key == "annotations" and bool(part)

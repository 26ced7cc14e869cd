"""What a chat model answers, as a value, and the one way it is put on the wire.

`chunks` gives a reply the shape that langchain-openai gives OpenAI's stream
(langchain_openai/chat_models/base.py, `_convert_chunk_to_generation_chunk`): text
first; then every call, its first chunk with name, id, index and empty args, later ones
with index and args alone; at last an empty chunk whose `generation_info` holds the
finish reason. langchain-core copies that into `response_metadata` and adds
`chunk_position="last"` itself.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, InvalidToolCall, ToolCall
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import invalid_tool_call, tool_call, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from rendercall.errors import ModelError

__all__ = ["Call", "Reply", "chunks", "parse_call", "whole"]


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of a reply.

    Attributes:
        name: the tool's name.
        args: a dict, sent as JSON; or raw JSON text, sent as it is: it may be broken or cut.
        id: the call's id; None lets the model count one.
    """

    name: str
    args: Mapping[str, Any] | str
    id: str | None = None

    @property
    def text(self) -> str:
        """The args as they go over the wire."""
        if isinstance(self.args, str):
            return self.args
        return json.dumps(self.args, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a chat model.

    Attributes:
        text: the text beside the calls; it is sent first.
        calls: the tool calls, in order.
        finish_reason: why the model stopped, in OpenAI's words; None stands for
            "tool_calls" where there are calls and for "stop" where there are none.
        refusal: the provider's refusal, sent as `additional_kwargs["refusal"]`.
        usage: token counts, sent with the last chunk.
    """

    text: str = ""
    calls: Sequence[Call] = ()
    finish_reason: str | None = None
    refusal: str | None = None
    usage: UsageMetadata | None = None

    @classmethod
    def of(cls, message: AIMessage) -> Reply:
        """The reply that a message stands for; its valid calls come before its invalid ones.

        Raises:
            ModelError: the message holds content that a reply cannot send, e.g. an image.
        """
        blocks = message.content if isinstance(message.content, list) else []
        kinds = {block["type"] for block in blocks if isinstance(block, dict)}
        if other := kinds - {"text", "tool_call", "invalid_tool_call"}:
            raise ModelError(
                f"A scripted message holds content of type {', '.join(sorted(other))}; "
                "only text and tool calls can be sent. Leave it out of the script."
            )
        return cls(
            text=str(message.text),
            calls=(
                *(Call(call["name"], call["args"], call["id"]) for call in message.tool_calls),
                *(
                    Call(call["name"] or "", call["args"] or "", call["id"])
                    for call in message.invalid_tool_calls
                ),
            ),
            finish_reason=message.response_metadata.get("finish_reason"),
            refusal=message.additional_kwargs.get("refusal"),
            usage=message.usage_metadata,
        )

    @property
    def reason(self) -> str:
        """The finish reason that is sent."""
        return self.finish_reason or ("tool_calls" if self.calls else "stop")

    def cut(self, at: int, finish_reason: str = "length") -> Reply:
        """This reply, its last call's args text cut after `at` characters.

        Args:
            at: how many characters of the args arrive, 0 or more.
            finish_reason: what the provider says about it; some say "tool_calls".

        Raises:
            ModelError: the reply has no call.
        """
        if not self.calls:
            raise ModelError("This reply has no tool call to cut. Give it one in calls=.")
        *before, last = self.calls
        cut = replace(last, args=last.text[:at])
        return replace(self, calls=(*before, cut), finish_reason=finish_reason)

    def with_ids(self, ids: Iterator[str]) -> Reply:
        """This reply, with an id from `ids` for every call that has none."""
        named = (call if call.id else replace(call, id=next(ids)) for call in self.calls)
        return replace(self, calls=tuple(named))


def chunks(
    reply: Reply, sizes: Iterable[int], model_name: str = ""
) -> Iterator[ChatGenerationChunk]:
    """A reply as a stream, in the wire shape named above.

    Args:
        reply: what to send; `Reply.with_ids` has named its calls.
        sizes: characters a chunk carries, cycled; each at least 1.
        model_name: sent with the finish reason, as providers do.
    """
    cycled = itertools.cycle(sizes)
    for piece in _pieces(reply.text, cycled):
        yield _chunk(content=piece)
    for index, call in enumerate(reply.calls):
        yield _chunk(name=call.name, args="", id=call.id, index=index)
        for piece in _pieces(call.text, cycled):
            yield _chunk(args=piece, index=index)
    if reply.refusal is not None:
        yield _chunk(additional_kwargs={"refusal": reply.refusal})
    end = AIMessageChunk(content="", usage_metadata=reply.usage)
    yield ChatGenerationChunk(message=end, generation_info=_info(reply, model_name))


def whole(reply: Reply, model_name: str = "") -> ChatResult:
    """A reply as one message, as a provider answers without a stream.

    Args:
        reply: what to send; `Reply.with_ids` has named its calls.
        model_name: sent with the finish reason, as providers do.
    """
    parsed = [parse_call(call) for call in reply.calls]
    message = AIMessage(
        content=reply.text,
        tool_calls=[call for call in parsed if call.get("type") == "tool_call"],
        invalid_tool_calls=[call for call in parsed if call.get("type") == "invalid_tool_call"],
        additional_kwargs={} if reply.refusal is None else {"refusal": reply.refusal},
        usage_metadata=reply.usage,
    )
    info = _info(reply, model_name)
    return ChatResult(generations=[ChatGeneration(message=message, generation_info=info)])


def parse_call(call: Call) -> ToolCall | InvalidToolCall:
    """The call as langchain-core keeps it: parsed, or with its raw text where it is no object.

    The JSON is read as langchain-core reads it: control characters inside strings pass, and
    empty args are an empty object.
    """
    text = call.text
    try:
        # ValueError: also integers beyond Python's digit limit; RecursionError: deep nesting.
        args = json.loads(text, strict=False) if text else {}
    except (ValueError, RecursionError) as error:
        return invalid_tool_call(name=call.name, args=text, id=call.id, error=str(error))
    if not isinstance(args, dict):
        reason = "The arguments are not a JSON object."
        return invalid_tool_call(name=call.name, args=text, id=call.id, error=reason)
    return tool_call(name=call.name, args=args, id=call.id)


def _pieces(text: str, sizes: Iterator[int]) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = start + next(sizes)
        yield text[start:end]
        start = end


def _chunk(
    *,
    content: str = "",
    name: str | None = None,
    args: str | None = None,
    id: str | None = None,  # noqa: A002 - the wire's word
    index: int | None = None,
    additional_kwargs: dict[str, Any] | None = None,
) -> ChatGenerationChunk:
    call = tool_call_chunk(name=name, args=args, id=id, index=index)
    message = AIMessageChunk(
        content=content,
        tool_call_chunks=[] if args is None else [call],
        additional_kwargs=additional_kwargs or {},
    )
    return ChatGenerationChunk(message=message)


def _info(reply: Reply, model_name: str) -> dict[str, Any]:
    return {"finish_reason": reply.reason} | ({"model_name": model_name} if model_name else {})

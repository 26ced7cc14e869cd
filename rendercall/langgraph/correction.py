"""The message that goes to state: what the model sent, whoever watched.

langchain-core completes cut-off args when it merges chunks, and gives the message another
shape for each way of watching. From the recorded fragments the truth is written back: a
call is in `tool_calls` only if its raw text is one whole JSON object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, InvalidToolCall, ToolCall

from rendercall.consumer.messages import Call, read_message
from rendercall.consumer.names import known_name
from rendercall.contract import read_args
from rendercall.langgraph.content import content_of
from rendercall.langgraph.notes import note_of, with_note
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.recording import Recorder

__all__ = ["correct", "sent_calls"]


def correct(message: AIMessage, recorder: Recorder, policy: Policy) -> AIMessage:
    """Correct a model's message by what was recorded of its stream.

    Args:
        message: as the model's `invoke` returned it.
        recorder: what it sent.
        policy: its bounds are what a call's args must keep to count as a call, and its
            names are what a wrapped name is unwrapped to.

    Returns:
        A copy with the same id: whole calls in `tool_calls`, cut or broken ones in
        `invalid_tool_calls` with their raw text, content in one shape, the provider's
        refusal and finish reason kept.
    """
    message = message if message.id else message.model_copy(update={"id": str(uuid4())})
    calls = sent_calls(message.id or "", recorder) or read_message(message).calls
    notices = [*note_of(message).get("notices", ()), *_notices(recorder, message)]
    names = [_name(call, policy) for call in calls]
    stopped = "the model was stopped at a definite error" if note_of(message).get("stopped") else ""
    whole, broken = _sort(calls, names, policy, stopped)
    sorted_calls = {call["id"]: call for call in whole}
    content = content_of(message, [sorted_calls.get(call.id) for call in calls])
    if names != [call.name for call in calls]:
        notices.append(_NORMALISED)
    metadata = _metadata(message, recorder)
    if isinstance(content, list):
        metadata["output_version"] = "v1"
    extra = {key: part for key, part in message.additional_kwargs.items() if key not in _REPEATED}
    if refusal := recorder.refusal or read_message(message).refusal:
        extra["refusal"] = refusal
    corrected = message.model_copy(
        update={
            "content": content,
            "tool_calls": whole,
            "invalid_tool_calls": broken,
            "response_metadata": metadata,
            "additional_kwargs": extra,
        }
    )
    return with_note(corrected, raw_seen=recorder.streamed, notices=notices)


_REPEATED = frozenset({"tool_calls", "function_call"})
"""Say what `tool_calls` says, half parsed or, streamed by Gemini's client, twice over."""


def sent_calls(message_id: str, recorder: Recorder) -> Sequence[Call]:
    """The calls of a streamed message with their raw text; none where nothing was streamed."""
    arrived = recorder.assembler
    arrived.finish()
    return [
        Call(call.name, call_id, text, raw=True)
        for position, call in enumerate(arrived.calls)
        for call_id, text, _ in call.identified(f"{message_id}-call-{position}")
    ]


def _name(call: Call, policy: Policy) -> str:
    return known_name(call.name, policy.names | policy.patch_names) or call.name


def _sort(
    calls: Sequence[Call], names: Sequence[str], policy: Policy, stopped: str
) -> tuple[list[ToolCall], list[InvalidToolCall]]:
    whole: list[ToolCall] = []
    broken: list[InvalidToolCall] = []
    for call, name in zip(calls, names, strict=True):
        args = read_args(call.text, policy.bounds)
        if args.state == "complete":
            whole.append(ToolCall(name=name, args=args.value, id=call.id, type="tool_call"))
        else:
            broken.append(
                InvalidToolCall(
                    name=name,
                    args=call.text,
                    id=call.id,
                    error=stopped or args.issues[0].message,
                    type="invalid_tool_call",
                )
            )
    return whole, broken


def _metadata(message: AIMessage, recorder: Recorder) -> dict[str, Any]:
    """The provider's metadata as plain JSON, less the marks of one way of watching."""
    metadata = {
        key: _plain(part)
        for key, part in message.response_metadata.items()
        if key != "output_version"
    }
    if recorder.finish_reason and not metadata.keys() & {"status", "prompt_feedback"}:
        key = "stop_reason" if "stop_reason" in metadata else "finish_reason"
        metadata[key] = recorder.finish_reason
    return metadata


def _plain(part: Any) -> Any:
    """Without enumerations, whose classes a saver may refuse to load."""
    if isinstance(part, Mapping):
        return {key: _plain(one) for key, one in part.items()}
    if isinstance(part, list | tuple):
        return [_plain(one) for one in part]
    return part.value if isinstance(part, Enum) else part


_NORMALISED = {
    "code": "tool_name_normalised",
    "message": "the model wrote a wrapper around the tool's name",
}


def _notices(recorder: Recorder, message: AIMessage) -> list[dict[str, str]]:
    healed = [
        {"code": notice.code, "message": notice.message}
        for call in recorder.assembler.calls
        if call.readings
        for notice in call.readings.notices
    ]
    if recorder.streamed and not recorder.finish_reason and not note_of(message).get("stopped"):
        words = "the stream ended without a finish reason"
        healed.append({"code": "no_finish_reason", "message": words})
    return healed

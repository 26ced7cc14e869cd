"""A provider's refusal of its own model's call, turned into the message that it was.

Groq answers HTTP 400 with code `tool_use_failed` where it cannot read what the model wrote, and
puts the text into `error.failed_generation`. To a graph that is a wrong answer like any other:
it is kept, answered, and asked for again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from uuid import uuid4

from langchain_core.messages import AIMessage, InvalidToolCall

from rendercall.contract.written_call import rescue
from rendercall.langgraph.notes import with_note
from rendercall.langgraph.policy import Policy

__all__ = ["message_of_failure"]


def message_of_failure(error: Exception, policy: Policy) -> AIMessage | None:
    """The message that the provider threw away.

    Args:
        error: as the provider's client raised it; its `body` is looked at.
        policy: where a render tool mends, the call is looked for in the text.

    Returns:
        A message with the call, its args as text; None where the error is of another kind.
    """
    text = _failed_generation(error)
    if text is None:
        return None
    mending = [tool.name for tool in policy.renders if tool.mend]
    found = rescue(text, mending, bounds=policy.bounds)
    named = next((tool.name for tool in policy.renders if tool.name in text), "")
    name, args = found or (named or policy.known[0].name, text)
    call = InvalidToolCall(
        name=name,
        args=args,
        id=f"call_{uuid4().hex}",
        error="the provider could not read the call",
        type="invalid_tool_call",
    )
    message = AIMessage("", id=str(uuid4()), invalid_tool_calls=[call])
    return with_note(message, notices=[_RESCUED] if found else [])


_RESCUED = {
    "code": "failed_generation_rescued",
    "message": "the provider refused the call as it was written",
}


def _failed_generation(error: Exception) -> str | None:
    body = getattr(error, "body", None)
    if not isinstance(body, Mapping):
        return None
    fields = cast("Mapping[str, Any]", body)
    inner = fields.get("error", fields)
    text = inner.get("failed_generation") if isinstance(inner, Mapping) else None
    return text if isinstance(text, str) else None

"""pydantic-ai: an agent with output tools."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from typing import Any

from pydantic_ai import Agent, ToolOutput
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel

from benchmarks.peers.script import Ended, Quiz, Script
from schemas.learning_plan import LearningPlan

__all__ = ["pydantic_ai"]


def pydantic_ai(script: Script) -> Ended:
    """Output tools with the names of ours; streamed to an event handler, or whole."""
    ids = (f"call_{number}" for number in count(1))

    def whole(*_: Any) -> ModelResponse:
        reply = script.next()
        calls = [ToolCallPart(call.name, call.text, next(ids)) for call in reply.calls]
        parts = [TextPart(reply.text), *calls] if reply.text else calls
        return ModelResponse(parts, finish_reason="length" if reply.reason == "length" else None)

    async def streamed(*_: Any) -> AsyncIterator[Any]:
        reply = script.next()
        yield reply.text
        for index, call in enumerate(reply.calls):
            yield {index: DeltaToolCall(call.name, "", tool_call_id=next(ids))}
            for at in range(0, len(call.text), 16):
                yield {index: DeltaToolCall(json_args=call.text[at : at + 16])}

    async def watch(_: Any, events: Any) -> None:
        async for _event in events:
            pass

    outputs: Any = [
        ToolOutput(LearningPlan, name="render_learning_plan"),
        ToolOutput(Quiz, name="render_quiz"),
    ]
    agent = Agent(FunctionModel(whole, stream_function=streamed), output_type=outputs)
    agent.tool_plain(_search_docs, name="search_docs")
    agent.tool_plain(_count_words, name="count_words")
    result = agent.run_sync("Plan SQL", event_stream_handler=watch if script.stream else None)
    return Ended(result.output.model_dump(mode="json"))


def _search_docs(query: str) -> str:
    return f"hits for {query}"


def _count_words(text: str) -> int:
    return len(text.split())

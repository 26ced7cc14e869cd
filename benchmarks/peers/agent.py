"""langchain's create_agent with its own structured output: ToolStrategy and ProviderStrategy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from langchain.agents import create_agent
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.messages import HumanMessage

from benchmarks.peers.script import Ended, Quiz, Script, ordinary_tools
from rendercall.models import Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan

__all__ = ["model_of", "provider_strategy", "state_of", "tool_strategy"]

NAMES = {"render_learning_plan": "LearningPlan", "render_quiz": "Quiz"}
"""ToolStrategy names its tools after the classes."""


def model_of(script: Script, change: Any = lambda reply: reply) -> ScriptedChatModel:
    """The script as a chat model of langchain."""
    return ScriptedChatModel(
        script=[lambda messages: change(script.next(messages))],
        repeat_last=True,
        chunk_size=16,
        disable_streaming=not script.stream,
    )


def state_of(agent: Any, *, stream: bool) -> dict[str, Any]:
    """The state at the end of a run that is watched, or not."""
    ask = {"messages": [HumanMessage("Plan SQL")]}
    if not stream:
        return agent.invoke(ask)  # type: ignore[no-any-return]
    states = [
        data
        for mode, data in agent.stream(ask, stream_mode=["messages", "values"])
        if mode == "values"
    ]
    return states[-1]  # type: ignore[no-any-return]


def tool_strategy(script: Script) -> Ended:
    """ToolStrategy: the answer is a call of a tool that is not executed."""
    return _run(model_of(script, _renamed), ToolStrategy(LearningPlan | Quiz), script)


def provider_strategy(script: Script) -> Ended:
    """ProviderStrategy: the answer is the message's text, as JSON."""
    return _run(model_of(script, _as_text), ProviderStrategy(LearningPlan), script)


def _run(model: ScriptedChatModel, strategy: Any, script: Script) -> Ended:
    agent = create_agent(model, ordinary_tools(), response_format=strategy)
    value = state_of(agent, stream=script.stream).get("structured_response")
    return Ended(value.model_dump(mode="json") if value is not None else None)


def _renamed(reply: Reply) -> Reply:
    calls = [replace(call, name=NAMES.get(call.name, call.name)) for call in reply.calls]
    return replace(reply, calls=calls)


def _as_text(reply: Reply) -> Reply:
    rendered = [call.text for call in reply.calls if call.name in NAMES]
    calls = [call for call in reply.calls if call.name not in NAMES]
    reason = reply.finish_reason or (None if calls else "stop")
    return replace(
        reply, text=rendered[0] if rendered else reply.text, calls=calls, finish_reason=reason
    )

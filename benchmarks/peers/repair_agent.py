"""langchain's create_agent with ToolStrategy, over a real client."""

from __future__ import annotations

from langchain.agents import create_agent
from langchain.agents.structured_output import ToolStrategy

from benchmarks.peers.repair_ours import ASK, chat_openai
from benchmarks.peers.script import Ended
from schemas.learning_plan import LearningPlan

__all__ = ["tool_strategy"]


def tool_strategy(base_url: str) -> Ended:
    """A wrong answer is told as an error, and written again; nothing bounds how often."""
    agent = create_agent(chat_openai(base_url), response_format=ToolStrategy(LearningPlan))
    state = agent.invoke({"messages": [("human", ASK)]}, {"recursion_limit": 20})
    value = state.get("structured_response")
    return Ended(value.model_dump(mode="json") if value is not None else None)

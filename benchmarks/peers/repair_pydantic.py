"""pydantic-ai with an output tool, over a real client."""

from __future__ import annotations

from pydantic_ai import Agent, ToolOutput
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from benchmarks.peers.script import Ended
from schemas.learning_plan import LearningPlan

__all__ = ["tool_output"]

ASK = "Plan a course on SQL window functions."


def tool_output(base_url: str) -> Ended:
    """A wrong answer is told as an error, and written again, twice at most."""
    model = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(base_url=base_url, api_key="test"))
    output = ToolOutput(LearningPlan, name="render_learning_plan", max_retries=2, strict=False)
    result = Agent(model, output_type=output).run_sync(ASK)
    return Ended(result.output.model_dump(mode="json"))

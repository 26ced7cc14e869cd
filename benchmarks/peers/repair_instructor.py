"""instructor in its tools mode, over OpenAI's client."""

from __future__ import annotations

import instructor
import openai

from benchmarks.peers.script import Ended
from schemas.learning_plan import LearningPlan

__all__ = ["tools_mode"]

ASK = "Plan a course on SQL window functions."


def tools_mode(base_url: str) -> Ended:
    """A wrong answer is told as an error, and written again, twice at most."""
    client = instructor.from_openai(openai.OpenAI(base_url=base_url, api_key="test", max_retries=0))
    plan = client.chat.completions.create(
        model="gpt-4o",
        response_model=LearningPlan,
        max_retries=3,
        messages=[{"role": "user", "content": ASK}],
    )
    return Ended(plan.model_dump(mode="json"))

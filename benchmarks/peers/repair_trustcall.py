"""trustcall's extractor, over a real client: it patches too."""

from __future__ import annotations

from trustcall import create_extractor

from benchmarks.peers.repair_ours import ASK, chat_openai
from benchmarks.peers.script import Ended
from schemas.learning_plan import LearningPlan

__all__ = ["extractor"]


def extractor(base_url: str) -> Ended:
    """A wrong answer is patched by JSON Patch, in three attempts at most (its default)."""
    made = create_extractor(chat_openai(base_url), tools=[LearningPlan], tool_choice="LearningPlan")
    responses = made.invoke({"messages": [("human", ASK)]})["responses"]
    return Ended(responses[0].model_dump(mode="json") if responses else None)

"""A learning plan from a topic: the model searches the documentation, then renders.

The model is chosen at run time: from the run's context, else from the environment
(`RENDERCALL_MODEL`, then `OPENAI_API_KEY`), else the local one where it is installed, else
the rule-based planner, which is no model and says so.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langgraph.runtime import Runtime

from graphs.parts.planner import plan_reply
from graphs.parts.request import changes_asked, read_request
from graphs.parts.search_docs import search_docs
from rendercall import RenderTool
from rendercall.langgraph import render_graph
from rendercall.models import (
    RuleBasedChatModel,
    default_model_name,
    load_chat_model,
    local_chat_model,
)
from schemas.learning_plan import LearningPlan

PROMPT = """\
You make learning plans. Call search_docs first where documentation may help, then call
render_learning_plan once with the whole plan, in the language of the request. The topic is
what the user asked for. total_minutes is the sum of the lessons' duration_minutes."""


@dataclass(frozen=True)
class Context:
    """What a run may choose.

    Attributes:
        model: `"provider:name"`, `"local"` or `"offline"`; empty asks the environment.
        pace: seconds between two pieces of the rule-based planner, so that one can watch
            the plan form.
    """

    model: str = ""
    pace: float = 0.01


@lru_cache(maxsize=16)
def chat_model(name: str, pace: float) -> BaseChatModel:
    """The chat model of that name."""
    if name == "offline":
        return RuleBasedChatModel(rule=plan_reply, pace=pace)
    if name == "local":
        path = os.environ.get("RENDERCALL_LOCAL_GGUF") or None
        return local_chat_model(path, known=topic_asked)
    return load_chat_model(name)


def topic_asked(messages: Sequence[BaseMessage]) -> dict[str, str]:
    """The plan's topic, which is what the user asked for: a tiny model would leave it."""
    asked = [str(one.text) for one in messages if isinstance(one, HumanMessage)]
    topics = [text for text in asked if not changes_asked(text)] or asked
    topic = read_request(topics[-1]).topic
    return {"topic": topic} if topic else {}


def model_of_run(runtime: Runtime[Context]) -> BaseChatModel:
    """The model that this run asks for."""
    context: Context | None = runtime.context  # None where the caller gave no context
    context = context or Context()
    return chat_model(context.model or default_model_name(os.environ), context.pace)


plan_tool = RenderTool(LearningPlan)

graph = render_graph(
    model_of_run,
    plan_tool,
    tools=[search_docs],
    prompt=PROMPT,
    search_first=search_docs,
    context_schema=Context,
    name="learning_plan",
)

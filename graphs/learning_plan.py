"""A learning plan from a topic: the model searches the documentation, then renders.

The model is chosen at run time: from the run's context, else from the environment
(`RENDERCALL_MODEL`, then `OPENAI_API_KEY`), else the local one where it is installed, else
the rule-based planner, which is no model and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langgraph.runtime import Runtime

from graphs.parts.chosen_model import Context, chosen_model
from graphs.parts.planner import plan_reply
from graphs.parts.request import changes_asked, read_request
from graphs.parts.search_docs import search_docs
from rendercall import RenderTool
from rendercall.langgraph import render_graph
from rendercall.models import local_chat_model
from schemas.learning_plan import LearningPlan

PROMPT = """\
You make learning plans. Call search_docs first where documentation may help, then call
render_learning_plan once with the whole plan, in the language of the request. The topic is
what the user asked for. total_minutes is the sum of the lessons' duration_minutes."""


def topic_asked(messages: Sequence[BaseMessage]) -> dict[str, str]:
    """The plan's topic, which is what the user asked for: a tiny model would leave it."""
    asked = [str(one.text) for one in messages if isinstance(one, HumanMessage)]
    topics = [text for text in asked if not changes_asked(text)] or asked
    topic = read_request(topics[-1]).topic
    return {"topic": topic} if topic else {}


local_model = partial(local_chat_model, known=topic_asked)


def model_of_run(runtime: Runtime[Context]) -> BaseChatModel:
    """The model that this run asks for."""
    return chosen_model(runtime.context, offline=plan_reply, local=local_model)


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

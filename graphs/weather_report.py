"""A weather report by a skill: the model takes it up, looks the place up, and renders.

The skill is a folder, `skills/weather`: its instructions and the JSON Schema of its output tool
`output_weather`. Until it is active, the model sees its name and description alone. The model
is chosen as in `learning_plan`; without a key it is a rule-based reporter, which is no model
and says so. The weather is a generated table, and every card says that too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, ToolMessage
from langgraph.runtime import Runtime

from graphs.parts.chosen_model import Context, chosen_model
from graphs.parts.get_weather import get_weather
from graphs.parts.reporter import report_reply
from rendercall.langgraph import SkillRegistry, read_skills, render_graph
from rendercall.models import local_chat_model

PROMPT = """\
You answer questions about the weather, in the language of the question. Say in words what no
card can say."""


def looked_up(messages: Sequence[BaseMessage]) -> dict[str, Any]:
    """The card's data, which is what was looked up: a tiny model would change the numbers."""
    for message in reversed(messages):
        if isinstance(message, ToolMessage) and message.name == get_weather.name:
            return {"data": message.artifact} if "days" in message.artifact else {}
    return {}


local_model = partial(local_chat_model, render="output_", known=looked_up)


def model_of_run(runtime: Runtime[Context]) -> BaseChatModel:
    """The model that this run asks for."""
    return chosen_model(runtime.context, offline=report_reply, local=local_model)


skills = SkillRegistry(read_skills(Path(__file__).parent / "skills", tools=[get_weather]))

graph = render_graph(
    model_of_run,
    (),
    skills=skills,
    prompt=PROMPT,
    search_first=get_weather,
    context_schema=Context,
    name="weather_report",
)

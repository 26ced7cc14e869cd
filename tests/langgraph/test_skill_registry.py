from __future__ import annotations

from dataclasses import replace

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool

from rendercall import RenderTool
from rendercall.errors import GraphDefinitionError, SkillRefused
from rendercall.langgraph import render_graph
from rendercall.langgraph.skills import Skill, SkillRegistry
from rendercall.langgraph.use_skill import instructions
from rendercall.models import ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.skilled import SCHEMA, get_weather, output_weather, weather

other = Skill(name="other", description="Another.", system_prompt="Do other things.")
MODEL = ScriptedChatModel(script=[])


@tool("use_skill")
def a_second_use_skill(name: str) -> str:
    """Take the registry's own name."""
    return name


@tool("patch_output_weather")
def a_patch(name: str) -> str:
    """Take the name with which a wrong call is patched."""
    return name


CLASHES = {
    "two of one name": ([weather, weather], "two skills have the name weather"),
    "two tools": ([weather, replace(other, tools=(get_weather,))], "get_weather, a name that the skill weather"),
    "two output tools": ([weather, replace(other, renders=(output_weather,))], "output_weather, a name that the skill"),
    "the registry's own": ([replace(other, tools=(a_second_use_skill,))], "use_skill, a name that the registry"),
}  # fmt: skip


@pytest.mark.parametrize(("skills", "told"), CLASHES.values(), ids=CLASHES)
def test_clashes_among_skills(skills: list[Skill], told: str) -> None:
    """Two of one name are told when they are registered, with the names of both sides."""
    with pytest.raises(SkillRefused, match=told):
        SkillRegistry(skills)


def test_clashes_with_the_graph(plan_tool: RenderTool[LearningPlan]) -> None:
    """The host's names are taken, also the one with which a wrong call is patched."""
    with pytest.raises(SkillRefused, match="get_weather, a name that the graph itself"):
        render_graph(MODEL, plan_tool, tools=[get_weather], skills=[weather])
    with pytest.raises(SkillRefused, match="output_weather, a name that the graph itself"):
        render_graph(MODEL, output_weather, skills=[weather])
    patching = [weather, replace(other, tools=(a_patch,))]
    with pytest.raises(GraphDefinitionError, match="patch_output_weather"):
        render_graph(MODEL, plan_tool, skills=patching)


def test_something_must_end_the_run() -> None:
    """A graph whose host and skills bring no output tool cannot finish."""
    with pytest.raises(GraphDefinitionError, match="at least one render tool"):
        render_graph(MODEL, (), skills=[other])


def test_updates() -> None:
    """A host's change is checked before it reaches the state."""
    registry = SkillRegistry([weather, other])
    update = registry.update(activate=["weather"], deactivate=["other"])
    assert update == {"active_skills": ["weather", "-other"]}
    with pytest.raises(SkillRefused, match="there is no skill wether: weather, other"):
        registry.update(activate=["wether"])


def test_the_prompt() -> None:
    """Waiting skills by name and description; active ones in full, unless an answer says it."""
    registry = SkillRegistry([weather, other])
    waiting = registry.prompt([], [])
    assert "- weather: Reports the weather." in waiting
    assert "- other: Another." in waiting
    assert weather.system_prompt not in waiting
    by_host = registry.prompt(["weather"], [HumanMessage("x")])
    assert weather.system_prompt in by_host
    assert "- weather:" not in by_host
    said = ToolMessage(instructions(weather), name="use_skill", tool_call_id="c")
    assert registry.prompt(["weather", "other"], [said]) == instructions(other)
    assert registry.prompt(["gone"], []) == waiting


def test_all_output_tools() -> None:
    """Readers get the tools of all skills, whatever is active."""
    second = RenderTool.from_json_schema("output_other", "x", SCHEMA)
    registry = SkillRegistry([weather, replace(other, renders=(second,))])
    assert registry.renders == (output_weather, second)

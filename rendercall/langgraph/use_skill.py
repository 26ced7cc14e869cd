"""The tool with which a model takes up a skill, and how the state keeps which are active."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, InjectedToolCallId
from langgraph.types import Command
from pydantic import Field, create_model
from typing_extensions import override

from rendercall.langgraph.skill import Skill
from rendercall.results.summary import Label

__all__ = ["USE_SKILL", "instructions", "merge_active", "use_skill_tool"]

USE_SKILL = "use_skill"

_LABEL: Label = {"en": "Take up a skill", "zh": "启用技能"}


def merge_active(active: Sequence[str] | None, changes: Sequence[str] | None) -> list[str]:
    """The reducer of the state's `active_skills`: names in the order in which they came.

    Args:
        active: what is active.
        changes: names to add; `-name` takes one out, since no name begins with a hyphen.
    """
    names = dict.fromkeys(active or ())
    for change in changes or ():
        if change.startswith("-"):
            names.pop(change[1:], None)
        else:
            names[change] = None
    return list(names)


def instructions(skill: Skill) -> str:
    """What a model is told of an active skill."""
    lines = [f"The skill {skill.name} is active."]
    if ordinary := [tool.name for tool in skill.tools]:
        lines.append(f"Its tools: {', '.join(ordinary)}.")
    if renders := [tool.name for tool in skill.renders]:
        lines.append(f"Its final answer is a call of {' or '.join(renders)}.")
    heading = " ".join(lines)
    return f"{heading}\n\n{skill.system_prompt}".strip()


def use_skill_tool(skills: Sequence[Skill]) -> BaseTool:
    """The tool over these skills.

    Its answer gives the skill's instructions, and it writes the name to the state's
    `active_skills`, so that the skill's tools are there from the next model call on.
    """
    names = ", ".join(skill.name for skill in skills)
    args = create_model(
        USE_SKILL,
        name=(str, Field(description=f"The skill's name, one of: {names}.")),
        tool_call_id=(Annotated[str, InjectedToolCallId], ...),
    )
    return _UseSkill(args_schema=args, skills={skill.name: skill for skill in skills})


class _UseSkill(BaseTool):
    name: str = USE_SKILL
    description: str = (
        "Activate a skill by its name: its instructions come back, and its tools are there "
        "from then on."
    )
    label: Label = _LABEL
    skills: dict[str, Skill]

    @override
    def _run(self, name: str, tool_call_id: str, **_: Any) -> Command[Any]:
        skill = self.skills.get(name)
        answer = ToolMessage(
            instructions(skill) if skill else f"There is no such skill: {', '.join(self.skills)}.",
            name=self.name,
            tool_call_id=tool_call_id,
            status="success" if skill else "error",
        )
        return Command(
            update={"messages": [answer], "active_skills": [skill.name] if skill else []}
        )

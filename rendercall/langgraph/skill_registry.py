"""The skills of a graph: what clashes, what is told of them, and what of them is in force."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import AnyMessage, ToolMessage
from langchain_core.tools import BaseTool

from rendercall.contract import RenderTool
from rendercall.errors import SkillRefused
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.skill import Skill
from rendercall.langgraph.use_skill import USE_SKILL, instructions, use_skill_tool

__all__ = ["SkillRegistry"]


@dataclass(frozen=True, slots=True, init=False)
class SkillRegistry:
    """Skills that can be active side by side.

    Args:
        skills: the skills, in the order in which a model is told of them.

    Attributes:
        skills: the same.
        use_skill: the tool with which a model activates one.

    Raises:
        SkillRefused: two skills, or two of their tools, have one name.
    """

    skills: tuple[Skill, ...]
    use_skill: BaseTool

    def __init__(self, skills: Sequence[Skill]) -> None:
        names = [skill.name for skill in skills]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise SkillRefused(f"two skills have the name {', '.join(twice)}")
        object.__setattr__(self, "skills", tuple(skills))
        object.__setattr__(self, "use_skill", use_skill_tool(self.skills))
        self.refuse_clashes({USE_SKILL: "the registry itself"})

    @property
    def renders(self) -> tuple[RenderTool[Any], ...]:
        """The output tools of all skills: pass them to `last_render`, whatever is active."""
        return tuple(tool for skill in self.skills for tool in skill.renders)

    @property
    def tools(self) -> tuple[BaseTool, ...]:
        """The ordinary tools of all skills, and `use_skill`."""
        return (self.use_skill, *(tool for skill in self.skills for tool in skill.tools))

    def refuse_clashes(self, taken: dict[str, str]) -> None:
        """Refuse names that are taken.

        Args:
            taken: names of tools, and whose each is, in words.

        Raises:
            SkillRefused: a skill has a tool of such a name, or two skills have one.
        """
        owners = dict(taken)
        for skill in self.skills:
            names = [*(tool.name for tool in skill.tools), *(tool.name for tool in skill.renders)]
            for name in names:
                if name in owners:
                    raise SkillRefused(
                        f"the skill {skill.name} brings {name}, a name that {owners[name]} has "
                        "already: rename one of them"
                    )
                owners[name] = f"the skill {skill.name}"

    def active(self, names: Collection[str]) -> tuple[Skill, ...]:
        """The skills of these names; a thread may name some that the graph no longer has."""
        return tuple(skill for skill in self.skills if skill.name in names)

    def owner(self, tool: BaseTool) -> Skill | None:
        """The skill that brings an ordinary tool."""
        return next((skill for skill in self.skills if tool in skill.tools), None)

    def update(
        self, *, activate: Collection[str] = (), deactivate: Collection[str] = ()
    ) -> dict[str, list[str]]:
        """The input or state update with which a host changes what is active.

        Example:
            ```python
            graph.invoke({"messages": [...], **registry.update(activate=["weather"])})
            ```

        Raises:
            SkillRefused: there is no skill of such a name.
        """
        known = [skill.name for skill in self.skills]
        if strange := sorted({*activate, *deactivate} - set(known)):
            raise SkillRefused(f"there is no skill {', '.join(strange)}: {', '.join(known)}")
        return {"active_skills": [*activate, *(f"-{name}" for name in deactivate)]}

    def policy(self, policy: Policy, names: Collection[str]) -> Policy:
        """The rules while these skills are active.

        Args:
            policy: the graph's, without any skill.
            names: of the active ones.
        """
        active = self.active(names)
        renders = tuple(tool for skill in active for tool in skill.renders)
        ordinary = frozenset(tool.name for skill in active for tool in skill.tools)
        return replace(
            policy,
            renders=(*policy.renders, *renders),
            dormant=tuple(tool for tool in self.renders if tool not in renders),
            tool_names=policy.tool_names | ordinary | {self.use_skill.name},
        )

    def offered(self, names: Collection[str]) -> tuple[BaseTool, ...]:
        """The ordinary tools that a model is offered while these skills are active."""
        active = (tool for skill in self.active(names) for tool in skill.tools)
        return (self.use_skill, *active)

    def prompt(self, names: Collection[str], messages: Sequence[AnyMessage]) -> str:
        """What a model is told of the skills, in the system message of one request.

        An active skill's instructions are there unless an answer of `use_skill` in the request
        already gives them: one that the host activated, or whose answer was trimmed away.

        Args:
            names: of the active ones.
            messages: the request.
        """
        told = {
            str(message.text)
            for message in messages
            if isinstance(message, ToolMessage) and message.name == USE_SKILL
        }
        return "\n\n".join(self._sections(names, told))

    def _sections(self, names: Collection[str], told: Collection[str]) -> Iterator[str]:
        waiting = [skill for skill in self.skills if skill.name not in names]
        if waiting:
            yield "\n".join([_HEADING, *(_line(skill, told) for skill in waiting)])
        for skill in self.active(names):
            text = instructions(skill)
            if text not in told:
                yield text


def _line(skill: Skill, told: Collection[str]) -> str:
    """A waiting skill; of one that was active before, the history still says that it is."""
    away = " (put away since)" if instructions(skill) in told else ""
    return f"- {skill.name}{away}: {' '.join(skill.description.split())}"


_HEADING = (
    f"Skills bring further instructions and tools. Where one fits the task, call {USE_SKILL} "
    "with its name first:"
)

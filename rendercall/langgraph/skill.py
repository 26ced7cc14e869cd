"""A skill: instructions, and the tools that come with them, for one kind of task."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from langchain_core.tools import BaseTool

from rendercall.contract import RenderTool
from rendercall.errors import SkillRefused

__all__ = ["MAX_DESCRIPTION", "MAX_NAME", "Skill"]

MAX_NAME = 64
MAX_DESCRIPTION = 1024
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """What a model can take up in the middle of a run, and what it is then offered.

    Name and description keep to the rules of agentskills.io. Until the skill is active, a
    model sees no more of it than these two.

    Attributes:
        name: lower-case letters, digits and single hyphens, at most 64 characters.
        description: what it does and when to use it, at most 1024 characters.
        system_prompt: what the model is told once the skill is active.
        tools: ordinary tools.
        renders: output tools; a call of one ends the run.

    Raises:
        SkillRefused: a rule is broken, or an output tool stands among `tools`.
    """

    name: str
    description: str
    system_prompt: str = ""
    tools: tuple[BaseTool, ...] = ()
    renders: tuple[RenderTool[Any], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no model could be told, or what no graph could run."""
        if len(self.name) > MAX_NAME or not _NAME.fullmatch(self.name):
            raise SkillRefused(
                f"the skill name {self.name[:MAX_NAME]!r} must be lower-case letters, digits and "
                f"single hyphens, at most {MAX_NAME} characters"
            )
        if not self.description.strip() or len(self.description) > MAX_DESCRIPTION:
            raise SkillRefused(
                f"the skill {self.name} needs a description of at most {MAX_DESCRIPTION} "
                "characters: it is all that a model sees before it takes the skill up"
            )
        object.__setattr__(self, "tools", tuple(self.tools))
        object.__setattr__(self, "renders", tuple(self.renders))
        for tool in self.tools:
            if isinstance(tool, RenderTool):
                raise SkillRefused(
                    f"the skill {self.name} names {tool.name} among its tools, but an output tool "
                    "is never executed: put it among renders"
                )
        if not (self.system_prompt.strip() or self.tools or self.renders):
            raise SkillRefused(f"the skill {self.name} is empty: no prompt, no tools, no renders")

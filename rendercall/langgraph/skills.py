"""Skills: instructions and tools that a run takes up when it needs them.

```python
graph = render_graph(model, final_output(), skills=read_skills("skills", tools=[get_weather]))
```

The model sees each skill's name and description, and activates one with `use_skill`; a host
activates one in its input (`SkillRegistry.update`). Only active skills' tools and output tools
are bound. Which are active is kept in the state, `active_skills`, a plain list of names that
outlives a restart with the thread. Read answers with the output tools of all skills
(`last_render(state, registry.renders)`): those of a skill that is no longer active count too.

Agents made by langchain's `create_agent` have skills of their own (deepagents'
`SkillsMiddleware`), and `RenderMiddleware` leaves them to it: two registries would answer each
other's calls. Give it the output tools of all skills, as `render`.
"""

from __future__ import annotations

from rendercall.langgraph.skill import Skill
from rendercall.langgraph.skill_folder import read_skill, read_skills
from rendercall.langgraph.skill_registry import SkillRegistry
from rendercall.langgraph.use_skill import USE_SKILL, merge_active

__all__ = ["USE_SKILL", "Skill", "SkillRegistry", "merge_active", "read_skill", "read_skills"]

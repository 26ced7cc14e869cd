"""A graph with a skill, for the test of layers: the human's words name the answer."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import BaseMessage, HumanMessage

from rendercall.langgraph import render_graph
from rendercall.langgraph.skills import SkillRegistry
from rendercall.models import Reply, ScriptedChatModel
from tests.langgraph.layers import STOPPED
from tests.langgraph.skilled import show, weather

__all__ = ["layered", "skills"]


def played(messages: Sequence[BaseMessage]) -> Reply:
    """The answer that the last human message names."""
    asked = next(one for one in reversed(messages) if isinstance(one, HumanMessage))
    return STOPPED[str(asked.text)][0] if asked.text in STOPPED else show


skills = SkillRegistry([weather])
layered = render_graph(
    ScriptedChatModel(script=[played], repeat_last=True), (), skills=skills, max_repairs=0
)

"""LangGraph parts for graphs that finish on a render call.

`RenderMiddleware` brings them to agents of langchain; it needs the extra `langchain`, and is
imported when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rendercall.errors import import_extra
from rendercall.langgraph.frames import EnableCustom
from rendercall.langgraph.graph import RenderState, render_graph
from rendercall.langgraph.history import prepare_messages
from rendercall.langgraph.model_node import ModelNode
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.retry_policy import retry_policies
from rendercall.langgraph.review import is_final
from rendercall.langgraph.routing import route_after_model, route_after_tools
from rendercall.langgraph.skills import Skill, SkillRegistry, read_skill, read_skills
from rendercall.langgraph.tool_calls import awatched_call, tool_node, watched_call
from rendercall.langgraph.trace import Trace
from rendercall.langgraph.watch import awatch, watch

if TYPE_CHECKING:
    from rendercall.langgraph.middleware import RenderMiddleware

__all__ = [
    "EnableCustom",
    "ModelNode",
    "Policy",
    "RenderMiddleware",
    "RenderState",
    "Skill",
    "SkillRegistry",
    "Trace",
    "awatch",
    "awatched_call",
    "is_final",
    "prepare_messages",
    "read_skill",
    "read_skills",
    "render_graph",
    "retry_policies",
    "route_after_model",
    "route_after_tools",
    "tool_node",
    "watch",
    "watched_call",
]


def __getattr__(name: str) -> Any:
    if name != "RenderMiddleware":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_extra("langchain.agents", "langchain")
    return import_extra("rendercall.langgraph.middleware", "langchain").RenderMiddleware

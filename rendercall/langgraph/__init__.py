"""LangGraph parts for graphs that finish on a render call."""

from rendercall.langgraph.graph import RenderState, render_graph
from rendercall.langgraph.history import prepare_messages
from rendercall.langgraph.model_node import ModelNode
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.routing import route_after_model, route_after_tools

__all__ = [
    "ModelNode",
    "Policy",
    "RenderState",
    "prepare_messages",
    "render_graph",
    "route_after_model",
    "route_after_tools",
]

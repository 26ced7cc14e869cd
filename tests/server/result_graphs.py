"""Graphs for the tests of tool results on the server: every outcome, by every kind of model."""

from __future__ import annotations

from tests.langgraph.lesson_graphs import graph_of
from tests.server.lesson_models import LESSON_MODELS

__all__ = ["anthropic", "openai_chat", "openai_responses", "scripted"]

scripted, openai_chat, openai_responses, anthropic = map(graph_of, LESSON_MODELS)

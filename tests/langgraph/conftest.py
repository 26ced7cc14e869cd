from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.tools import BaseTool

from rendercall import RenderTool
from rendercall.langgraph import render_graph
from rendercall.models import ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import MakeGraph, Scripted, search_docs


@pytest.fixture
def scripted(plan_tool: RenderTool[LearningPlan]) -> MakeGraph:
    """Make a graph whose model plays a script; its last item repeats."""

    def make(
        *script: Any,
        tools: Sequence[BaseTool] = (search_docs,),
        stream: bool = True,
        **options: Any,
    ) -> Scripted:
        model = ScriptedChatModel(
            script=list(script), repeat_last=True, disable_streaming=not stream
        )
        return Scripted(render_graph(model, plan_tool, tools=tools, **options), model)

    return make

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, get_args

import pytest
from langchain_core.tools import BaseTool, tool

from rendercall import RenderTool, last_render
from rendercall.models import Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.agents import AGENTS
from tests.langgraph.routing_table import QUIZ, ROWS, Company, Outcome, Render, Row, reply
from tests.langgraph.scripted_graph import ASK, GOOD, render

LIMITS = {"max_repairs": 2, "max_model_calls": 4}


@cache
def ordinary_tools() -> tuple[list[BaseTool], list[str]]:
    """Two ordinary tools, and the list of their executions."""
    executed: list[str] = []

    @tool
    def search_docs(query: str) -> str:
        """Search the documentation."""
        executed.append(query)
        return f"hits for {query}"

    @tool
    def count_words(text: str) -> int:
        """Count words."""
        executed.append(text)
        return len(text.split())

    return [search_docs, count_words], executed


def run(
    make: Callable[..., Any],
    plan_tool: RenderTool[Any],
    script: list[Reply],
    *,
    stream: bool,
    forced: bool,
) -> Outcome:
    """Run an agent and give its outcome."""
    tools, executed = ordinary_tools()
    executed.clear()
    model = ScriptedChatModel(
        script=script, repeat_last=True, disable_streaming=not stream, chunk_size=16
    )
    renders = [plan_tool, QUIZ]
    agent = make(model, renders, tools, tool_choice="any" if forced else None, **LIMITS)
    shown = last_render(agent.invoke(ASK), renders)
    assert {one.tool_choice for one in model.requests} == {"any" if forced else None}
    if shown.status == "ok":
        assert shown.require() == LearningPlan.model_validate(GOOD)
    return Outcome(shown.status, len(model.requests), len(executed))


def test_the_table_has_every_cell() -> None:
    """Each combination stands in the table once."""
    cells = {
        (kind, company, text)
        for kind in get_args(Render)
        for company in get_args(Company)
        for text in (False, True)
    }
    assert len(ROWS) == len(cells)
    assert {(row.render, row.company, row.text) for row in ROWS} == cells


@pytest.mark.parametrize("forced", [True, False], ids=["forced", "free"])
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
@pytest.mark.parametrize("agent", AGENTS)
def test_every_cell_ends_in_its_outcome(
    agent: str, row: Row, stream: bool, forced: bool, plan_tool: RenderTool[LearningPlan]
) -> None:
    """The same outcome in every agent, streamed or whole, forced or free."""
    how = {"stream": stream, "forced": forced}
    given = reply(row)
    assert run(AGENTS[agent], plan_tool, [given, render()], **how) == row.then_right
    assert run(AGENTS[agent], plan_tool, [given], **how) == row.always

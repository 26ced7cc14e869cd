from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from graphs import fixed_plan
from schemas.learning_plan import LearningPlan


@pytest.fixture
def by_path() -> ModuleType:
    """The graph file as LangGraph's server loads it: by path, under another module name."""
    spec = importlib.util.spec_from_file_location("__graphs__fixed_plan", Path(fixed_plan.__file__))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "topic"),
    [("SQL", "SQL"), ("我想学 SQL", "SQL"), ("", "this topic")],
    ids=["en", "zh", "blank"],
)
def test_the_run_ends_on_a_render_call(by_path: ModuleType, text: str, topic: str) -> None:
    """State ends on one AIMessage whose only call holds a valid plan about the topic."""
    last = by_path.graph.invoke({"messages": [("user", text)]})["messages"][-1]
    assert isinstance(last, AIMessage)
    (call,) = last.tool_calls
    assert call["name"] == by_path.plan_tool.name == "render_learning_plan"
    plan = LearningPlan.model_validate(call["args"], strict=True)
    assert plan.topic == topic
    assert plan.total_minutes == sum(lesson.duration_minutes for lesson in plan.lessons)


def test_no_messages() -> None:
    """An empty thread gets a plan too."""
    assert fixed_plan.graph.invoke({"messages": []})["messages"][-1].tool_calls


def test_call_ids_are_unique_in_a_thread() -> None:
    """Each turn's call can be answered on its own."""
    graph = fixed_plan.builder.compile(checkpointer=InMemorySaver())
    for text in ("SQL", "Git"):
        state = graph.invoke({"messages": [("user", text)]}, {"configurable": {"thread_id": "1"}})
    ids = [m.tool_calls[0]["id"] for m in state["messages"] if isinstance(m, AIMessage)]
    assert len(set(ids)) == 2

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel
from typing_extensions import TypedDict

from rendercall import RenderTool, last_render
from rendercall.errors import StateError
from schemas.learning_plan import LearningPlan
from tests.langgraph.postgres_cluster import cluster
from tests.langgraph.scripted_graph import GOOD, NAME
from tests.langgraph.stored_threads import awrite, write

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """How every thread ended that is in SQLite and in PostgreSQL, written sync and async."""
    with cluster() as postgres:
        sqlite = str(tmp_path_factory.mktemp("store") / "threads.sqlite")
        yield {one: write(one) | asyncio.run(awrite(one)) for one in (sqlite, postgres)}


@pytest.mark.parametrize("strict", ["true", "false"], ids=["strict msgpack", "default msgpack"])
def test_a_new_process_reads_the_same_results(strict: str, written: dict[str, Any]) -> None:
    """In every shape that a saver gives a thread in, sync and async."""
    found = read_in_new_process([*written], strict)
    for address, ends in written.items():
        assert [end[0]["status"] for end in ends.values()] == STATUSES * 2
        for name, end in ends.items():
            assert len(found[address][name]) == 9
            for shape, shown in found[address][name].items():
                assert shown == end, (address, name, shape)


STATUSES = ["ok", "ok", "invalid", "truncated", "refused", "absent"]


def read_in_new_process(addresses: list[str], strict: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.langgraph.stored_threads", *addresses],
        env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": strict, "PYTHONPATH": str(ROOT)},
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)


class Lossy(BaseModel):
    messages: list[BaseMessage]


class Kept(BaseModel):
    messages: list[AnyMessage]


def stored(holder: BaseModel, *, strict: bool) -> Any:
    """What a saver gives back of a state with one key that holds an object."""
    allowed: Any = None if strict else [(type(holder).__module__, type(holder).__name__)]
    saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=allowed))

    class State(TypedDict):
        work: Any

    builder = StateGraph(State)
    builder.add_node("plan", lambda _state: {"work": holder})
    builder.add_edge(START, "plan")
    builder.add_edge("plan", END)
    graph = builder.compile(checkpointer=saver)
    config: Any = {"configurable": {"thread_id": "1"}}
    graph.invoke({"work": None}, config)
    return graph.get_state(config).values["work"]


def messages() -> list[Any]:
    call = {"name": NAME, "args": GOOD, "id": "c1", "type": "tool_call"}
    return [HumanMessage("Plan", id="h1"), AIMessage("", id="a1", tool_calls=[call])]


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "default"])
def test_an_object_with_messages_inside_the_state(
    strict: bool, plan_tool: RenderTool[LearningPlan]
) -> None:
    """One that keeps the calls is read; one that lost them is refused, before it was stored and after."""
    kept = stored(Kept(messages=messages()), strict=strict)
    assert type(kept) is (dict if strict else Kept)
    assert last_render(kept, plan_tool).require() == LearningPlan.model_validate(GOOD)
    lossy = Lossy(messages=messages())
    for holder in (lossy, stored(lossy, strict=strict), lossy.model_dump()):
        with pytest.raises(StateError, match=r"list\[BaseMessage\]"):
            last_render(holder, plan_tool)

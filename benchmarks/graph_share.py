"""What the reader adds to a whole run of a graph."""

from __future__ import annotations

import json
from typing import Any

from langgraph.graph import END, START, MessagesState, StateGraph

from benchmarks.documents import SHAPES
from benchmarks.measure import side_by_side
from rendercall import RenderTool
from rendercall.langgraph import render_graph, watch
from rendercall.models import Call, Reply, ScriptedChatModel

__all__ = ["graph_share"]

MODES: Any = ["messages", "values"]
ASK: Any = {"messages": [("human", "Make it.")]}


def graph_share(size: int, rounds: int) -> dict[str, float]:
    """CPU seconds of whole runs that are watched, the model scripted, 4 characters a chunk.

    Args:
        size: characters of the plan.
        rounds: how often each run is repeated, in turns.

    Returns:
        Medians: `plain`, a graph whose node calls the model and nothing more, streamed with
        `messages` and `values`; `watch`, the same graph under `watch`, typed partial and
        deltas read; `render_graph`, ours, streamed like `plain`.
    """
    shape = SHAPES["plan"]
    tool = RenderTool(shape.model, name="render_it", description="Show it.")
    reply = Reply(calls=[Call(tool.name, json.loads(shape.text(size)))])
    model = ScriptedChatModel(script=[reply], repeat_last=True, chunk_size=4)
    plain, ours = _plain_graph(model), render_graph(model, tool)
    runs = {
        "plain": lambda: _stream(plain),
        "watch": lambda: _watch(plain, tool),
        "render_graph": lambda: _stream(ours),
    }
    return side_by_side(runs, rounds)


def _plain_graph(model: ScriptedChatModel) -> Any:
    def call(state: MessagesState) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("model", call)
    builder.add_edge(START, "model")
    builder.add_edge("model", END)
    return builder.compile()


def _stream(graph: Any) -> None:
    for _ in graph.stream(ASK, stream_mode=MODES, subgraphs=True):
        pass


def _watch(graph: Any, tool: RenderTool[Any]) -> None:
    for update in watch(graph, ASK, tool):
        update.partial  # noqa: B018 - reading is what is measured
        update.deltas  # noqa: B018 - same

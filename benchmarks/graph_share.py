"""What the reader adds to a whole run of a graph."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph

from benchmarks.documents import SHAPES
from benchmarks.measure import side_by_side
from rendercall import RenderTool
from rendercall.langgraph import render_graph, watch
from rendercall.models import Call, Reply, ScriptedChatModel
from tests.providers.http import Answer
from tests.providers.openai_chat import OpenAIChatServer

__all__ = ["graph_share"]

MODES: Any = ["messages", "values"]
ASK: Any = {"messages": [("human", "Make it.")]}
NAME = "render_it"


def graph_share(size: int, rounds: int) -> dict[str, dict[str, float]]:
    """CPU seconds of whole runs that are watched, 4 characters a chunk.

    Args:
        size: characters of the plan.
        rounds: how often each run is repeated, in turns.

    Returns:
        By model, `client` (langchain-openai over HTTP, its server in another process) and
        `script` (a model that costs next to nothing), medians: `plain`, a graph whose node
        calls the model and nothing more, streamed with `messages` and `values`; `watch`, the
        same graph under `watch`, typed partial and deltas read; `render_graph`, ours, streamed
        like `plain`: it reads, writes frames, judges the answer and guards its text.
    """
    text = SHAPES["plan"].text(size)
    script = Reply(calls=[Call(NAME, json.loads(text))])
    scripted = ScriptedChatModel(script=[script], repeat_last=True, chunk_size=4)
    with _server(text) as url:
        client = ChatOpenAI(model="gpt-4o", base_url=url, api_key="none")  # type: ignore[arg-type]
        return {"client": _share(client, rounds), "script": _share(scripted, rounds)}


def _share(model: BaseChatModel, rounds: int) -> dict[str, float]:
    tool = RenderTool(SHAPES["plan"].model, name=NAME, description="Show it.")
    plain, ours = _plain_graph(model), render_graph(model, tool)
    runs = {
        "plain": lambda: _stream(plain),
        "watch": lambda: _watch(plain, tool),
        "render_graph": lambda: _stream(ours),
    }
    return side_by_side(runs, rounds)


@contextmanager
def _server(text: str) -> Iterator[str]:
    """An imitation of OpenAI's server in a process of its own, which answers with one call."""
    ours, its = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(text, its))
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send(None)
        process.join()


def _serve(text: str, pipe: Connection) -> None:
    with OpenAIChatServer(lambda _: Answer(calls=[(NAME, text, "call_1")], chunk=4)) as server:
        pipe.send(server.base_url)
        pipe.recv()


def _plain_graph(model: BaseChatModel) -> Any:
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

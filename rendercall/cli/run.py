"""One turn of a graph, run in this process and shown while it runs."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langgraph.pregel import Pregel
from pydantic_core import to_jsonable_python

from rendercall.cli.threads import open_threads, thread_config
from rendercall.consumer.rendered import Rendered
from rendercall.consumer.scan import last_render
from rendercall.consumer.stream import RenderStream
from rendercall.contract import RenderTool
from rendercall.errors import Issue, ProjectError, RenderCallError
from rendercall.langgraph.watch import WITH_STEPS
from rendercall.sinks.terminal import terminal_text
from rendercall.terminal import LiveCard

__all__ = ["Run", "Turn", "context_of"]

Graph = Pregel[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What became of a turn.

    Attributes:
        rendered: the outcome.
        said: the model's own text, where it showed nothing.
        cause: the error that a failed run ended with, without any secret of the environment.
        seconds: how long it took.
    """

    rendered: Rendered[Any]
    said: str = ""
    cause: str = ""
    seconds: float


def context_of(
    graph: Graph, wanted: Mapping[str, Any], *, default_model: str
) -> dict[str, Any] | None:
    """The run's context; None where the graph takes none.

    Args:
        graph: the graph.
        wanted: what the user asked for, by the names of options.
        default_model: for a graph that takes a model, where none is wanted.

    Raises:
        ProjectError: something is wanted that the graph does not take.
    """
    takes = (graph.get_context_jsonschema() or {}).get("properties", {})
    if strange := [name for name in wanted if name not in takes]:
        raise ProjectError(
            f"the graph's context has no {strange[0]}, so --{strange[0]} has no effect on it: "
            "leave it out, or add the field to the graph's context_schema"
        )
    default = {"model": default_model} if "model" in takes else {}
    return {**default, **wanted} if takes else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A graph of the project, ready to run in a stored thread.

    Attributes:
        root: the project's directory.
        graph: the graph.
        tools: its render tools.
        thread_id: the thread; a new one starts a conversation.
        context: the run's context; None where the graph takes none.
        callbacks: what else is told of the run.
    """

    root: Path
    graph: Graph
    tools: Sequence[RenderTool[Any]]
    thread_id: str
    context: Mapping[str, Any] | None = None
    callbacks: Sequence[BaseCallbackHandler] = ()

    async def turn(self, topic: str, card: LiveCard) -> Turn:
        """Run a turn, and show its tool calls while they run, and the answer while it forms.

        A cancelled run is an outcome (`aborted`), and so is one that fails (`failed`).

        Raises:
            RenderCallError: the model or the graph cannot be used at all.
        """
        started = time.perf_counter()
        messages: list[BaseMessage] = []
        cause = ""
        async with card:
            try:
                messages = await self._messages(topic, card)
                rendered = last_render(messages, self.tools)
            except asyncio.CancelledError:
                rendered = _ended("aborted", "aborted", "the run was stopped")
            except RenderCallError:
                raise
            except Exception as error:  # noqa: BLE001 - any failure of a graph is an outcome here
                rendered, cause = _failed(error), _cause(error)
            value = to_jsonable_python(rendered.value)
            card.finish(rendered.status, value, rendered.errors)
        said = _said(messages) if rendered.status == "absent" else ""
        seconds = round(time.perf_counter() - started, 3)
        return Turn(rendered=rendered, said=said, cause=cause, seconds=seconds)

    async def _messages(self, topic: str, card: LiveCard) -> list[BaseMessage]:
        config = thread_config(self.thread_id)
        config["callbacks"] = [*self.callbacks]
        schemas = {tool.name: tool.schema for tool in self.tools}
        turn = {"messages": [{"role": "user", "content": topic}]}
        stream: RenderStream[Any] = RenderStream(self.tools)
        async with open_threads(self.root) as saver:
            graph = self.graph.copy(update={"checkpointer": saver})
            parts = graph.astream(
                turn, config, context=self.context, stream_mode=WITH_STEPS, subgraphs=True
            )
            async with aclosing(cast("Any", parts)):
                async for part in parts:
                    _, mode, data = part
                    if mode == "custom":
                        card.tell(data)
                    elif update := stream.feed(part):
                        value = update.value if isinstance(update.value, dict) else {}
                        card.update(value, update.open_paths, schemas.get(update.name))
            state = await graph.aget_state(config)
        return list(state.values.get("messages", ()))


def _failed(error: Exception) -> Rendered[Any]:
    """The outcome of a run that raised: its kind, never its text, which may hold secrets."""
    kind = type(error).__name__
    return _ended("failed", kind, f"the run ended with {kind}")


def _cause(error: Exception) -> str:
    """The first line of an error, for the terminal of the person who runs it."""
    text = f"{type(error).__name__}: {error}".splitlines()[0][:300]
    for name, secret in os.environ.items():
        if name.upper().endswith(("KEY", "TOKEN", "SECRET", "PASSWORD")) and len(secret) > 7:  # noqa: PLR2004 - shorter ones are words
            text = text.replace(secret, "***")
    return terminal_text(text)


def _ended(status: Any, code: str, message: str) -> Rendered[Any]:
    return Rendered(status=status, errors=(Issue("", "aborted", code, message),))


def _said(messages: Sequence[BaseMessage]) -> str:
    last = messages[-1] if messages else None
    return str(last.text) if isinstance(last, AIMessage) else ""

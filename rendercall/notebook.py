"""The card in a notebook: it forms while the value arrives, and stays when it is there.

Needs the extra `notebook`. What a cell ends on draws itself where it is a `Rendered`, an
`Update` or a partial value; `show` runs a graph and draws while it runs.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast, overload

from langchain_core.runnables import RunnableConfig
from langgraph.pregel.protocol import PregelProtocol
from pydantic_core import to_jsonable_python

from rendercall.card.layout import lay_out
from rendercall.card.markup import snippet
from rendercall.card.steps import StepList
from rendercall.card.words import Language, language_of_environment, told
from rendercall.consumer.rendered import Rendered
from rendercall.consumer.stream import RenderStream
from rendercall.consumer.update import Update
from rendercall.contract import RenderTool
from rendercall.contract.args import Path
from rendercall.contract.status import Status
from rendercall.errors import Issue, import_extra
from rendercall.langgraph.watch import WITH_STEPS
from rendercall.sinks.terminal import terminal_text

__all__ = ["ashow", "show"]

T = TypeVar("T")
Graph: TypeAlias = PregelProtocol[Any, Any, Any, Any]

FRAME_SECONDS = 0.04


@overload
def show(
    graph: Graph,
    graph_input: Any,
    tool: RenderTool[T],
    *,
    config: RunnableConfig | None = ...,
    context: Any = ...,
    lang: Language | None = ...,
) -> Rendered[T]: ...
@overload
def show(
    graph: Graph,
    graph_input: Any,
    tool: Sequence[RenderTool[Any]],
    *,
    config: RunnableConfig | None = ...,
    context: Any = ...,
    lang: Language | None = ...,
) -> Rendered[Any]: ...
def show(
    graph: Graph,
    graph_input: Any,
    tool: RenderTool[T] | Sequence[RenderTool[Any]],
    *,
    config: RunnableConfig | None = None,
    context: Any = None,
    lang: Language | None = None,
) -> Rendered[Any]:
    """Run a graph, and draw its tool calls while they run, and its render call while it arrives.

    The card is drawn at most once every 40 ms, and stays with the outcome; a tool call that
    begins or ends is drawn at once, since it may be long till more comes. Name the result
    (`shown = show(…)`), or end the line with `;`: as the last thing of a cell it would be
    drawn a second time.

    Args:
        graph: any compiled graph, or a `RemoteGraph` of a deployed one; its model must be called so
            that it streams.
        graph_input: as for `graph.stream`.
        tool: the render tool, or all that may be called.
        config: as for `graph.stream`.
        context: as for `graph.stream`.
        lang: `"en"` or `"zh"`, for the words around the value; None takes the locale's.

    Returns:
        What `last_render` gives of the final state.

    Raises:
        MissingExtra: IPython is not installed.
        Exception: whatever the graph raises; the card then says that the run failed.
    """
    card = _LiveCard(tool, lang)
    with card.until_told():
        for part in graph.stream(
            graph_input, config, context=context, stream_mode=WITH_STEPS, subgraphs=True
        ):
            card.feed(part)
    return card.finish()


@overload
async def ashow(
    graph: Graph,
    graph_input: Any,
    tool: RenderTool[T],
    *,
    config: RunnableConfig | None = ...,
    context: Any = ...,
    lang: Language | None = ...,
) -> Rendered[T]: ...
@overload
async def ashow(
    graph: Graph,
    graph_input: Any,
    tool: Sequence[RenderTool[Any]],
    *,
    config: RunnableConfig | None = ...,
    context: Any = ...,
    lang: Language | None = ...,
) -> Rendered[Any]: ...
async def ashow(
    graph: Graph,
    graph_input: Any,
    tool: RenderTool[T] | Sequence[RenderTool[Any]],
    *,
    config: RunnableConfig | None = None,
    context: Any = None,
    lang: Language | None = None,
) -> Rendered[Any]:
    """As `show`, for an event loop: its result is awaited."""
    card = _LiveCard(tool, lang)
    parts = graph.astream(
        graph_input, config, context=context, stream_mode=WITH_STEPS, subgraphs=True
    )
    with card.until_told():
        async with aclosing(cast("Any", parts)):
            async for part in parts:
                card.feed(part)
    return card.finish()


@dataclass(frozen=True, slots=True)
class _Output:
    """What stands in the output: HTML, and words where none can be drawn."""

    html: str
    words: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.words


class _LiveCard:
    """One output of a cell, drawn again and again.

    Args:
        tool: the render tool, or all that may be called.
        lang: of the words around the value; None takes the locale's.
    """

    def __init__(
        self, tool: RenderTool[Any] | Sequence[RenderTool[Any]], lang: Language | None
    ) -> None:
        tools = [tool] if isinstance(tool, RenderTool) else list(tool)
        self._handle = import_extra("IPython.display", "notebook").DisplayHandle()
        self._stream: RenderStream[Any] = RenderStream(tools)
        self._language: Language = lang or language_of_environment(os.environ)
        self._schemas = {one.name: one.schema for one in tools}
        self._schema: Mapping[str, Any] = tools[0].schema
        self._steps = StepList(self._language)
        self._update: Update[Any] | None = None
        self._value: Mapping[str, Any] = {}
        self._open_paths: Collection[Path] = ()
        self._handle.display(self._draw("partial"))
        self._due = time.monotonic() + FRAME_SECONDS

    def feed(self, part: Any) -> None:
        """Read a part of the graph's stream, and draw what has come if it is time."""
        _, mode, data = part
        if mode == "custom":
            if self._steps.take(data) is not None:
                self._draw_frame(at_once=data["event"] != "progress")
        elif update := self._stream.feed(part):
            self._update = update
            self._draw_frame()

    def finish(self) -> Rendered[Any]:
        """Draw the outcome; where it is not `ok`, beside what had arrived."""
        shown = self._stream.finish()
        self._look()
        self._steps.end(was_cut=False)
        if shown.status == "ok" and shown.tool is not None:
            self._schema = shown.tool.schema
            self._value, self._open_paths = to_jsonable_python(shown.value), ()
        self._handle.update(self._draw(shown.status, shown.errors))
        return shown

    @contextmanager
    def until_told(self) -> Iterator[None]:
        """Let no card and no step stand that waits for what will never come."""
        try:
            yield
        except BaseException as error:
            stopped = isinstance(error, (KeyboardInterrupt, asyncio.CancelledError))
            self._look()
            self._steps.end(was_cut=True)
            self._handle.update(self._draw("aborted" if stopped else "failed"))
            raise

    def _draw_frame(self, *, at_once: bool = False) -> None:
        """Draw what there is; pieces that come within one frame share a drawing."""
        if at_once or time.monotonic() >= self._due:
            self._look()
            self._handle.update(self._draw("partial"))
            self._due = time.monotonic() + FRAME_SECONDS

    def _look(self) -> None:
        """Read the value so far off the last update, which moves on by itself."""
        update, self._update = self._update, None
        if update is not None:
            self._schema = self._schemas.get(update.name, self._schema)
            self._value = update.value if isinstance(update.value, dict) else {}
            self._open_paths = update.open_paths

    def _draw(self, status: Status, issues: Sequence[Issue] = ()) -> _Output:
        card = None
        if status in {"ok", "partial"} or self._value:
            card = lay_out(
                self._schema, self._value, open_paths=self._open_paths, complete=status == "ok"
            )
        words = told(status, self._language)
        steps = self._steps.above(status)
        html = snippet(card, status, self._language, issues=issues, steps=steps)
        lines = [terminal_text(step.line(self._language)) for step in steps.steps]
        return _Output(html, "\n".join([f"{words.sign} {words.what}", *lines]))

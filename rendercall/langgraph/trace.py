"""What happened in a run, step by step, with times, and which layer stopped what.

```python
trace = Trace(tools)
graph.invoke({"messages": [...]}, {"callbacks": [trace]})
for step in trace.steps:
    print(step)
```

A callback, so it sees any graph however it is watched, and changes nothing of the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langgraph.types import Command

from rendercall.consumer.judge import judge_message, judge_silence
from rendercall.consumer.messages import read_message
from rendercall.consumer.rendered import Rendered
from rendercall.contract import RenderTool
from rendercall.errors import Layer
from rendercall.langgraph.notes import KEY, note_of

__all__ = ["Step", "StepKind", "Trace"]

StepKind: TypeAlias = Literal["node", "model", "tool", "skill", "shown", "stopped", "repair"]
"""A node ran, a model was called, a tool ran; a skill became active or was put away; an answer
was taken or stopped; the model was asked again, or its answer patched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a run.

    Attributes:
        kind: what it was.
        name: of the node, the model, the tool or the skill.
        at_ms: when it began, in milliseconds since the run did.
        took_ms: how long it took; None for what takes no time, or did not end.
        detail: what came of it, in words; it holds no value of an answer.
        layer: which layer stopped it.
    """

    kind: StepKind
    name: str
    at_ms: float
    took_ms: float | None = None
    detail: str = ""
    layer: Layer | None = None

    def __str__(self) -> str:
        took = "" if self.took_ms is None else f" {self.took_ms:.0f} ms"
        layer = f" [{self.layer}]" if self.layer else ""
        detail = f": {self.detail}" if self.detail else ""
        return f"{self.at_ms:.0f} ms {self.kind} {self.name}{took}{layer}{detail}"


class Trace(BaseCallbackHandler):
    """A callback that keeps the steps of one run.

    Args:
        tools: the render tools, to tell what was stopped by what.
        clock: gives seconds; monotonic.
    """

    run_inline = True  # also under a running loop: a time must be taken when it is told

    def __init__(
        self,
        tools: Sequence[RenderTool[Any]],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._tools = tools
        self._clock = clock
        self._began = clock()
        self._open: dict[UUID, int] = {}
        self._steps: list[Step] = []

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps so far, by the time when they began."""
        return tuple(sorted(self._steps, key=lambda step: step.at_ms))

    def on_chain_start(  # noqa: D102 - as in langchain-core
        self,
        serialized: Any,
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        del serialized
        if parent_run_id is None:
            self._skills(inputs)
        # LangGraph tags a node's own run, and not what runs inside it.
        if any(tag.startswith("graph:step:") for tag in tags or ()):
            name = str((metadata or {}).get("langgraph_node", ""))
            if not name.startswith("__"):  # LangGraph's own, which takes the input
                self._begin(run_id, "node", name)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_: Any) -> None:  # noqa: D102 - same
        if run_id in self._open:
            self._end(run_id)
            for update in _updates(outputs):
                self._skills(update)
                self._messages(update.get("messages"))

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:  # noqa: D102 - same
        self._end(run_id, type(error).__name__)

    def on_chat_model_start(  # noqa: D102 - same
        self,
        serialized: Any,
        messages: Any,
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        del messages
        name = (metadata or {}).get("ls_model_name") or (serialized or {}).get("name")
        self._begin(run_id, "model", str(name or "model"))

    def on_llm_end(self, response: Any, *, run_id: UUID, **_: Any) -> None:  # noqa: D102 - same
        message = response.generations[0][0].message
        names = [call.name for call in read_message(message).calls]
        self._end(run_id, f"calls {', '.join(names)}" if names else "text")

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:  # noqa: D102 - same
        self._end(run_id, type(error).__name__)

    def on_tool_start(  # noqa: D102 - same
        self, serialized: Any, input_str: str, *, run_id: UUID, **_: Any
    ) -> None:
        del input_str
        self._begin(run_id, "tool", str((serialized or {}).get("name") or "tool"))

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:  # noqa: D102 - same
        failed = isinstance(output, ToolMessage) and output.status == "error"
        self._end(run_id, "answered with an error" if failed else "")

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:  # noqa: D102 - same
        self._end(run_id, type(error).__name__)

    def _now(self) -> float:
        return round((self._clock() - self._began) * 1000, 3)

    def _begin(self, run_id: UUID, kind: StepKind, name: str) -> None:
        self._open[run_id] = len(self._steps)
        self._steps.append(Step(kind=kind, name=name, at_ms=self._now()))

    def _end(self, run_id: UUID, detail: str = "") -> None:
        position = self._open.pop(run_id, None)
        if position is not None:
            step = self._steps[position]
            took = round(self._now() - step.at_ms, 3)
            self._steps[position] = Step(
                kind=step.kind, name=step.name, at_ms=step.at_ms, took_ms=took, detail=detail
            )

    def _note(
        self, kind: StepKind, name: str, detail: str = "", layer: Layer | None = None
    ) -> None:
        self._steps.append(
            Step(kind=kind, name=name, at_ms=self._now(), detail=detail, layer=layer)
        )

    def _skills(self, update: Any) -> None:
        names = update.get("active_skills") if isinstance(update, Mapping) else None
        for name in names or ():
            off = name.startswith("-")
            self._note("skill", name.removeprefix("-"), "put away" if off else "active")

    def _messages(self, messages: Any) -> None:
        found = messages if isinstance(messages, list | tuple) else [messages]
        messages = [one for one in found if isinstance(one, BaseMessage)]
        replies = [one for one in messages if isinstance(one, ToolMessage)]
        for message in messages:
            if isinstance(message, AIMessage):
                self._answer(message, replies)

    def _answer(self, message: AIMessage, replies: Sequence[ToolMessage]) -> None:
        """What was made of a model's message."""
        read, note = read_message(message), note_of(message)
        reasons = {
            one.tool_call_id: (one.additional_kwargs.get(KEY) or {}).get("reason")
            for one in replies
        }
        shown = judge_message(read, self._tools) or judge_silence(read)
        if shown is not None and shown.tool is not None and note.get("patched"):
            self._note("repair", shown.tool.name, "patched")
        if shown is not None:
            self._outcome(shown, reasons.get(shown.call_id or ""))
        for call in read.calls:
            if reasons.get(call.id) == "unknown_tool":
                self._note("stopped", call.name, "no tool that may be called now", "run")
        if note.get("repair"):
            self._note("repair", "model", "asked again")

    def _outcome(self, shown: Rendered[Any], reason: str | None) -> None:
        name = shown.tool.name if shown.tool else "answer"
        if shown.status != "ok":
            self._note("stopped", name, "; ".join(map(str, shown.errors)), shown.layer)
        elif reason == "mixed":
            self._note("stopped", name, "other tools were called beside it", "run")
        elif reason in {None, "shown"}:
            found = f"{len(shown.findings)} findings in the text" if shown.findings else ""
            self._note("shown", name, found)


def _updates(outputs: Any) -> Iterator[Mapping[str, Any]]:
    """The state updates of what a node returned."""
    if isinstance(outputs, Mapping):
        yield outputs
    elif isinstance(outputs, Command):
        yield from _updates(outputs.update)
    elif isinstance(outputs, list | tuple):
        for one in outputs:
            yield from _updates(one)

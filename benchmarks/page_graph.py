"""The graph of `benchmarks.page`: a scripted model that notes when it sent what.

It writes `sent.jsonl` into the working directory: the time, in seconds, and how many
characters of args had been sent by then.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk

from rendercall.langgraph import render_graph
from tests.browser.page_graphs import DirectedChatModel
from tests.browser.script import Request
from tests.browser.shapes import plan_tool

__all__ = ["graph", "plan_tool"]


class TimedChatModel(DirectedChatModel):
    """Sends on time, whatever a fragment costs, and notes when."""

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        del args
        kwargs.pop("run_manager", None)
        delay = Request.of(messages).delay / 1000
        sent: list[tuple[float, int]] = []
        total, due = 0, time.monotonic()
        for chunk in self._chunks(messages, kwargs):
            due += delay
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            total += sum(len(one["args"] or "") for one in chunk.message.tool_call_chunks)
            sent.append((time.time(), total))
            yield chunk
        lines = "".join(f"{json.dumps(one)}\n" for one in sent)
        await asyncio.to_thread(Path("sent.jsonl").write_text, lines)


graph = render_graph(TimedChatModel(), plan_tool)

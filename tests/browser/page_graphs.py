"""The graphs that the browser's tests run: the words of the request choose what is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from langgraph.graph import END, START, MessagesState, StateGraph

from rendercall.langgraph import render_graph
from rendercall.models import Reply
from rendercall.models.reply import chunks
from rendercall.models.replying import ReplyingChatModel
from tests.browser.script import Request, answer
from tests.browser.shapes import TOOLS, plan_tool, poll_tool, trip_tool
from tests.browser.tools import count_rows, find_row, odd_name

__all__ = ["framed", "plain", "plan_tool", "poll_tool", "tooled", "trip_tool"]


class DirectedChatModel(ReplyingChatModel):
    """Answers, and streams, as the request's words say."""

    model_name: str = "scripted-page"

    @property
    def _llm_type(self) -> str:
        return "scripted-page"

    def _reply(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> Reply:
        del kwargs
        return answer(messages)

    def _chunks(
        self, messages: list[BaseMessage], kwargs: dict[str, Any]
    ) -> Iterator[ChatGenerationChunk]:
        sizes = (Request.of(messages).chunk,)
        return chunks(self._named(messages, kwargs), sizes, self.model_name)

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        del args
        kwargs.pop("run_manager", None)
        delay = Request.of(messages).delay / 1000
        for chunk in self._chunks(messages, kwargs):
            await asyncio.sleep(delay)
            yield chunk


model = DirectedChatModel()

framed = render_graph(model, TOOLS, max_repairs=1, name="framed")
tooled = render_graph(model, TOOLS, tools=[count_rows, find_row, odd_name], name="tooled")


async def call_model(state: MessagesState) -> dict[str, Any]:
    """An ordinary node, which knows nothing of rendercall and sends no frames."""
    bound = model.bind_tools([tool.spec() for tool in TOOLS])
    return {"messages": [await bound.ainvoke(state["messages"])]}


builder = StateGraph(MessagesState)
builder.add_node("model", call_model)
builder.add_edge(START, "model")
builder.add_edge("model", END)
plain = builder.compile(name="plain")

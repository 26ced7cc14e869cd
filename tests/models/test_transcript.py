"""A conversation told without tools says the same."""

from __future__ import annotations

import pytest
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    InvalidToolCall,
    SystemMessage,
    ToolCall,
    ToolMessage,
)

from rendercall.models import plain_messages

SYSTEM, ASK = SystemMessage("be brief"), HumanMessage("plan SQL")
SEARCH = AIMessage("Looking.", tool_calls=[ToolCall(name="search", args={"q": "SQL"}, id="1")])
FOUND = ToolMessage("a hit", tool_call_id="1")
RENDER = AIMessage("", tool_calls=[ToolCall(name="render_plan", args={"t": "é"}, id="2")])
BROKEN = AIMessage(
    "", invalid_tool_calls=[InvalidToolCall(name="render_plan", args='{"t', id="3", error=None)]
)


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        pytest.param([SYSTEM, ASK], [("system", "be brief"), ("human", "plan SQL")], id="plain"),
        pytest.param(
            [ASK, SEARCH, FOUND],
            [
                ("human", "plan SQL"),
                ("ai", 'Looking.\nsearch({"q": "SQL"})'),
                ("human", "Result of search:\na hit"),
            ],
            id="ordinary-call-and-result",
        ),
        pytest.param(
            [ASK, RENDER, ToolMessage("shown", tool_call_id="2"), HumanMessage("shorter")],
            [
                ("human", "plan SQL"),
                ("ai", '{"t": "é"}'),
                ("human", "Result of render_plan:\nshown\nshorter"),
            ],
            id="render-call-and-next-turn",
        ),
        pytest.param(
            [ASK, BROKEN, ToolMessage("/t: cut", tool_call_id="3", status="error")],
            [
                ("human", "plan SQL"),
                ("ai", '{"t'),
                ("human", "Error of render_plan:\n/t: cut"),
            ],
            id="broken-call-and-error",
        ),
        pytest.param(
            [ASK, AIMessage(""), HumanMessage("still there?")],
            [("human", "plan SQL\nstill there?")],
            id="silence-is-left-out",
        ),
        pytest.param(
            [ToolMessage("lost", tool_call_id="9")],
            [("human", "Result of a tool:\nlost")],
            id="result-without-call",
        ),
        pytest.param([], [], id="nothing"),
    ],
)
def test_tool_calls_and_results_become_text(
    messages: list[BaseMessage], told: list[tuple[str, str]]
) -> None:
    """Calls and results are told in order, roles take turns, and the input stays as it was."""
    before = [message.model_copy(deep=True) for message in messages]
    plain = plain_messages(messages)
    assert [(each.type, each.content) for each in plain] == told
    assert messages == before
    assert plain_messages(plain) == plain

"""Behind the bridge, structured output keeps the contract of a render call."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.callbacks import get_usage_metadata_callback
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph

from rendercall.errors import ModelError
from rendercall.models import Reply, ScriptedChatModel, StructuredOutputBridge
from rendercall.models.structured_output import _carried

ARGS = {"topic": "线性代数", "lessons": [{"title": "Bases", "duration_minutes": 20}]}
TEXT = json.dumps(ARGS, ensure_ascii=False, indent=2)
SCHEMA = {"type": "object", "properties": {"topic": {"type": "string"}}}
USAGE: Any = {"input_tokens": 5, "output_tokens": 7, "total_tokens": 12}


def spec(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": SCHEMA, "strict": True}}


def bridged(*script: Any, **settings: Any) -> tuple[StructuredOutputBridge, ScriptedChatModel]:
    inner = ScriptedChatModel(script=list(script), **settings)
    return StructuredOutputBridge(model=inner), inner


@pytest.mark.parametrize("size", [1, 3, 17, 1000])
@pytest.mark.parametrize("streams", [True, False], ids=["streams", "never-streams"])
async def test_content_arrives_as_the_render_call(size: int, streams: bool) -> None:
    """However asked, the content is the call's args, nothing is shown as text, and it ends."""
    bridge, _ = bridged(
        Reply(TEXT, usage=USAGE), repeat_last=True, chunk_size=size, disable_streaming=not streams
    )
    model = bridge.bind_tools([spec("render_plan"), spec("search")], tool_choice="auto")
    messages = [model.invoke("x"), await model.ainvoke("x")]
    for first, *rest in (list(model.stream("x")), [part async for part in model.astream("x")]):
        messages.append(first + rest if rest else first)  # type: ignore[operator]
    for message in messages:
        (call,) = message.tool_calls
        assert (call["name"], call["args"], message.content) == ("render_plan", ARGS, "")
        assert message.response_metadata["finish_reason"] == "tool_calls"
        assert message.usage_metadata == USAGE


def test_fragments_keep_name_and_id_at_the_start_and_raw_text_all_through() -> None:
    """The stream has the wire shape of a tool call; whitespace too arrives as it is."""
    bridge, _ = bridged(Reply(TEXT), chunk_size=2)
    parts = list(bridge.bind_tools([spec("render_plan")]).stream("x"))
    calls = [call for part in parts for call in part.tool_call_chunks]
    assert "".join(call["args"] or "" for call in calls) == TEXT
    assert calls[0]["name"] == "render_plan"
    assert (calls[0]["id"] or "").startswith("call_")
    assert all((call["name"], call["id"]) == (None, None) for call in calls[1:])
    assert {call["index"] for call in calls} == {0}


@pytest.mark.parametrize(
    ("reply", "reason", "calls"),
    [
        pytest.param(Reply(TEXT), "tool_calls", 1, id="stop"),
        pytest.param(Reply(TEXT[:30], finish_reason="length"), "length", 1, id="length"),
        pytest.param(Reply(TEXT, finish_reason="content_filter"), "content_filter", 1, id="filter"),
        pytest.param(Reply(refusal="no"), "stop", 0, id="refusal-makes-no-call"),
        pytest.param(Reply(), "stop", 0, id="silence-makes-no-call"),
    ],
)
@pytest.mark.parametrize("ask", ["invoke", "stream"])
def test_finish_reasons_and_refusals_stay_true(
    reply: Reply, reason: str, calls: int, ask: str
) -> None:
    """Only "stop" with a call becomes "tool_calls"; a cut answer keeps its raw text."""
    bridge, _ = bridged(reply)
    model = bridge.bind_tools([spec("render_plan")])
    if ask == "invoke":
        message = model.invoke("x")
    else:
        first, *rest = model.stream("x")
        message = first + rest  # type: ignore[operator]
    assert message.response_metadata["finish_reason"] == reason
    assert len(message.tool_calls) + len(message.invalid_tool_calls) == calls
    assert message.additional_kwargs.get("refusal") == reply.refusal
    if ask == "invoke" and reason == "length":
        assert message.invalid_tool_calls[0]["args"] == TEXT[:30]


def test_the_server_gets_the_schema_and_no_tools() -> None:
    """The request holds the response format and plain messages; ordinary tools are dropped."""
    bridge, inner = bridged(Reply(TEXT))
    tools = [spec("search"), spec("render_plan")]
    past = [
        HumanMessage("x"),
        AIMessage("", tool_calls=[{"name": "search", "args": {}, "id": "1"}]),
    ]
    bridge.bind_tools(tools, parallel_tool_calls=False).invoke(past)
    (request,) = inner.requests
    form = {"name": "render_plan", "schema": SCHEMA, "strict": True}
    assert request.kwargs == {"response_format": {"type": "json_schema", "json_schema": form}}
    assert request.tools == []
    assert [each.content for each in request.messages] == ["x", "search({})"]


def test_only_the_schema_for_generation_is_narrowed() -> None:
    """`narrow` changes what the server gets."""
    inner = ScriptedChatModel(script=[Reply(TEXT)])
    bridge = StructuredOutputBridge(model=lambda: inner, narrow=lambda s: {**s, "title": "small"})
    bridge.bind_tools([spec("render_plan")]).invoke("x")
    sent = inner.requests[0].kwargs["response_format"]["json_schema"]["schema"]
    assert sent == {**SCHEMA, "title": "small"}
    assert "title" not in SCHEMA


@pytest.mark.parametrize(
    ("names", "choice", "called"),
    [
        pytest.param(["render_a", "search"], None, "render_a", id="by-prefix"),
        pytest.param(["render_a", "render_b"], "render_b", "render_b", id="by-choice"),
        pytest.param(
            ["output_a"],
            {"type": "function", "function": {"name": "output_a"}},
            "output_a",
            id="by-dict",
        ),
        pytest.param(["render_a"], "none", None, id="none-is-text"),
        pytest.param(["search"], None, None, id="no-render-tool-is-text"),
        pytest.param([], None, None, id="no-tools-is-text"),
    ],
)
def test_which_tool_the_content_becomes(names: list[str], choice: Any, called: str | None) -> None:
    """The tool choice decides, else the prefix; without a render tool the answer is text."""
    bridge, inner = bridged(Reply(TEXT))
    message = bridge.bind_tools([spec(name) for name in names], tool_choice=choice).invoke("x")
    assert [call["name"] for call in message.tool_calls] == ([called] if called else [])
    assert message.text == ("" if called else TEXT)
    assert ("response_format" in inner.requests[0].kwargs) == bool(called)


def test_several_render_tools_are_refused_by_name() -> None:
    """A choice that the model cannot make is an error that names the tools."""
    bridge, _ = bridged(Reply(TEXT))
    with pytest.raises(ModelError, match="render_a, render_b are bound"):
        bridge.bind_tools([spec("render_a"), spec("render_b")])


def test_the_profile_says_that_it_cannot_choose_tools() -> None:
    """A graph can ask the model what it can do."""
    assert bridged()[0].profile == {"tool_calling": False, "structured_output": True}


@pytest.mark.parametrize("responses", [False, True], ids=["chat", "responses"])
def test_an_openai_client_gets_the_format_past_its_parser(responses: bool) -> None:
    """langchain-openai's own `response_format` raises on a cut answer; `extra_body` does not."""
    model = ChatOpenAI(
        model="m", api_key="k", extra_body={"min_p": 0.1}, use_responses_api=responses
    )
    form = {"type": "json_schema"}
    expected: dict[str, Any] = {"extra_body": {"min_p": 0.1, "response_format": form}}
    assert _carried(model, form) == ({"response_format": form} if responses else expected)


def test_a_graphs_watchers_see_the_call_once_and_no_text() -> None:
    """The inner model is invisible: its text is not streamed, its tokens are counted once."""
    bridge, _ = bridged(Reply(TEXT, usage=USAGE))
    bound = bridge.bind_tools([spec("render_plan")])

    def call(state: MessagesState) -> dict[str, list[AnyMessage]]:
        return {"messages": [bound.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("model", call)
    builder.add_edge(START, "model")
    builder.add_edge("model", END)
    question: Any = {"messages": [HumanMessage("x")]}
    with get_usage_metadata_callback() as usage:
        items = list(builder.compile().stream(question, stream_mode=["messages", "values"]))
    parts = [item[0] for mode, item in items if mode == "messages"]
    assert "".join(c["args"] or "" for p in parts for c in p.tool_call_chunks) == TEXT
    assert not any(part.text for part in parts)
    assert items[-1][1]["messages"][-1].tool_calls[0]["args"] == ARGS
    assert usage.usage_metadata["scripted"]["total_tokens"] == USAGE["total_tokens"]

"""The scripted fake behaves as a chat model in every way a graph uses one."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from pydantic import ValidationError

from rendercall.errors import ModelError
from rendercall.models import Call, Reply, Request, RuleBasedChatModel, ScriptedChatModel

ARGS = {"topic": "SQL", "lessons": [{"title": "Frames", "duration_minutes": 20}]}
ANSWER = Reply("Here it is.", (Call("render_learning_plan", ARGS),))


@tool
def search(query: str) -> str:
    """Search."""
    return query


def essence(message: AIMessage) -> tuple[Any, ...]:
    reason = message.response_metadata["finish_reason"]
    return message.text, message.tool_calls, message.invalid_tool_calls, reason


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, (1, 5, 2), [3, 1]], ids=str)
@pytest.mark.parametrize("streams", [True, False], ids=["streams", "never-streams"])
async def test_every_way_to_ask_gives_the_same_message(size: Any, streams: bool) -> None:
    """invoke, ainvoke, stream and astream agree, whatever the chunk size."""

    def fresh() -> ScriptedChatModel:
        return ScriptedChatModel(script=[ANSWER], chunk_size=size, disable_streaming=not streams)

    parts = list(fresh().stream("x"))
    aparts = [part async for part in fresh().astream("x")]
    messages = [fresh().invoke("x"), await fresh().ainvoke("x")]
    for first, *rest in (parts, aparts):
        messages.append(first + rest if rest else first)  # type: ignore[operator,arg-type]
    assert (len(parts) > 1, len(aparts) > 1) == (streams, streams)
    expected = [{"name": "render_learning_plan", "args": ARGS, "id": "call_1", "type": "tool_call"}]
    for message in messages:
        assert essence(message) == ("Here it is.", expected, [], "tool_calls")


def test_the_script_ends_clearly_or_repeats() -> None:
    """After its last item the model says so, or goes on with it."""
    model = ScriptedChatModel(script=[Reply("a"), AIMessage("b")])
    assert [model.invoke("x").text, model.invoke("x").text] == ["a", "b"]
    with pytest.raises(ModelError, match="the script of 2 replies is used up: this is call 3"):
        model.invoke("x")
    again = ScriptedChatModel(script=[Reply("a"), Reply("b")], repeat_last=True)
    assert [again.invoke("x").text for _ in range(4)] == ["a", "b", "b", "b"]


def test_errors_and_functions_are_script_items() -> None:
    """An exception is raised as it is, then the script goes on; a function sees the messages."""

    def echo(messages: list[BaseMessage]) -> Reply:
        return Reply(f"{len(messages)}: {messages[-1].text}")

    model = ScriptedChatModel(script=[TimeoutError("slow"), echo])
    with pytest.raises(TimeoutError, match="slow"):
        model.invoke("x")
    assert model.invoke("hello").text == "1: hello"
    assert len(model.requests) == 2


def test_bound_tools_share_script_and_record() -> None:
    """A binding plays on in the same script; requests show what was bound."""
    model = ScriptedChatModel(script=[Reply("a"), Reply("b")])
    raw = {"type": "function", "function": {"name": "render_x", "parameters": {}}}
    bound = model.bind_tools([search, raw], tool_choice="any", strict=True)
    assert [bound.invoke("1").text, model.invoke("2").text] == ["a", "b"]
    first, second = model.requests
    assert [each["function"]["name"] for each in first.tools] == ["search", "render_x"]
    assert (first.tool_choice, first.kwargs) == ("any", {"strict": True})
    assert second == Request([HumanMessage("2")], [], None, {})


def test_call_ids_are_counted_and_new_to_the_conversation() -> None:
    """Ids are deterministic, unique in a model, and none that the history holds already."""
    model = ScriptedChatModel(script=[Reply(calls=(Call("a", {}), Call("b", {}, "mine")))] * 2)
    old = AIMessage("", tool_calls=[{"name": "a", "args": {}, "id": "call_1"}])
    ids = [[c["id"] for c in model.invoke([old, HumanMessage("x")]).tool_calls] for _ in "12"]
    assert ids == [["call_2", "mine"], ["call_3", "mine"]]


def test_threads_take_each_item_once() -> None:
    """Concurrent callers never get the same item."""
    model = ScriptedChatModel(script=[Reply(str(n)) for n in range(64)])
    got: list[str] = []

    def ask() -> None:
        got.extend(str(model.invoke("x").text) for _ in range(8))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got, key=int) == [str(n) for n in range(64)]


@pytest.mark.parametrize("size", [0, -1, [], [3, 0]], ids=str)
def test_a_chunk_has_at_least_one_character(size: Any) -> None:
    """A size that could never end is refused; the message names the way not to stream."""
    with pytest.raises(ValidationError, match="disable_streaming=True"):
        ScriptedChatModel(script=[], chunk_size=size)


def test_what_cannot_be_played_is_refused_when_it_is_written() -> None:
    """A wrong script item is named by its place."""
    with pytest.raises(ValidationError, match=r"script\[1\] is a str"):
        ScriptedChatModel(script=[Reply("a"), "b"])  # type: ignore[list-item]  # the test


def test_an_empty_answer_streams_and_waits_alike() -> None:
    """A reply without text and calls is an empty message with its reason, not an error."""
    for ask in ("invoke", "stream"):
        model = ScriptedChatModel(script=[Reply()])
        message = model.invoke("x") if ask == "invoke" else next(iter(model.stream("x")))
        assert essence(message) == ("", [], [], "stop")


def one_node(model: ScriptedChatModel) -> Any:
    def call(state: MessagesState) -> dict[str, list[AnyMessage]]:
        return {"messages": [model.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("model", call)
    builder.add_edge(START, "model")
    builder.add_edge("model", END)
    return builder.compile()


QUESTION = {"messages": [HumanMessage("plan")]}


@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")
def test_fragments_are_seen_in_a_graphs_v3_events() -> None:
    """`model.invoke` in a node streams its args as content-block-delta events, cut as asked."""
    model = ScriptedChatModel(script=[ANSWER], chunk_size=5)
    run = one_node(model).stream_events(QUESTION, version="v3")
    events = [e["params"]["data"][0] for e in run if e["method"] == "messages"]
    deltas = [e["delta"] for e in events if e["event"] == "content-block-delta"]
    text = [delta["text"] for delta in deltas if "text" in delta]
    args = [delta["args"] for delta in deltas if "args" in delta]
    assert text == ["Here ", "it is", "."]
    assert json.loads("".join(args)) == ARGS
    assert [len(piece) for piece in args[:-1]] == [5] * (len(args) - 1)
    final = run.output["messages"][-1]
    assert final.tool_calls[0]["args"] == ARGS
    assert final.response_metadata["finish_reason"] == "tool_calls"


def test_fragments_are_seen_in_a_graphs_messages_mode() -> None:
    """`model.invoke` in a node streams chunk by chunk."""
    graph = one_node(ScriptedChatModel(script=[ANSWER], chunk_size=5))
    parts = [chunk for chunk, _ in graph.stream(QUESTION, stream_mode="messages")]
    args = [c["args"] for part in parts for c in part.tool_call_chunks]
    assert "".join(args).startswith('{"topic": "SQL"')
    assert max(map(len, args)) == 5


def test_a_rule_based_model_names_itself_and_sees_the_tools() -> None:
    """It answers by its rule and says in message, type and trace that it is one."""

    def rule(messages: list[BaseMessage], tools: list[dict[str, Any]]) -> Reply:
        return Reply(messages[-1].text, (Call(tools[0]["function"]["name"], {"query": "x"}),))

    model = RuleBasedChatModel(rule=rule)
    parts = list(model.bind_tools([search]).stream("hi"))
    first, *rest = parts
    message = first + rest  # type: ignore[operator]  # chunks add lists
    assert message.text == "hi"
    assert message.tool_calls[0]["name"] == "search"
    assert message.response_metadata["model_name"] == "rule-based"
    assert (model._llm_type, model._get_ls_params()["ls_provider"]) == ("rule-based", "rule-based")

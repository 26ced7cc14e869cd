from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import START, MessagesState, StateGraph

from rendercall import RenderStream, RenderTool, last_render
from rendercall.langgraph import EnableCustom
from rendercall.models import Call, Reply
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import ASK, BAD, CUT, GOOD, NAME, MakeGraph, render, search
from tests.langgraph.watchers import WATCHERS, Graph, Watch

SCRIPTS: dict[str, tuple[list[Any], str]] = {
    "right": ([Reply("Here it is.", calls=[Call(NAME, GOOD)])], "ok"),
    "search, wrong, right": ([Reply(calls=[search()]), render(BAD), render()], "ok"),
    "cut at the limit": ([render(CUT, finish_reason="length")], "truncated"),
    "cut, said to be finished": ([render(CUT)], "truncated"),
    "mixed": ([Reply("Both.", calls=[Call(NAME, GOOD), search()]), render()], "ok"),
    "refused": ([Reply(refusal="I will not.")], "refused"),
    "empty": ([Reply()], "failed"),
    "duplicate keys": ([render('{"topic":"a",' + '"topic":"b"}')], "invalid"),
    "text": ([Reply("No plan today.")], "absent"),
}


def bare(messages: list[BaseMessage]) -> list[dict[str, Any]]:
    """Messages less the ids that LangChain makes anew in each run, and the clock."""
    dumped = [one.model_dump(exclude={"id"}) for one in messages]
    for one in dumped:
        one.pop("tool_call_id", None)
        cost = one["response_metadata"].get("rendercall", {}).get("cost", {})
        cost.pop("seconds", None)
        cost.pop("first_field", None)
    return dumped


@pytest.mark.parametrize(("script", "status"), SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize("watch", WATCHERS.values(), ids=WATCHERS)
async def test_the_state_is_the_same_however_a_run_is_watched(
    watch: Watch,
    script: list[Any],
    status: str,
    scripted: MakeGraph,
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """Same outcome and same messages, ids aside; a cut plan is never a value."""
    expected = scripted(*script).graph.invoke(ASK)["messages"]
    messages = await watch(scripted(*script).graph, ASK)
    assert bare(messages) == bare(expected)
    assert last_render(messages, plan_tool).status == status


@pytest.mark.parametrize("watch", WATCHERS.values(), ids=WATCHERS)
async def test_every_message_has_an_id_of_its_own(watch: Watch, scripted: MakeGraph) -> None:
    """Messages without an id would be merged or doubled by whoever watches."""
    messages = await watch(scripted(render(BAD), render()).graph, ASK)
    ids = [one.id for one in messages]
    assert all(ids)
    assert len(set(ids)) == len(ids)


async def test_the_model_streams_where_nobody_watches(scripted: MakeGraph) -> None:
    """The raw text is always seen, so a cut is always known."""
    state = scripted(render()).graph.invoke(ASK)
    assert state["messages"][-1].response_metadata["rendercall"]["raw_seen"] is True


@pytest.mark.parametrize("mode", ["messages"])
async def test_fragments_reach_a_watcher_and_the_message_comes_once(
    mode: str, scripted: MakeGraph
) -> None:
    """The node keeps the message's id, so that it is not sent again whole."""
    graph = scripted(render()).graph
    seen = [chunk for chunk, _ in graph.stream(ASK, stream_mode=mode)]  # type: ignore[arg-type]
    assert len(seen) > 20
    assert {type(one).__name__ for one in seen} == {"AIMessageChunk"}
    assert len({one.id for one in seen}) == 1


def parent_of(graph: Graph, how: str) -> Graph:
    """A graph with the render graph as its node `plan`, or called inside that node."""

    def call(state: MessagesState) -> Any:
        return {"messages": graph.invoke({"messages": state["messages"]})["messages"]}

    async def acall(state: MessagesState, config: RunnableConfig) -> Any:
        answer = await graph.ainvoke({"messages": state["messages"]}, config)
        return {"messages": answer["messages"]}

    nodes: dict[str, Any] = {"node": graph, "inside": RunnableLambda(call, afunc=acall)}
    builder = StateGraph(MessagesState)
    builder.add_node("plan", nodes[how])
    builder.add_edge(START, "plan")
    return builder.compile(transformers=[EnableCustom])


Parts = Callable[[Graph], Awaitable[list[Any]]]


async def v1_parts(graph: Graph) -> list[Any]:
    return list(graph.stream(ASK, stream_mode=["messages", "values"], subgraphs=True))


async def async_v1_parts(graph: Graph) -> list[Any]:
    parts = graph.astream(ASK, stream_mode=["messages", "values"], subgraphs=True)
    return [part async for part in parts]


async def v3_parts(graph: Graph) -> list[Any]:
    return list(graph.stream_events(ASK, version="v3"))


async def async_v3_parts(graph: Graph) -> list[Any]:
    return [event async for event in await graph.astream_events(ASK, version="v3")]


EVERY_PART: dict[str, Parts] = {
    "v1": v1_parts,
    "async v1": async_v1_parts,
    "v3": v3_parts,
    "async v3": async_v3_parts,
}


@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")
@pytest.mark.parametrize("how", ["node", "inside"])
@pytest.mark.parametrize("parts", EVERY_PART.values(), ids=EVERY_PART)
async def test_a_subgraph_is_watched_by_the_name_of_its_node(
    parts: Parts, how: str, scripted: MakeGraph, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Its fragments arrive one by one, and the end is the one in its state."""
    script = (Reply(calls=[search()]), render(BAD), render())
    child, root = (RenderStream(plan_tool, namespace=one) for one in (("plan",), ()))
    steps = 0
    for part in await parts(parent_of(scripted(*script).graph, how)):
        steps += child.feed(part) is not None
        assert root.feed(part) is None
    assert steps > 20
    assert child.finish().status == root.finish().status == "ok"
    assert child.finish().value == root.finish().value


@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")
@pytest.mark.parametrize("how", ["node", "inside"])
async def test_projections_of_a_subgraph(how: str, scripted: MakeGraph) -> None:
    """v3: the subgraph's messages, and their pieces while they arrive."""
    graph = parent_of(scripted(render()).graph, how)
    names, pieces = [], 0
    for subgraph in graph.stream_events(ASK, version="v3").subgraphs:
        names.append(subgraph.graph_name)
        for message in subgraph.messages:
            pieces += sum(1 for _ in message.tool_calls)
    assert names == ["plan"]
    assert pieces > 20


@pytest.mark.parametrize("how", ["node", "inside"])
async def test_a_subgraph_leaves_the_same_messages(how: str, scripted: MakeGraph) -> None:
    """Ids aside, in the parent's state as in a graph of its own."""
    script = (Reply(calls=[search()]), render(BAD), render())
    expected = scripted(*script).graph.invoke(ASK)["messages"]
    assert bare(parent_of(scripted(*script).graph, how).invoke(ASK)["messages"]) == bare(expected)
    later = await parent_of(scripted(*script).graph, how).ainvoke(ASK)
    assert bare(later["messages"]) == bare(expected)

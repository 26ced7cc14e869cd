from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt

from rendercall import RenderTool, last_render
from rendercall.langgraph import (
    RenderMiddleware,
    awatched_call,
    prepare_messages,
    render_graph,
    retry_policies,
    watched_call,
)
from rendercall.models import Call, Reply, ScriptedChatModel
from rendercall.results import (
    FileArtifacts,
    ToolFailed,
    ToolResult,
    current_call,
    report_progress,
    structured_tool,
    tool_result,
)
from schemas.learning_plan import LearningPlan
from tests.langgraph.lesson_graphs import CALLS, MODELS, lesson_graph
from tests.langgraph.postgres_cluster import cluster
from tests.langgraph.provider_clients import PROVIDERS
from tests.langgraph.scripted_graph import ASK, GOOD, NAME, render, search, search_docs
from tests.langgraph.stored_threads import async_saver, saver
from tests.providers.http import Answer
from tests.results.lessons import DETAILS, STRUCTURED, Lesson, inspect_lesson

ROOT = Path(__file__).parents[2]
SEALED = MODELS[1:]


def tool_messages(messages: list[Any]) -> dict[str, Any]:
    return {one.tool_call_id: one for one in messages if isinstance(one, ToolMessage)}


def known(source: Any) -> tuple[str, Any, str | None]:
    """What a program knows: the outcome, the value, the code."""
    read = tool_result(source, Lesson)
    return read.outcome.name, read.value and read.value.model_dump(), read.error and read.error.code


EXPECTED = {
    "call_ok": ("ok", {"title": "Frames", "minutes": 30, "marker": STRUCTURED}, None),
    "call_empty": ("empty", {"title": "Frames", "minutes": 30, "marker": STRUCTURED}, None),
    "call_truncated": ("truncated", {"title": "Frames", "minutes": 30, "marker": STRUCTURED}, None),
    "call_missing": ("failed", None, "NOT_FOUND"),
    "call_wrong": ("failed", None, "OUTPUT_INVALID"),
    "call_error": ("failed", None, "INTERNAL"),
    "call_raises": ("failed", None, "INTERNAL"),
}  # fmt: skip


@pytest.mark.parametrize("name", SEALED)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
async def test_the_models_requests_never_hold_the_other_channel(name: str, stream: bool) -> None:
    """Bodies as the provider gets them: in this turn and the next, text yes, the rest no."""
    script = [
        Answer(calls=CALLS), Answer(calls=[(NAME, json.dumps(GOOD), "call_plan")]), Answer(text="You are welcome."),
    ]  # fmt: skip
    provider = PROVIDERS[name]
    with provider.server(script) as server:
        graph = render_graph(
            provider.client(server, stream), RenderTool(LearningPlan), tools=[inspect_lesson]
        )
        state = await graph.ainvoke(ASK)
        assert last_render(state, RenderTool(LearningPlan)).status == "ok"
        await graph.ainvoke({"messages": [*state["messages"], HumanMessage("Thanks")]})
    assert {key: known(one) for key, one in tool_messages(state["messages"]).items()} == EXPECTED
    assert (len(server.requests), server.refusals) == (3, [])
    bodies = json.dumps(server.requests)
    for hidden in (STRUCTURED, DETAILS, 'tool_result", "outcome', "pw-of-the-database"):
        assert hidden not in bodies
    assert "Frames, 30 minutes." in bodies
    assert "records 1-50 of 120" in bodies


PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"pixels" * 8).decode()
IMAGES = ("openai chat", "openai responses", "anthropic", "gemini", "mistral")


@structured_tool()
def draw(what: str) -> ToolResult:
    """Draw."""
    image = {"type": "image", "base64": PNG, "mime_type": "image/png"}
    return ToolResult([{"type": "text", "text": f"a {what}:"}, image])


@pytest.mark.parametrize("name", IMAGES)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_images_of_a_tool_reach_the_model_in_this_turn_and_the_next(
    name: str, stream: bool
) -> None:
    """Where its provider takes them; where it takes none, words say so, and nothing is refused."""
    calls = [("draw", json.dumps({"what": one}), f"call{one:0>5}") for one in ("cat", "dog")]
    script = [Answer(calls=calls), Answer(calls=[(NAME, json.dumps(GOOD), "callaplan")]), Answer(text="Fine.")]  # fmt: skip
    provider = PROVIDERS[name]
    with provider.server(script) as server:
        graph = render_graph(
            provider.client(server, stream), RenderTool(LearningPlan), tools=[draw]
        )
        state = graph.invoke(ASK)
        assert last_render(state, RenderTool(LearningPlan)).status == "ok"
        graph.invoke({"messages": [*state["messages"], HumanMessage("Thanks")]})
    assert (len(server.requests), server.refusals) == (3, [])
    for body in map(json.dumps, server.requests[1:]):
        assert body.count(PNG) == (0 if name == "mistral" else 2)
        assert body.index("a cat:") < body.index("a dog:")
        assert ("[image: this model takes none from a tool]" in body) == (name == "mistral")
    assert [len(one.content) for one in tool_messages(state["messages"]).values()] == [2, 2]
    once = prepare_messages(state["messages"], RenderTool(LearningPlan), provider="openai")
    assert prepare_messages(once, RenderTool(LearningPlan), provider="openai") == once


def by_invoke(graph: Any) -> dict[str, Any]:
    return tool_messages(graph.invoke(ASK)["messages"])


def by_messages(graph: Any) -> dict[str, Any]:
    parts = graph.stream(ASK, stream_mode="messages")
    return {part[0].tool_call_id: part for part in parts if isinstance(part[0], ToolMessage)}


def by_custom(graph: Any) -> dict[str, Any]:
    parts = graph.stream(ASK, stream_mode="custom")
    return {one["tool_call_id"]: one for one in parts if one.get("event") == "end"}


def by_custom_pairs(graph: Any) -> dict[str, Any]:
    parts = graph.stream(ASK, stream_mode=["custom", "values"])
    return {
        one[1]["tool_call_id"]: one
        for one in parts
        if one[0] == "custom" and one[1].get("event") == "end"
    }


def by_v3(graph: Any) -> dict[str, Any]:
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # v3 is beta, and says so
        for event in graph.stream_events(ASK, version="v3"):
            data = event["params"].get("data")
            if event["method"] == "custom" and data.get("event") == "end":
                found[data["tool_call_id"]] = event
    return found


def by_values(graph: Any) -> dict[str, Any]:
    *_, last = graph.stream(ASK, stream_mode="values")
    dumped = [
        one.model_dump(mode="json") for one in last["messages"] if isinstance(one, ToolMessage)
    ]
    return {one["tool_call_id"]: json.loads(json.dumps(one)) for one in dumped}


WAYS = [by_invoke, by_messages, by_custom, by_custom_pairs, by_v3, by_values]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_programs_get_the_result_however_they_watch(
    way: Callable[[Any], dict[str, Any]], stream: bool, name: str
) -> None:
    """The same, checked where it is used, whatever model asked for it."""
    with lesson_graph(name, stream=stream) as graph:
        found = way(graph)
    assert {key: known(one) for key, one in found.items()} == EXPECTED


HOSTS = ["render_graph", "create_agent", "by hand"]


def host(name: str, *script: Any, tools: Any, **options: Any) -> Any:
    model = ScriptedChatModel(script=list(script), repeat_last=True)
    plan = RenderTool(LearningPlan)
    if name == "render_graph":
        return render_graph(model, plan, tools=tools, **options)
    if name == "create_agent":
        return create_agent(model, tools, middleware=[RenderMiddleware(plan)], **options)
    builder = StateGraph(MessagesState)
    builder.add_node(
        "tools", ToolNode(tools, wrap_tool_call=watched_call, awrap_tool_call=awatched_call)
    )
    builder.add_edge(START, "tools")
    return builder.compile(**options)


def ask(name: str, reply: Reply) -> Any:
    if name != "by hand":
        return ASK
    calls = [
        {"name": one.name, "args": one.args, "id": one.id or f"c{n}", "type": "tool_call"}
        for n, one in enumerate(reply.calls)
    ]
    return {"messages": [HumanMessage("x"), AIMessage("", id="a1", tool_calls=calls)]}


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("how", ["sync", "async"])
async def test_events_of_a_call(name: str, how: str) -> None:
    """Start, progress, end; the end equals the message, and no event repeats the arguments."""

    @structured_tool(output=Lesson, label={"en": "Read", "zh": "读取"})
    def read(query: str) -> ToolResult:
        """Read."""
        report_progress(1, 2)
        return ToolResult(f"about {query}", Lesson(title="Frames", minutes=5), {"seen": 2})

    reply = Reply(calls=[Call("read", {"query": "my-private-question"}, "c1")])
    graph = host(name, reply, render(), tools=[read])
    if how == "sync":
        parts = list(graph.stream(ask(name, reply), stream_mode=["custom", "values"]))
    else:
        parts = [
            one async for one in graph.astream(ask(name, reply), stream_mode=["custom", "values"])
        ]
    events = [data for mode, data in parts if mode == "custom" and data.get("type") == "tool_event"]
    assert [(one["event"], one["summary"]["status"]) for one in events] == [
        ("start", "running"), ("progress", "running"), ("end", "success"),
    ]  # fmt: skip
    assert all((one["tool_call_id"], one["name"]) == ("c1", "read") for one in events)
    assert events[1]["progress"] == {"done": 1, "total": 2}
    assert events[0]["summary"]["title"] == {"en": "Read", "zh": "读取"}
    message = tool_messages(parts[-1][1]["messages"])["c1"]
    assert events[2]["result"] == message.artifact
    assert (events[2]["is_error"], events[2]["outcome"]) == (False, "ok")
    assert events[2]["duration_ms"] >= 0
    assert "my-private-question" not in json.dumps(events)


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_ordinary_tools_have_events_and_safe_failures(how: str) -> None:
    """They keep working as they are."""

    @tool
    def broken(query: str) -> str:
        """Break."""
        raise PermissionError(f"password=abc {query}")

    reply = Reply(
        calls=[search(), Call("broken", {"query": "x"}, "c9"), Call("broken", {"query": 7}, "c10")]
    )
    graph = host("render_graph", reply, render(), tools=[search_docs, broken])
    if how == "sync":
        parts = list(graph.stream(ASK, stream_mode=["custom", "values"]))
    else:
        parts = [one async for one in graph.astream(ASK, stream_mode=["custom", "values"])]
    ends = {
        one["tool_call_id"]: one
        for mode, one in parts
        if mode == "custom" and one.get("event") == "end"
    }
    messages = tool_messages(parts[-1][1]["messages"])
    assert messages["c9"].text.startswith("[failed: FORBIDDEN:")
    assert messages["c10"].text.startswith("[failed: INVALID_ARGUMENT:")
    assert "password" not in str(messages)
    assert (ends["c9"]["outcome"], ends["c9"]["is_error"]) == ("failed", True)
    assert sorted((one["name"], one["result"] is None) for one in ends.values()) == [
        ("broken", False), ("broken", False), ("search_docs", True),
    ]  # fmt: skip


def test_what_an_ordinary_tool_raises_goes_on_in_an_agent() -> None:
    """There it is langchain's to handle, and the end is still told."""

    @tool
    def broken(query: str) -> str:
        """Break."""
        raise PermissionError(query)

    graph = host(
        "create_agent",
        Reply(calls=[Call("broken", {"query": "x"}, "c9")]),
        render(),
        tools=[broken],
    )
    events: list[Any] = []

    def run() -> None:
        for event in graph.stream(ASK, stream_mode="custom"):
            events.append(event)  # noqa: PERF402 - what came before the exception counts

    with pytest.raises(PermissionError):
        run()
    assert [one.get("event") for one in events if one.get("type") == "tool_event"] == [
        "start",
        "end",
    ]
    assert events[-1]["result"]["error"]["code"] == "FORBIDDEN"


@pytest.mark.parametrize("kind", ["sync", "async"])
async def test_users_at_the_same_time_get_nothing_of_each_other(kind: str, tmp_path: Path) -> None:
    """Runs that interleave: neither calls nor events nor stores mix.

    Each call knows its own user, thread and arguments, each stream has its own events, and what
    one user has saved nobody else can read, not even by its hash.
    """
    store = FileArtifacts(tmp_path)

    def saved(word: str) -> ToolResult:
        call = current_call()
        report_progress(1)
        ref = store.put(call.owner, b"the same for all", "text/plain")
        mine = store.put(call.owner, f"of {call.owner}".encode(), "text/plain")
        return ToolResult(word, [call.owner, call.thread_id, dict(call.args), ref.id, mine.id])

    def save(word: str) -> ToolResult:
        """Save."""
        time.sleep(0.01)
        return saved(word)

    async def asave(word: str) -> ToolResult:
        """Save."""
        await asyncio.sleep(0.01)
        return saved(word)

    tool = structured_tool(name="save", output=list[Any])(save if kind == "sync" else asave)

    async def run(number: int) -> tuple[Any, list[Any]]:
        reply = Reply(calls=[Call("save", {"word": f"w{number}"}, f"c{number}")])
        known = {"thread_id": f"t{number}", "langgraph_auth_user_id": f"u{number}"}
        graph = host("render_graph", reply, render(), tools=[tool])
        parts = [
            part
            async for part in graph.astream(
                ASK, {"configurable": known}, stream_mode=["custom", "values"]
            )
        ]
        events = [one for mode, one in parts if mode == "custom" and one["type"] == "tool_event"]
        return tool_messages(parts[-1][1]["messages"])[f"c{number}"].artifact["structured"], events

    runs = await asyncio.gather(*(run(number) for number in range(40)))
    for number, (told, events) in enumerate(runs):
        assert told[:3] == [f"user:u{number}", f"t{number}", {"word": f"w{number}"}]
        assert [one["tool_call_id"] for one in events] == [f"c{number}"] * 3
        others = runs[(number + 1) % 40][0]
        assert others[3] == told[3]
        assert store.read(told[0], told[4]) == f"of user:u{number}".encode()
        with pytest.raises(ToolFailed, match="NOT_FOUND"):
            store.find(told[0], others[4])


TERMINATE: dict[str, tuple[list[str], int]] = {
    # lesson ids of one message: model calls
    "every result says so": (["last", "last"], 1),
    "one of two": (["last", "ok"], 2),
    "one fails": (["last", "missing"], 2),
    "none": (["ok"], 2),
}


@pytest.mark.parametrize(("ids", "model_calls"), TERMINATE.values(), ids=TERMINATE)
@pytest.mark.parametrize("name", ["render_graph", "create_agent"])
def test_a_batch_ends_the_run_when_every_result_says_so(
    name: str, ids: list[str], model_calls: int
) -> None:
    """And not otherwise."""
    reply = Reply(
        calls=[Call("inspect_lesson", {"lesson_id": one}, f"c{n}") for n, one in enumerate(ids)]
    )
    state = host(name, reply, render(), tools=[inspect_lesson]).invoke(ASK)
    assert sum(isinstance(one, AIMessage) for one in state["messages"]) == model_calls
    shown = last_render(state, RenderTool(LearningPlan))
    assert shown.status == ("absent" if model_calls == 1 else "ok")


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("mode", ["sequential", "parallel"])
async def test_sequential_calls_do_not_overlap(name: str, mode: Any) -> None:
    """And in an async run they come in the order of the calls; parallel ones do overlap."""
    together: list[int] = []
    order: list[int] = []
    running = [0]

    @structured_tool(execution_mode=mode)
    async def step(number: int) -> ToolResult:
        """Step."""
        order.append(number)
        running[0] += 1
        await asyncio.sleep(0.02)
        together.append(running[0])
        running[0] -= 1
        return ToolResult(str(number))

    reply = Reply(calls=[Call("step", {"number": n}, f"c{n}") for n in range(4)])
    parts = [
        one
        async for one in host(name, reply, render(), tools=[step]).astream(
            ask(name, reply), stream_mode="custom"
        )
    ]
    assert order == [0, 1, 2, 3]
    waiting = [one for one in parts if one.get("event") == "waiting"]
    assert (max(together), len(waiting)) == ((1, 3) if mode == "sequential" else (4, 0))


def test_sequential_calls_do_not_overlap_in_threads() -> None:
    """As in an event loop."""
    lock = Lock()

    @structured_tool(execution_mode="sequential")
    def step(number: int) -> ToolResult:
        """Step."""
        if not lock.acquire(blocking=False):
            return ToolResult.failed("CONFLICT")
        report_progress(number)
        lock.release()
        return ToolResult(str(number))

    reply = Reply(calls=[Call("step", {"number": n}, f"c{n}") for n in range(8)])
    state = host("render_graph", reply, render(), tools=[step]).invoke(ASK)
    assert {one.status for one in tool_messages(state["messages"]).values()} == {"success"}


@pytest.mark.parametrize("name", ["render_graph", "create_agent"])
def test_an_interrupt_inside_a_structured_tool_waits_for_a_human(name: str) -> None:
    """It is no failure, and the run goes on with the answer."""

    @structured_tool(timeout=5)
    def approve() -> ToolResult:
        """Approve."""
        return ToolResult(f"said {interrupt('ok?')}")

    graph = host(
        name,
        Reply(calls=[Call("approve", {}, "c1")]),
        render(),
        tools=[approve],
        checkpointer=InMemorySaver(),
    )
    config: Any = {"configurable": {"thread_id": "1"}}
    *_, waiting = (
        one
        for one in graph.stream(ASK, config, stream_mode="custom")
        if one["type"] == "tool_event"
    )
    assert waiting["summary"]["status"] == "waiting"
    assert graph.get_state(config).interrupts
    state = graph.invoke(Command(resume="yes"), config)
    assert tool_messages(state["messages"])["c1"].text == "said yes"


POLICY: dict[str, tuple[ToolFailed | Exception, int]] = {
    "unavailable": (ToolFailed("UNAVAILABLE"), 3),
    "asks to wait": (ToolFailed("RATE_LIMITED", retry_after_ms=900), 3),
    "asks too much": (ToolFailed("RATE_LIMITED", retry_after_ms=60_000), 1),
    "forbidden": (PermissionError(), 1),
    "unknown": (RuntimeError(), 1),
}


@pytest.mark.parametrize(("error", "attempts"), POLICY.values(), ids=POLICY)
def test_policies_for_langgraphs_own_retries(
    error: Exception, attempts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what may be tried again is, and never sooner than the service asked for."""
    waits: list[float] = []
    monkeypatch.setattr("langgraph.pregel._retry.time.sleep", waits.append)
    tried = [0]

    def node(state: MessagesState) -> dict[str, Any]:
        del state
        tried[0] += 1
        raise error

    builder = StateGraph(MessagesState)
    builder.add_node("node", node, retry_policy=retry_policies())
    builder.add_edge(START, "node")
    with pytest.raises(type(error)):
        builder.compile().invoke({"messages": []})
    assert tried[0] == attempts
    asked = ((getattr(error, "error", None) and error.error.retry_after_ms) or 0) / 1000  # type: ignore[attr-defined]
    assert all(wait >= asked for wait in waits)
    assert len(waits) == attempts - 1


def test_a_new_process_reads_the_same_results(tmp_path: Path) -> None:
    """From SQLite and from PostgreSQL, written sync and async, whatever model asked for them."""
    with cluster() as postgres:
        for address in (str(tmp_path / "threads.sqlite"), postgres):
            with saver(address) as store:
                for name in MODELS:
                    with lesson_graph(name, checkpointer=store) as graph:
                        graph.invoke(ASK, {"configurable": {"thread_id": f"sync {name}"}})
            asyncio.run(write(address))
            threads = [f"{how} {name}" for how in ("sync", "async") for name in MODELS]
            done = subprocess.run(
                [sys.executable, "-W", "error", "-m", "tests.langgraph.stored_results", address, *threads],
                env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true", "PYTHONPATH": str(ROOT)},
                cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            expected = {key: list(one) for key, one in EXPECTED.items()}
            assert json.loads(done.stdout) == dict.fromkeys(threads, expected)


async def write(address: str) -> None:
    async with async_saver(address) as store:
        for name in MODELS:
            with lesson_graph(name, checkpointer=store) as graph:
                await graph.ainvoke(ASK, {"configurable": {"thread_id": f"async {name}"}})

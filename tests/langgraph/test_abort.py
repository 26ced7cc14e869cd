from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from statistics import median
from typing import Any
from uuid import uuid4

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRetryMiddleware
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGenerationChunk
from langgraph.checkpoint.memory import InMemorySaver

from benchmarks.peers import repair_ours
from benchmarks.repair import run_case
from benchmarks.repair_model import Case, ScriptedModel, cases
from rendercall import RenderStream, RenderTool, last_render
from rendercall.errors import Issue
from rendercall.langgraph import RenderMiddleware, render_graph
from rendercall.langgraph.abort import Stopped, StoppingRecorder
from rendercall.langgraph.frames import FrameWriter
from rendercall.langgraph.notes import note_of
from rendercall.langgraph.policy import Policy
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.consumer.mutations import mutate
from tests.langgraph.agents import AGENTS
from tests.langgraph.provider_clients import PROVIDERS, Provider
from tests.langgraph.repair_table import PATCH, patch, replace
from tests.langgraph.scripted_graph import ASK, GOOD, NAME, render, search_docs
from tests.langgraph.test_frames import frames_of, rebuilt
from tests.langgraph.test_providers import EACH
from tests.langgraph.test_watchers import bare
from tests.langgraph.watchers import WATCHERS, Watch
from tests.providers.http import Answer

TOOL = RenderTool(LearningPlan)
LONG = {**GOOD, "objectives": [f"Objective {n}" for n in range(30)]}
WRONG = {**LONG, "level": "easy"}
REST = [
    replace("/level", "beginner"),
    *({"op": "add", "path": f"/{key}", "value": LONG[key]} for key in ("objectives", "lessons", "total_minutes")),
]  # fmt: skip
BUILD = {
    "render_graph": lambda model, **options: render_graph(model, TOOL, **options),
    "create_agent": lambda model, checkpointer=None, **options: create_agent(
        model, middleware=[RenderMiddleware(TOOL, **options)], checkpointer=checkpointer
    ),
}
EACH_BUILD = pytest.mark.parametrize("build", BUILD.values(), ids=BUILD)
STOPPABLE = [
    "openai chat",
    "openai responses",
    "responses, stored reasoning",
    "responses, sealed reasoning",
    "anthropic",
]
THREAD: Any = {"configurable": {"thread_id": "1"}}


def stopping(*script: Any, agent: str = "render_graph", **options: Any) -> tuple[Any, Any]:
    model = ScriptedChatModel(script=list(script), repeat_last=True, chunk_size=8)
    graph = AGENTS[agent](model, [TOOL], [search_docs], on_error="abort_and_continue", **options)
    return graph, model


@pytest.mark.parametrize("agent", AGENTS)
def test_a_stopped_call_is_kept_and_goes_on(agent: str) -> None:
    """Its raw text is stored as it was sent, invalid, marked; the patch corrects and completes it."""
    graph, model = stopping(render(WRONG, text="Here."), patch(*REST), agent=agent)
    state = graph.invoke(ASK)
    shown = last_render(state, TOOL)
    assert shown.require() == LearningPlan.model_validate(LONG)
    stopped = state["messages"][1]
    (call,) = stopped.invalid_tool_calls
    assert stopped.tool_calls == []
    assert stopped.text == "Here."
    assert json.dumps(WRONG).startswith(call["args"])
    assert len(call["args"]) < 80
    assert [one["pointer"] for one in note_of(stopped)["stopped"]] == ["/level"]
    assert shown.cost is not None
    assert shown.cost.saved == len(shown.args_text or "") - len(call["args"])

    told = model.requests[1].messages
    assert told[-2].tool_calls[0]["args"] == {"topic": GOOD["topic"], "level": "easy"}
    assert (
        told[-1].text.splitlines()[0]
        == "Not shown: you were stopped at an error. The args up to it are kept."
    )
    assert "- /total_minutes: this key is required and missing" in told[-1].text


OUTCOMES: dict[str, tuple[list[Any], dict[str, Any], str, int]] = {
    "asked again": ([render(WRONG), render(LONG)], {"repair": "reask"}, "ok", 2),
    "written again, though a patch was offered": ([render(WRONG), render(LONG)], {}, "ok", 2),
    "wrong again and again": ([render(WRONG)], {}, "invalid", 3),
    "no repairs": ([render(WRONG)], {"max_repairs": 0}, "invalid", 1),
    "a patch that leaves the rest out": ([render(WRONG), patch(REST[0])], {}, "invalid", 3),
    "a patch in two steps": ([render(WRONG), patch(REST[0]), patch(*REST[1:])], {}, "ok", 3),
    "beside a search": ([Reply(calls=[Call("search_docs", {"query": "x"}), Call(NAME, WRONG)]), patch(*REST)], {}, "ok", 2),
    "right at once": ([render(LONG)], {}, "ok", 1),
    "wrong at its end": ([render({**LONG, "total_minutes": 0}), patch(replace("/total_minutes", 30))], {}, "ok", 2),
    "missing at its end": ([render({k: v for k, v in LONG.items() if k != "level"}), patch({"op": "add", "path": "/level", "value": "beginner"})], {}, "ok", 2),
    "broken": ([render('{"topic": nope, "level": "beginner"}'), render(LONG)], {}, "ok", 2),
}  # fmt: skip


@pytest.mark.parametrize(("script", "options", "status", "calls"), OUTCOMES.values(), ids=OUTCOMES)
@pytest.mark.parametrize("agent", AGENTS)
def test_a_stopped_turn_ends_typed(
    agent: str, script: list[Any], options: dict[str, Any], status: str, calls: int
) -> None:
    """In every agent."""
    graph, model = stopping(*script, agent=agent, **options)
    assert (last_render(graph.invoke(ASK), TOOL).status, len(model.requests)) == (status, calls)


def test_a_stopped_call_is_invalid_with_its_errors() -> None:
    """Not truncated: it was the graph that stopped it, and why."""
    graph, _ = stopping(render(WRONG), max_repairs=0)
    shown = last_render(graph.invoke(ASK), TOOL)
    assert [(one.pointer, one.kind, one.code) for one in shown.errors] == [
        ("/level", "schema", "literal_error")
    ]
    assert shown.args_text
    assert shown.cost is not None


PACE = 0.02
"""Seconds before each event: a client on a busy machine still reads as fast as it is sent."""


def script_of(provider: Provider, *, stops: bool) -> list[Answer]:
    thought = "Because." if provider.reasons else ""
    operations = REST if stops else REST[:1]
    return [
        Answer(text="Here.", calls=[(NAME, json.dumps(WRONG), "c1")], reasoning=thought, delay=PACE, chunk=12),
        Answer(calls=[(PATCH, json.dumps({"ops": operations}), "c2")], reasoning=thought),
        Answer(calls=[(NAME, json.dumps(LONG), "c3")], reasoning=thought),
    ]  # fmt: skip


@EACH_BUILD
@pytest.mark.parametrize("on_error", ["finish_then_patch", "abort_and_continue"])
@EACH
async def test_a_repaired_turn_and_the_next_work_at_every_provider(
    provider: Provider, on_error: str, build: Any
) -> None:
    """No request is refused, with signed and paired reasoning too; stopped connections close.

    Where calls come whole there is nothing to stop, and with Anthropic's thinking on nothing is
    stopped.
    """
    stops = on_error == "abort_and_continue" and any(
        PROVIDERS[name] is provider for name in STOPPABLE
    )
    with provider.server(script_of(provider, stops=stops)) as server:
        graph = build(
            provider.client(server, True), on_error=on_error, checkpointer=InMemorySaver()
        )
        for word in ("plan", "again"):
            state = await graph.ainvoke({"messages": [HumanMessage(word)]}, THREAD)
            assert last_render(state, TOOL).require() == LearningPlan.model_validate(LONG)
        if stops:
            assert server.hung_up.wait(10)
    assert server.refusals == []
    assert len(server.requests) == 3
    assert [one.request for one in server.disconnects] == ([0] if stops else [])


@pytest.mark.parametrize("watch", WATCHERS.values(), ids=WATCHERS)
@pytest.mark.parametrize("name", ["openai chat", "anthropic"])
@EACH_BUILD
async def test_a_stopped_stream_closes_however_it_is_watched(
    name: str, watch: Watch, build: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """And the state is the same, but for how far the model came; nobody logs it as an error."""
    provider = PROVIDERS[name]
    with provider.server(script_of(provider, stops=True)) as server:
        messages = await watch(
            build(provider.client(server, True), on_error="abort_and_continue"), ASK
        )
        assert server.hung_up.wait(10)
    assert server.disconnects[0].sent < server.disconnects[0].total / 2
    assert last_render(messages, TOOL).status == "ok"
    first, *rest = bare(messages[1:])
    (broken,) = first["invalid_tool_calls"]
    assert json.dumps(WRONG).startswith(broken["args"])
    assert first["content"] == "Here."
    assert [one["type"] for one in rest] == ["tool", "ai", "tool", "ai", "tool"][: len(rest)]
    assert caplog.messages == []


async def test_frames_of_a_repaired_turn_are_true() -> None:
    """The stopped call ends invalid; the patched one comes whole, under its own message."""
    graph, _ = stopping(render(WRONG), patch(*REST))
    frames = frames_of([one async for one in graph.astream(ASK, stream_mode="custom")])
    first, second = dict.fromkeys(one["message_id"] for one in frames)
    of_first = [one for one in frames if one["message_id"] == first]
    of_second = [one for one in frames if one["message_id"] == second]
    assert of_first[-1]["done"]["status"] == "invalid"
    assert rebuilt(of_second) == LONG
    assert of_second[-1]["done"]["status"] == "ok"
    assert [one["seq"] for one in of_second] == list(range(len(of_second)))


@pytest.mark.parametrize("modes", [["messages"], ["messages", "values"], ["updates"]], ids=str)
def test_a_stream_reader_ends_on_the_patched_call(modes: list[str]) -> None:
    """Whatever it watches; nothing that it showed before is taken for the end."""
    graph, _ = stopping(render(WRONG), patch(*REST))
    stream = RenderStream(TOOL)
    for part in graph.stream(ASK, stream_mode=modes):
        stream.feed(part)
    assert stream.finish().require() == LearningPlan.model_validate(LONG)


@pytest.mark.parametrize("run", ["sync", "async"])
async def test_a_middleware_that_tries_again_does_not_undo_the_stop(run: str) -> None:
    """No second request is made of it."""
    model = ScriptedChatModel(script=[render(WRONG), patch(*REST)], chunk_size=8)
    retry = ModelRetryMiddleware(max_retries=2, initial_delay=0, on_failure="continue")
    middleware = [RenderMiddleware(TOOL, on_error="abort_and_continue"), retry]
    agent: Any = create_agent(model, middleware=middleware)  # type: ignore[arg-type]
    state = agent.invoke(ASK) if run == "sync" else await agent.ainvoke(ASK)
    assert last_render(state, TOOL).status == "ok"
    assert len(model.requests) == 2


def test_a_call_that_was_stopped_is_no_error_of_the_run() -> None:
    """Callbacks hear of its end, as of any, and nothing is raised where a user could catch it."""
    heard: list[str] = []

    class Ends(BaseCallbackHandler):
        def on_llm_error(self, error: BaseException, **_: Any) -> None:
            heard.append(type(error).__name__)

        def on_llm_end(self, *_: Any, **__: Any) -> None:
            heard.append("end")

    graph, _ = stopping(render(WRONG), patch(*REST))
    graph.invoke(ASK, {"callbacks": [Ends()]})
    assert heard == ["Stopped", "end"]


def test_a_cancelled_run_stays_cancelled() -> None:
    """Also where a call of it was stopped; an error that comes of the stop is the stop."""
    recorder = StoppingRecorder(Policy(renders=(TOOL,)), FrameWriter(lambda _: None))
    assert recorder.message(Stopped()) is None
    recorder.issues = (Issue("/level", "schema", "literal_error", "wrong"),)
    assert recorder.message(asyncio.CancelledError()) is None
    assert recorder.message(KeyboardInterrupt()) is None
    for error in (Stopped(), AttributeError()):
        assert recorder.message(error) is not None


def is_stopped(text: str, size: int, tool: RenderTool[Any] = TOOL) -> bool:
    """Whether a call in pieces of a size is stopped."""
    policy = Policy(renders=(tool,), on_error="abort_and_continue")
    recorder = StoppingRecorder(policy, FrameWriter(lambda _: None))
    run = uuid4()
    recorder.on_chat_model_start({}, [], run_id=run)
    try:
        for at in range(0, len(text), size):
            name = tool.name if at == 0 else None
            piece = {"name": name, "args": text[at : at + size], "id": name and "c1", "index": 0}
            chunk = AIMessageChunk("", tool_call_chunks=[{**piece, "type": "tool_call_chunk"}])  # type: ignore[list-item]
            recorder.on_llm_new_token("", chunk=ChatGenerationChunk(message=chunk), run_id=run)
    except Stopped:
        return True
    return False


def documents(number: int) -> Iterator[tuple[str, str]]:
    """Texts of valid plans and of mutated ones."""
    rng = random.Random(11)  # noqa: S311 - test data
    for _ in range(number):
        lessons = [
            {"title": f"Lesson {n}", "duration_minutes": rng.randint(1, 90)}
            for n in range(rng.randint(1, 3))
        ]
        plan = {**GOOD, "lessons": lessons, "total_minutes": rng.choice([30, 30.0, 2**60])}
        yield json.dumps(plan), json.dumps(mutate(plan, rng))


@pytest.mark.parametrize("number", [300, pytest.param(10_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("mend", [None, "lossless"])
def test_no_plan_that_would_be_valid_is_stopped(number: int, mend: Any) -> None:
    """Over valid plans and mutated ones, in pieces of any size; and wrong ones often are."""
    tool = RenderTool(LearningPlan, mend=mend)
    rng = random.Random(12)  # noqa: S311 - test data
    stopped = wrong = 0
    for valid, mutated in documents(number):
        assert not is_stopped(valid, rng.randint(1, 40), tool)
        if is_stopped(mutated, rng.randint(1, 40), tool):
            stopped += 1
            assert tool.validate(mutated).state == "invalid", mutated
        wrong += tool.validate(mutated).state == "invalid"
    assert stopped > wrong / 3 if mend is None else stopped == 0


CUMULATIVE = json.dumps(LONG)


@pytest.mark.parametrize("size", [5, 40])
def test_a_stream_that_must_be_healed_is_not_stopped(size: int) -> None:
    """Each piece with all before it; or an empty object, or null, before the real one."""
    policy = Policy(renders=(TOOL,), on_error="abort_and_continue")
    for pieces in (
        [CUMULATIVE[:at] for at in range(size, len(CUMULATIVE) + size, size)],
        ["{}", *(CUMULATIVE[at : at + size] for at in range(0, len(CUMULATIVE), size))],
        ["null", *(CUMULATIVE[at : at + size] for at in range(0, len(CUMULATIVE), size))],
    ):
        recorder = StoppingRecorder(policy, FrameWriter(lambda _: None))
        run = uuid4()
        recorder.on_chat_model_start({}, [], run_id=run)
        for number, piece in enumerate(pieces):
            name = None if number else NAME
            call: Any = {
                "name": name,
                "args": piece,
                "id": name and "c",
                "index": 0,
                "type": "tool_call_chunk",
            }
            chunk = ChatGenerationChunk(message=AIMessageChunk("", tool_call_chunks=[call]))
            recorder.on_llm_new_token("", chunk=chunk, run_id=run)
        assert not recorder.issues


def test_at_least_half_of_what_follows_the_first_error_is_not_generated() -> None:
    """Measured where the connection closes; each run ends on a right plan or typed."""
    runs = [run_case(case, repair_ours.abort_patch, stops=True) for case in cases(9)]
    assert median(one.unwritten or 0.0 for one in runs) >= 0.5
    assert {one.end for one in runs} <= {"valid", "error"}


def test_one_wrong_leaf_costs_one_leaf() -> None:
    """In a plan of 3.2 KB: at most 150 characters more, one call more, and little more to read."""
    plain = next(case for case in cases(1, 3216))
    case = Case(plain.right, plain.wrong, plain.places, slips=0)
    assert len(case.places) == 1
    ours = run_case(case, repair_ours.patch, stops=False)
    again = run_case(case, repair_ours.reask, stops=False)
    assert (ours.end, ours.calls) == ("valid", 2)
    assert ours.output - len(json.dumps(case.wrong)) <= 150
    assert ours.input <= 1.3 * again.input


def test_the_scripted_model_of_the_benchmark_knows_only_what_it_was_told() -> None:
    """A leaf that no error named stays wrong."""
    case = next(one for one in cases(9) if len(one.places) == 3)
    model = ScriptedModel(case)
    tools = [{"function": {"name": NAME}}]
    where = "".join(f"/{key}" for key in case.places[0])
    model({"tools": tools, "messages": []})
    model({"tools": tools, "messages": [{"role": "tool", "content": f"{where}: wrong"}]})
    written = json.loads(model.answers[1].calls[0][1])
    assert written not in (case.right, case.wrong)

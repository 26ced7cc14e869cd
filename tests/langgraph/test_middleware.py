from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from deepagents import create_deep_agent
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelRetryMiddleware
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver

from rendercall import RenderTool, last_render
from rendercall.errors import GraphDefinitionError
from rendercall.langgraph import RenderMiddleware
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.provider_clients import Provider
from tests.langgraph.scripted_graph import (
    ASK,
    BAD,
    CUT,
    GOOD,
    NAME,
    Scripted,
    answers,
    render,
    search,
    search_docs,
)
from tests.langgraph.test_providers import EACH, STREAM, turns
from tests.langgraph.test_watchers import SCRIPTS, bare
from tests.langgraph.watchers import WATCHERS, Watch

MakeAgent = Callable[..., Scripted]


@pytest.fixture
def scripted(plan_tool: RenderTool[LearningPlan]) -> MakeAgent:
    """Make an agent whose model plays a script; its last item repeats."""

    def make(
        *script: Any,
        tools: Sequence[BaseTool] = (search_docs,),
        inside: Sequence[AgentMiddleware[Any, Any, Any]] = (),
        model: ScriptedChatModel | None = None,
        **options: Any,
    ) -> Scripted:
        model = model or ScriptedChatModel(script=list(script), repeat_last=True)
        middleware = [RenderMiddleware(plan_tool, **options), *inside]
        return Scripted(create_agent(model, tools, middleware=middleware), model)  # type: ignore[arg-type]

    return make


@pytest.mark.parametrize(("script", "status"), SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize("watch", WATCHERS.values(), ids=WATCHERS)
async def test_the_state_is_the_same_however_an_agent_is_watched(
    watch: Watch,
    script: list[Any],
    status: str,
    scripted: MakeAgent,
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """Same outcome and same messages, ids aside, as a run that nobody watches."""
    expected = scripted(*script).graph.invoke(ASK)["messages"]
    messages = await watch(scripted(*script).graph, ASK)
    assert bare(messages) == bare(expected)
    assert last_render(messages, plan_tool).status == status


def test_fragments_reach_a_watcher_and_the_message_comes_once(scripted: MakeAgent) -> None:
    """The model's chunks come while it speaks, and its message is not sent again whole."""
    graph = scripted(render()).graph
    seen = [chunk for chunk, _ in graph.stream(ASK, stream_mode="messages")]
    chunks = [one for one in seen if isinstance(one, AIMessageChunk)]
    assert len(chunks) > 20
    assert [one.type for one in seen if one not in chunks] == ["tool"]


def test_fragments_reach_a_v3_watcher(scripted: MakeAgent) -> None:
    """Deltas of the args, and frames on the channel `custom`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # v3 is beta, and says so
        run = scripted(render()).graph.stream_events(ASK, version="v3")
        events = list(run)
    deltas = [
        one for one in events
        if one["method"] == "messages" and one["params"]["data"][0].get("event") == "content-block-delta"
    ]  # fmt: skip
    frames = [one["params"]["data"] for one in events if one["method"] == "custom"]
    assert len(deltas) > 20
    assert frames[-1]["done"]["status"] == "ok"


def test_frames_reach_a_custom_watcher(scripted: MakeAgent) -> None:
    """The same frames as a render graph writes."""
    frames = list(scripted(render(), frame_interval=0).graph.stream(ASK, stream_mode="custom"))
    assert [one["seq"] for one in frames] == list(range(len(frames)))
    assert frames[-1]["done"]["status"] == "ok"


@pytest.mark.parametrize("make", [create_agent, create_deep_agent])
@EACH
@STREAM
async def test_turn_after_turn_works_at_every_provider(
    provider: Provider, stream: bool, make: Any, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Shown, wrong, cut, mixed and answered calls behind it: the next request is never refused."""
    planned = turns(provider)
    script = [answer for _, answers in planned for answer in answers]
    with provider.server(script) as server:
        agent = make(
            model=provider.client(server, stream), tools=[search_docs],
            middleware=[RenderMiddleware(plan_tool, max_repairs=1)], checkpointer=InMemorySaver(),
        )  # fmt: skip
        config = {"configurable": {"thread_id": "1"}}
        outcomes = []
        for turn, _ in enumerate(planned):
            state = await agent.ainvoke({"messages": [HumanMessage(f"turn {turn}")]}, config)
            outcomes.append(last_render(state, plan_tool).status)
    assert server.refusals == []
    assert outcomes == [outcome for outcome, _ in planned]
    assert len(server.requests) == len(script)


OUTCOMES: dict[str, tuple[list[Any], dict[str, Any], str, int, list[tuple[str, str]]]] = {
    # script, options: (status, model calls, tool messages)
    "no repairs": ([render(BAD)], {"max_repairs": 0}, "invalid", 1, [(NAME, "error")]),
    "always searching": (
        [Reply(calls=[search()])], {"max_model_calls": 3}, "failed", 3,
        [("search_docs", "success")] * 2 + [("search_docs", "error")],
    ),
    "to be finished": (
        [Reply(calls=[Call(NAME, GOOD), search()])], {"mixed": "finish"}, "ok", 1,
        [(NAME, "success"), ("search_docs", "success")],
    ),
    "to be finished, wrong": (
        [Reply(calls=[Call(NAME, BAD), search()]), render()], {"mixed": "finish"}, "ok", 2,
        [(NAME, "error"), ("search_docs", "success"), (NAME, "success")],
    ),
    "reminded": ([Reply("done"), render()], {"required": True}, "ok", 2, [(NAME, "success")]),
    "text only, though required": ([Reply("done")], {"required": True}, "absent", 3, []),
    "answered in the request only": ([render()], {"ack": "request"}, "ok", 1, []),
    "a wrapped name": ([Reply(calls=[Call(f"functions.{NAME}", GOOD)])], {}, "ok", 1, [(NAME, "success")]),
    "no ordinary tools": ([render(BAD), render()], {"tools": ()}, "ok", 2, [(NAME, "error"), (NAME, "success")]),
    "unknown tools alone": (
        [Reply(calls=[Call("nope", {})]), render()], {"tools": ()}, "ok", 2,
        [("nope", "error"), (NAME, "success")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("script", "options", "status", "calls", "tool_messages"), OUTCOMES.values(), ids=OUTCOMES
)
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
async def test_every_option_has_its_outcome(
    scripted: MakeAgent,
    plan_tool: RenderTool[LearningPlan],
    script: list[Any],
    options: dict[str, Any],
    status: str,
    calls: int,
    tool_messages: list[tuple[str, str]],
    asynchronous: bool,
) -> None:
    """The options of `render_graph` mean the same here."""
    made = scripted(*script, **options)
    state = await made.graph.ainvoke(ASK) if asynchronous else made.graph.invoke(ASK)
    assert last_render(state, plan_tool).status == status
    assert made.calls == calls
    assert answers(state["messages"]) == tool_messages


def test_what_makes_no_agent_is_refused(
    plan_tool: RenderTool[LearningPlan], scripted: MakeAgent
) -> None:
    """Each mistake gets its own words."""
    with pytest.raises(GraphDefinitionError, match="at least one render tool"):
        RenderMiddleware([])
    with pytest.raises(GraphDefinitionError, match="runs every call that has no answer"):
        RenderMiddleware(plan_tool, mixed="finish", ack="request")
    middleware = [RenderMiddleware(plan_tool)]
    agent = create_agent(
        scripted(render()).model, middleware=middleware, response_format=LearningPlan
    )
    with pytest.raises(GraphDefinitionError, match="two ways to end a run"):
        agent.invoke(ASK)  # type: ignore[arg-type]


class Breaks(ScriptedChatModel):
    """Its first stream breaks off in mid-call."""

    def _stream(self, *args: Any, **kwargs: Any) -> Any:
        first = not self.requests
        for number, chunk in enumerate(super()._stream(*args, **kwargs)):
            if first and number > 5:
                raise ConnectionError
            yield chunk


def test_an_attempt_that_broke_off_is_forgotten(
    scripted: MakeAgent, plan_tool: RenderTool[LearningPlan]
) -> None:
    """A retry inside the middleware leaves nothing of the first attempt in the message."""
    retry = ModelRetryMiddleware(max_retries=1, initial_delay=0, jitter=False)
    model = Breaks(script=[render(BAD), render()])
    state = scripted(model=model, inside=[retry]).graph.invoke(ASK)
    assert last_render(state, plan_tool).status == "ok"
    assert [one.type for one in state["messages"]] == ["human", "ai", "tool"]


class AsksAnother(AgentMiddleware):
    """Lets another model speak before the agent's own does, as a summary does."""

    def wrap_model_call(self, request: ModelRequest[Any], handler: Any) -> Any:
        ScriptedChatModel(script=[render(BAD)]).invoke("Sum it up")
        return handler(request)


def test_another_models_words_are_not_the_answer(
    scripted: MakeAgent, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Only the call whose message comes back is recorded."""
    state = scripted(render(), inside=[AsksAnother()]).graph.invoke(ASK)
    assert last_render(state, plan_tool).require() == LearningPlan.model_validate(GOOD)


class Wraps(ScriptedChatModel):
    """A model that asks another one before it speaks."""

    def _stream(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
        for _ in ScriptedChatModel(script=[render()]).stream(messages):
            pass
        yield from super()._stream(messages, *args, **kwargs)


def test_a_model_inside_a_model_is_not_recorded(
    scripted: MakeAgent, plan_tool: RenderTool[LearningPlan]
) -> None:
    """What the outer one sends is the message."""
    state = scripted(model=Wraps(script=[render(CUT)]), max_repairs=0).graph.invoke(ASK)
    shown = last_render(state, plan_tool)
    assert shown.status == "truncated"
    assert shown.args_text == CUT


def test_state_can_end_on_the_render_call(scripted: MakeAgent) -> None:
    """With `ack="request"`, as front ends of render graphs know it."""
    last = scripted(render(), ack="request").graph.invoke(ASK)["messages"][-1]
    assert isinstance(last, AIMessage)
    assert [call["name"] for call in last.tool_calls] == [NAME]


@pytest.mark.parametrize(
    "code",
    [
        "import rendercall.langgraph; assert 'langchain.agents' not in sys.modules",
        """
sys.modules["langchain"] = None
from rendercall.errors import MissingExtra
import rendercall.langgraph as room
try:
    room.RenderMiddleware
except MissingExtra as error:
    assert error.extra == "langchain"
else:
    raise AssertionError
""",
    ],
    ids=["not imported before it is asked for", "the error names the extra"],
)
def test_langchain_is_optional(code: str) -> None:
    """The base install works without it."""
    subprocess.run([sys.executable, "-c", f"import sys\n{code}"], check=True)

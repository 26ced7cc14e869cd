from __future__ import annotations

import json
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool

from graphs.parts.planner import plan_reply
from graphs.parts.search_docs import search_docs
from rendercall import RenderTool
from rendercall.models import Reply, RuleBasedChatModel
from schemas.learning_plan import LearningPlan

RENDER_ONLY = [convert_to_openai_tool(RenderTool(LearningPlan).spec())]
TOOLS = [convert_to_openai_tool(search_docs), *RENDER_ONLY]
Tools: TypeAlias = list[dict[str, Any]]


def ai(reply: Reply, call_id: str) -> AIMessage:
    calls = [{"name": c.name, "args": dict(c.args), "id": call_id} for c in reply.calls]
    return AIMessage(reply.text, tool_calls=calls)


def plan_of(reply: Reply) -> LearningPlan:
    """The plan of a render call, checked as the render tool checks it."""
    (call,) = reply.calls
    assert call.name == "render_learning_plan"
    plan = LearningPlan.model_validate_json(json.dumps(call.args), strict=True)
    assert plan.total_minutes == sum(lesson.duration_minutes for lesson in plan.lessons)
    return plan


def run_turn(history: list[AnyMessage], text: str, tools: Tools) -> tuple[list[AnyMessage], Reply]:
    """One turn with the real search, as the graph runs it: at most one search, then the end."""
    messages = [*history, HumanMessage(text)]
    reply = plan_reply(messages, tools)
    if reply.calls and reply.calls[0].name == "search_docs":
        messages.append(ai(reply, f"s{len(messages)}"))
        messages.append(search_docs.invoke({**messages[-1].tool_calls[0], "type": "tool_call"}))
        reply = plan_reply(messages, tools)
    return [*messages, ai(reply, f"r{len(messages)}")], reply


def found(*hits: dict[str, Any], status: str = "success") -> list[AnyMessage]:
    """A turn in which the search has answered."""
    call = {"name": "search_docs", "args": {"query": "sets"}, "id": "s1"}
    answer = ToolMessage("…", tool_call_id="s1", artifact=list(hits), status=status)
    return [HumanMessage("sets"), AIMessage("", tool_calls=[call]), answer]


HIT = {"title": "Sets", "source": "Python docs: topic 'set'", "snippet": "A set.", "complete": True}


def test_it_searches_first() -> None:
    """A new topic is searched for once, without the words for a level."""
    reply = plan_reply([SystemMessage("…"), HumanMessage("advanced sets")], TOOLS)
    assert [(call.name, call.args) for call in reply.calls] == [("search_docs", {"query": "sets"})]
    assert reply.text == ""


def test_it_plans_from_the_real_hits() -> None:
    """With the real index, lessons are named after pages and objectives name their sources."""
    _, reply = run_turn([], "Make a learning plan about list comprehensions", TOOLS)
    plan = plan_of(reply)
    assert plan.topic == "list comprehensions"
    assert "List displays" in [lesson.title for lesson in plan.lessons]
    assert any("(Python docs: topic 'lists')" in objective for objective in plan.objectives)
    assert "without a model" in reply.text


def test_chinese() -> None:
    """A Chinese request is answered in Chinese, and says that nothing was found."""
    _, reply = run_turn([], "我想学 Python 装饰器", TOOLS)
    plan = plan_of(reply)
    assert plan.topic == "Python 装饰器"
    assert "没有找到" in plan.objectives[0]
    assert "未使用模型" in reply.text


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        (found(), "had no hits"),
        (found({**HIT, "complete": False}), "had no hits"),
        (found({"title": "Sets"}, status="success"), "had no hits"),
        ([HumanMessage("sets")], "no documentation was searched"),
        (found()[:2], "no documentation was searched"),
        ([*found()[:2], ToolMessage("x", tool_call_id="s1", status="error")], "was searched"),
    ],
    ids=["no hits", "only partial hits", "no hit at all", "no tool", "no answer", "search failed"],
)
def test_without_pages_the_plan_is_plain(messages: list[AnyMessage], told: str) -> None:
    """It never searches twice in a turn, and tells why the plan rests on no page."""
    tools = TOOLS if len(messages) > 1 else []
    assert told in plan_of(plan_reply(messages, tools)).objectives[0]


def test_only_this_turn_counts() -> None:
    """Hits of an earlier turn are no hits for a new topic."""
    reply = plan_reply([*found(HIT), AIMessage("done"), HumanMessage("lists")], TOOLS)
    assert [call.name for call in reply.calls] == ["search_docs"]


def test_follow_ups_change_the_last_plan() -> None:
    """Changes build on each other without a search; another topic starts anew."""
    history, reply = run_turn([], "list comprehensions", TOOLS)
    first = plan_of(reply)
    history, reply = run_turn(history, "make it shorter", TOOLS)
    shorter = plan_of(reply)
    assert shorter.topic == "list comprehensions"
    assert shorter.lessons == first.lessons[: len(shorter.lessons)]
    assert len(shorter.lessons) < len(first.lessons)
    history, reply = run_turn(history, "难一点, 长一点", TOOLS)
    longer = plan_of(reply)
    assert longer.level == "intermediate"
    assert longer.total_minutes > shorter.total_minutes
    assert not any(isinstance(m, ToolMessage) for m in history[5:])
    _, reply = run_turn(history, "decorators", TOOLS)
    assert plan_of(reply).topic == "decorators"


def test_a_change_without_a_plan_is_a_topic() -> None:
    """There is nothing to shorten in the first turn."""
    assert plan_of(plan_reply([HumanMessage("shorter")], [])).topic == "shorter"


def test_an_invalid_plan_is_not_built_upon() -> None:
    """A follow-up changes the newest plan that was valid."""
    history, reply = run_turn([], "list comprehensions", TOOLS)
    bad = {"name": "render_learning_plan", "args": {"topic": "x"}, "id": "bad"}
    history += [HumanMessage("x"), AIMessage("", tool_calls=[bad]), HumanMessage("shorter")]
    assert plan_of(plan_reply(history, TOOLS)).topic == plan_of(reply).topic


def refused(reply: Reply, call_id: str, *, cut: bool = False) -> list[AnyMessage]:
    """A render call that was answered with an error; a cut one is an invalid call."""
    message = ai(reply, call_id)
    if cut:
        call = {"name": "render_learning_plan", "args": '{"topic', "id": call_id, "error": "cut"}
        message = AIMessage("", invalid_tool_calls=[call])
    return [message, ToolMessage("/topic: wrong", tool_call_id=call_id, status="error")]


@pytest.mark.parametrize("cut", [False, True], ids=["wrong", "cut"])
def test_a_refused_plan_is_replaced_once(cut: bool) -> None:
    """The first refusal gets a plain plan, the second a word; it never loops."""
    messages = found(HIT)
    messages += refused(plan_reply(messages, TOOLS), "r1", cut=cut)
    second = plan_reply(messages, TOOLS)
    assert "not accepted" in plan_of(second).objectives[0]
    messages += refused(second, "r2", cut=cut)
    third = plan_reply(messages, TOOLS)
    assert third.calls == ()
    assert third.text


def test_a_refused_change_keeps_its_topic() -> None:
    """The plain plan after a refused change is about the plan's topic, at its level."""
    history, _ = run_turn([], "advanced sets", TOOLS)
    history.append(HumanMessage("shorter"))
    history += refused(plan_reply(history, TOOLS), "r9")
    plan = plan_of(plan_reply(history, TOOLS))
    assert (plan.topic, plan.level) == ("advanced sets", "advanced")


@pytest.mark.parametrize(
    "messages",
    [[], [SystemMessage("s")], [HumanMessage(" \n")], [HumanMessage([{"type": "image"}])]],
    ids=["nothing", "no human", "blank", "no text"],
)
def test_without_a_topic_it_asks(messages: list[AnyMessage]) -> None:
    """No plan is made up about nothing."""
    reply = plan_reply(messages, TOOLS)
    assert reply.calls == ()
    assert "What do you want to learn?" in reply.text


def test_a_reminder_is_no_topic() -> None:
    """A graph's own message, which names the call, is not what the user wants to learn."""
    blank = [HumanMessage(" "), AIMessage("?"), HumanMessage("Now call render_learning_plan.")]
    assert plan_reply(blank, TOOLS).calls == ()
    reminded = [*found(HIT), AIMessage(""), HumanMessage("Now call render_learning_plan.")]
    assert plan_of(plan_reply(reminded, TOOLS)).topic == "sets"


async def test_it_is_the_rule_of_a_chat_model() -> None:
    """Bound like a model, it streams the same calls that it replies with."""
    model = RuleBasedChatModel(rule=plan_reply).bind_tools([search_docs, *RENDER_ONLY])
    message = model.invoke(found(HIT))
    streamed = [chunk async for chunk in model.astream(found(HIT))]
    whole = "".join(c["args"] or "" for chunk in streamed for c in chunk.tool_call_chunks)
    assert json.loads(whole) == message.tool_calls[0]["args"]
    assert message.tool_calls[0]["name"] == "render_learning_plan"
    assert model.invoke([HumanMessage("sets")]).tool_calls[0]["name"] == "search_docs"


user_texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=80).filter(
        lambda text: bool(text.split())
    ),
    st.sampled_from(
        ["shorter", "长一点", "more advanced", "too hard", "yield", "教我 SQL", "sets"]
    ),
)


@settings(deadline=None)
@given(texts=st.lists(user_texts, min_size=1, max_size=5), search=st.booleans())
def test_every_plan_is_valid(texts: list[str], search: bool) -> None:
    """Whatever a user writes, turn after turn, each turn ends on a valid plan; twice the same."""
    tools = TOOLS if search else RENDER_ONLY
    history: list[AnyMessage] = []
    for text in texts:
        messages, reply = run_turn(history, text, tools)
        plan = plan_of(reply)
        assert 1 <= len(plan.lessons) <= 6
        assert run_turn(history, text, tools)[1] == reply
        history = messages
    if len(texts) == 1:
        assert len(plan.lessons) >= 3

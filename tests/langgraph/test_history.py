from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from rendercall import RenderTool
from rendercall.langgraph import prepare_messages
from schemas.learning_plan import LearningPlan

TOOL = RenderTool(LearningPlan)
GOOD: dict[str, Any] = {
    "topic": "SQL", "level": "beginner", "objectives": ["x"],
    "lessons": [{"title": "t", "duration_minutes": 30}], "total_minutes": 30,
}  # fmt: skip


def ai(*ids: str, name: str = TOOL.name, args: Any = None, **fields: Any) -> AIMessage:
    calls = [
        {"name": name, "args": GOOD if args is None else args, "id": one, "type": "tool_call"}
        for one in ids
    ]
    return AIMessage(fields.pop("content", ""), tool_calls=calls, **fields)


def broken(text: str, call_id: str = "c1", name: str = TOOL.name) -> AIMessage:
    call = {"name": name, "args": text, "id": call_id, "error": None, "type": "invalid_tool_call"}
    return AIMessage("", id="a1", invalid_tool_calls=[call])


def tool(call_id: str, text: str = "hit") -> ToolMessage:
    return ToolMessage(text, tool_call_id=call_id, id=f"t-{call_id}-{text}")


def shape(messages: list[AnyMessage]) -> list[Any]:
    """Roles, with the ids of calls and answers."""
    out: list[Any] = []
    for one in messages:
        if isinstance(one, ToolMessage):
            out.append(one.tool_call_id)
        elif isinstance(one, AIMessage):
            out.append([call["id"] for call in one.tool_calls])
        else:
            out.append(one.text)
    return out


H1, H2 = HumanMessage("one", id="h1"), HumanMessage("two", id="h2")
HISTORIES: dict[str, tuple[list[AnyMessage], list[Any]]] = {
    "unanswered": ([H1, ai("c1"), H2], ["one", ["c1"], "c1", "two"]),
    "answered": ([H1, ai("c1"), tool("c1"), H2], ["one", ["c1"], "c1", "two"]),
    "one of two": ([H1, ai("c1", "c2"), tool("c2"), H2], ["one", ["c1", "c2"], "c1", "c2", "two"]),
    "answered too late": ([H1, ai("c1"), H2, tool("c1")], ["one", ["c1"], "c1", "two"]),
    "an orphan": ([tool("c0"), H1], ["one"]),
    "an answer twice": ([H1, ai("c1"), tool("c1", "a"), tool("c1", "b")], ["one", ["c1"], "c1"]),
    "the id again": (
        [H1, ai("c1"), tool("c1"), H2, ai("c1"), H1],
        ["one", ["c1"], "c1", "two", ["c1"], "c1", "one"],
    ),
    "an answer of another message": ([H1, ai("c1"), ai("c2"), tool("c1")], ["one", ["c1"], "c1", ["c2"], "c2"]),
    "an empty message": ([H1, AIMessage(""), H2], ["one", "two"]),
    "a cut call": ([H1, broken('{"topic"'), H2], ["one", ["c1"], "c1", "two"]),
    "a system message": ([SystemMessage("be"), H1], ["be", "one"]),
}  # fmt: skip


@pytest.mark.parametrize(("messages", "expected"), HISTORIES.values(), ids=HISTORIES)
def test_every_call_is_answered_right_after_its_message(
    messages: list[AnyMessage], expected: list[Any]
) -> None:
    """And nothing else is: no orphan, no double, no empty message."""
    assert shape(prepare_messages(messages, TOOL)) == expected


ANSWERS: dict[str, tuple[AIMessage, str, list[str]]] = {
    "shown": (ai("c1"), "success", ["Shown to the user"]),
    "wrong": (ai("c1", args={**GOOD, "total_minutes": 0}), "error", ["/total_minutes", "greater than 0"]),
    "cut": (broken('{"topic"'), "error", ["cut off", "shorter"]),
    "an ordinary call": (ai("c1", name="search_docs"), "error", ["Not run"]),
}  # fmt: skip


@pytest.mark.parametrize(("message", "status", "words"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_says_what_became_of_the_call(
    message: AIMessage, status: str, words: list[str]
) -> None:
    """The model reads whether its plan was shown, and if not, why."""
    answer = prepare_messages([H1, message, H2], TOOL)[2]
    assert isinstance(answer, ToolMessage)
    assert answer.status == status
    assert all(word in answer.text for word in words)


def test_broken_argument_text_is_sent_inside_an_object() -> None:
    """Providers want an object; the model's own text is not lost."""
    (_, sent, *_) = prepare_messages([H1, broken('{"topic": "S'), H2], TOOL)
    assert isinstance(sent, AIMessage)
    assert sent.tool_calls[0]["args"] == {"raw_arguments": '{"topic": "S'}
    assert sent.invalid_tool_calls == []


def test_pieces_of_calls_leave_the_content() -> None:
    """`input_json_delta` and half blocks are refused by their own provider."""
    content = [
        {"type": "text", "text": "Here"},
        {"type": "tool_use", "id": "c1", "name": TOOL.name, "input": '{"top'},
        {"type": "input_json_delta", "partial_json": "{", "index": 1},
    ]
    (_, sent, _) = prepare_messages([H1, ai("c1", content=content)], TOOL)
    assert sent.content == [{"type": "text", "text": "Here"}]


def test_an_untouched_message_is_the_same_object() -> None:
    """Signatures, reasoning and metadata go out as they came in."""
    message = ai(
        "c1", additional_kwargs={"__gemini_function_call_thought_signatures__": {"c1": "s"}}
    )
    assert prepare_messages([H1, message], TOOL)[1] is message


def test_calls_without_an_id_get_one() -> None:
    """Two calls without ids are answered apart."""
    message = ai("", "", id="a1")
    ids = shape(prepare_messages([H1, message], TOOL))
    assert ids == ["one", ["a1-call-0", "a1-call-1"], "a1-call-0", "a1-call-1"]


histories = st.lists(
    st.one_of(
        st.sampled_from([H1, H2, SystemMessage("be", id="s"), AIMessage("text", id="x"), AIMessage("")]),
        st.lists(st.sampled_from(["c1", "c2", "c3"]), min_size=1, max_size=3, unique=True).map(
            lambda ids: ai(*ids, id="a" + "".join(ids))
        ),
        st.sampled_from(["c1", "c2", "c3"]).map(tool),
        st.just(broken("{")),
    ),
    max_size=8,
)  # fmt: skip


@given(histories, st.integers(0, 8))
def test_any_history_trimmed_anywhere_is_valid_and_stays_so(
    messages: list[AnyMessage], keep_last: int
) -> None:
    """Pairing holds for whatever is left; doing it twice adds nothing; the input is untouched."""
    messages = messages[-keep_last:]
    before = [one.model_dump() for one in messages]
    prepared = prepare_messages(messages, TOOL)
    waiting: list[str] = []
    for one in prepared:
        if isinstance(one, ToolMessage):
            assert waiting.pop(0) == one.tool_call_id
        else:
            assert waiting == []
            waiting = [str(call["id"]) for call in getattr(one, "tool_calls", [])]
    assert waiting == []
    assert prepare_messages(prepared, TOOL) == prepared
    assert [one.model_dump() for one in messages] == before

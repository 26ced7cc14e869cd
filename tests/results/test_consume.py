from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, ToolMessage
from langgraph_sdk.schema import StreamPart
from pydantic import BaseModel, TypeAdapter

from rendercall.results import Failed, ToolFailed, tool_result
from rendercall.results.tool_events import end_event
from tests.results.lessons import STRUCTURED, Lesson, inspect_lesson


def message(lesson_id: str = "ok") -> ToolMessage:
    args = {"lesson_id": lesson_id}
    return inspect_lesson.invoke(
        {"type": "tool_call", "name": "inspect_lesson", "id": "c1", "args": args}
    )  # type: ignore[no-any-return]


def event(lesson_id: str = "ok") -> dict[str, Any]:
    return end_event(message(lesson_id), "Inspect", 0.1)


SHAPES: dict[str, Any] = {
    "message": message(),
    "json": json.loads(message().model_dump_json()),
    "messages mode": (message(), {"langgraph_node": "tools"}),
    "event": event(),
    "custom mode": ("custom", event()),
    "subgraph": (("tools:1",), "custom", event()),
    "sdk part": StreamPart("custom", event()),
    "v3": {"method": "custom", "params": {"namespace": [], "data": event()}},
    "v3 with a payload": {"method": "custom", "params": {"data": {"payload": event()}}},
}


@pytest.mark.parametrize("source", SHAPES.values(), ids=SHAPES)
def test_every_shape_gives_the_same(source: Any) -> None:
    """Checked, typed, with the call that it is of."""
    read = tool_result(source, Lesson)
    assert read.require() == Lesson(title="Frames", minutes=30)
    assert (read.tool, read.call_id, read.usage) == ("inspect_lesson", "c1", {"rows": 1})
    assert read.summary is not None
    assert read.summary.title["zh"] in {"检查课程", "Inspect"}


class Longer(BaseModel):
    title: str
    pages: int


@pytest.mark.parametrize("source", [message(), event()], ids=["message", "event"])
def test_it_is_checked_again_where_it_is_used(source: Any) -> None:
    """By what this program needs, or after somebody changed the store."""
    read = tool_result(source, Longer)
    assert read.value is None
    assert read.error is not None
    assert read.error.code == "OUTPUT_INVALID"
    assert [(one.layer, one.pointer) for one in read.error.issues] == [("output", "/pages")]
    with pytest.raises(ToolFailed, match="pages"):
        read.require()
    assert tool_result(source, TypeAdapter(dict[str, Any])).require()["marker"] == STRUCTURED


def test_the_error_state_comes_first() -> None:
    """Whatever else the message or the event holds."""
    good = message()
    for source in (
        good.model_copy(update={"status": "error"}),
        {**event(), "is_error": True},
        {**event("missing"), "is_error": False},
        good.model_copy(update={"artifact": {**good.artifact, "outcome": "nobody knows"}}),
    ):
        read = tool_result(source, Lesson)
        assert isinstance(read.outcome, Failed)
        assert read.value is None


def test_a_message_of_an_ordinary_tool_has_no_result() -> None:
    """It is not guessed from the text or from a foreign artifact."""
    foreign = ToolMessage("{}", tool_call_id="c1", artifact={"title": "Frames", "minutes": 30})
    error = tool_result(foreign, Lesson).error
    assert error is not None
    assert error.code == "OUTPUT_INVALID"


@pytest.mark.parametrize("source", [AIMessage("x"), "text", None, {}, [], ("custom", 5)], ids=str)
def test_anything_else_is_refused(source: Any) -> None:
    """A mistake of the program, told as one."""
    with pytest.raises(TypeError, match="ToolMessage"):
        tool_result(source, Lesson)


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key in value if isinstance(value, dict) else range(len(value)):
        yield (*above, key)
        if isinstance(value[key], dict | list):
            yield from places(value[key], (*above, key))


WHOLE = [
    json.loads(message(one).model_dump_json()) for one in ("ok", "empty", "truncated", "wrong")
] + [event(one) for one in ("ok", "empty", "truncated", "wrong")]
JUNK = st.sampled_from([None, 1, -0.5, True, "x", [], {}, [1], {"a": 1}])


@given(st.sampled_from(WHOLE), st.data())
def test_what_a_store_or_a_server_has_spoilt_is_read_or_refused(whole: Any, data: Any) -> None:
    """With anything in the place of anything, the reader never breaks."""
    source = copy.deepcopy(whole)
    for _ in range(data.draw(st.integers(1, 2))):
        *above, key = data.draw(st.sampled_from(sorted(places(source), key=str)))
        held = source
        for one in above:
            held = held[one]
        held[key] = copy.deepcopy(data.draw(JUNK))  # else the next one may change it
    try:
        read = tool_result(source, Lesson)
    except TypeError as error:
        assert "tool_result reads" in str(error)  # noqa: PT017 - it is the only one that may be
    else:
        assert read.value is None or read.error is None


def test_a_result_that_a_hook_dropped_is_not_required() -> None:
    """The call went well, and there is no value."""
    good = message()
    read = tool_result(
        good.model_copy(
            update={"artifact": {**good.artifact, "structured": None, "structured_dropped": True}}
        ),
        Lesson,
    )
    assert (read.outcome.name, read.value, read.error) == ("ok", None, None)
    with pytest.raises(ToolFailed, match="hook"):
        read.require()

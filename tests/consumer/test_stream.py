from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage

from rendercall import RenderStream, RenderTool, last_render
from rendercall.consumer.deltas import apply
from schemas.learning_plan import LearningPlan
from tests.consumer.wires import WIRES, Calls

NAME = "render_learning_plan"
GOOD: dict[str, Any] = {
    "topic": "SQL 窗口 🚀",
    "level": "intermediate",
    "objectives": ["x", 'say "hi"\\'],
    "lessons": [{"title": "a", "duration_minutes": 30}, {"title": "b", "duration_minutes": 120}],
    "total_minutes": 150,
}
TEXT = json.dumps(GOOD)
SEARCH = ("search_docs", "call_s", '{"query": "rank"}')
PLAN = (NAME, "call_r", TEXT)

Wire = Callable[[Calls, int], Iterator[Any]]
EACH_WIRE = pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)


@EACH_WIRE
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_every_wire_gives_the_same_result(
    wire: Wire, size: int, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Value, id and deltas, whatever speaks and however it is cut."""
    stream = RenderStream(plan_tool)
    document: Any = None
    for event in wire([SEARCH, PLAN], size):
        update = stream.feed(event)
        if update is not None:
            assert (update.call_id, update.name) == ("call_r", NAME)
            document = apply(document, update.deltas)
    assert document == GOOD
    shown = stream.finish()
    assert shown.require() == LearningPlan.model_validate(GOOD)
    assert shown.call_id == "call_r"
    assert shown.warnings == ()
    assert [call.name for call in stream.calls] == ["search_docs", NAME]


@EACH_WIRE
def test_every_cut_is_truncated_and_shows_nothing_false(
    wire: Wire, plan_tool: RenderTool[LearningPlan]
) -> None:
    """At every prefix: numbers and the level only whole, and no value at the end."""
    for at in range(len(TEXT)):
        stream = RenderStream(plan_tool)
        for event in wire([(NAME, "call_r", TEXT[:at])], 5):
            update = stream.feed(event)
            if update is not None and update.has("level"):
                assert update.partial.level == "intermediate"
        shown = stream.finish()
        assert shown.status in ({"invalid", "failed"} if at == 0 else {"truncated"})
        assert shown.value is None


def test_finish_equals_last_render_of_the_stored_message(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """The stream's verdict is the store's."""
    stream = RenderStream(plan_tool)
    merged: Any = None
    for chunk in WIRES["chunks"]([PLAN], 9):
        stream.feed(chunk)
        merged = chunk if merged is None else merged + chunk
    stored = AIMessage("", id="m", tool_calls=merged.tool_calls)
    one, other = stream.finish(), last_render([HumanMessage("x"), stored], plan_tool)
    assert (one.status, one.value, one.call_id, one.message_id) == (
        other.status, other.value, other.call_id, other.message_id,
    )  # fmt: skip


def test_raw_text_may_be_fed(plan_tool: RenderTool[LearningPlan]) -> None:
    """Without events, and without asking for a finish reason."""
    stream = RenderStream(plan_tool)
    update = stream.feed_text('{"topic":"SQL win')
    assert update is not None
    assert update.partial.topic == "SQL win"
    assert update.status(("topic",)) == "open"
    assert update.open_paths == ((), ("topic",))
    assert stream.feed_text("") is None
    stream.feed_text('dows"' + TEXT[TEXT.index(', "level"') :])
    shown = stream.finish()
    assert shown.require().topic == "SQL windows"
    assert shown.warnings == ()


@pytest.mark.parametrize(
    "text",
    [TEXT + TEXT, TEXT + "{}", "{}" + TEXT, "null" + TEXT, TEXT + "\n", TEXT],
    ids=["twice", "empty after", "empty before", "null before", "space after", "once"],
)
def test_raw_text_is_read_as_it_is(text: str, plan_tool: RenderTool[LearningPlan]) -> None:
    """However it is cut, the verdict is that of the whole text: no transport wrote it."""
    whole = plan_tool.validate(text)
    for size in (1, 2, 3, 5, len(TEXT), len(text)):
        stream = RenderStream(plan_tool)
        for at in range(0, len(text), size):
            stream.feed_text(text[at : at + size])
        shown = stream.finish()
        assert (shown.status == "ok") == (whole.state == "complete")
        assert [issue.code for issue in shown.errors] == [issue.code for issue in whole.issues]


def test_definite_errors_are_known_early_and_not_shown(plan_tool: RenderTool[LearningPlan]) -> None:
    """As soon as the leaf closes, as a JSON Pointer; the partial is still given."""
    stream = RenderStream(plan_tool)
    update = stream.feed_text('{"level":"easy"')
    assert update is not None
    assert [issue.pointer for issue in update.errors] == ["/level"]
    assert not update.has("level")


def test_a_document_goes_with_its_stream(plan_tool: RenderTool[LearningPlan]) -> None:
    """Nothing is left for the collector of cycles, which a server would pay for."""

    def read() -> None:
        stream = RenderStream(plan_tool)
        for at in range(0, len(TEXT), 4):
            update = stream.feed_text(TEXT[at : at + 4])
            if update is not None:
                repr(update.partial)
        assert stream.finish().status == "ok"

    read()  # the tool's plan is made once
    gc.collect()
    gc.disable()
    try:
        read()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_a_stream_without_a_finish_reason_says_so(plan_tool: RenderTool[LearningPlan]) -> None:
    """A whole object is usable; that the end was not signalled is a warning."""
    stream = RenderStream(plan_tool)
    for event in list(WIRES["OpenAI chat"]([PLAN], 9))[:-2]:
        stream.feed(event)
    shown = stream.finish()
    assert shown.status == "ok"
    assert [notice.code for notice in shown.warnings] == ["no_finish_reason"]


def message(chunk_id: str, args: str, name: str | None = NAME, **fields: Any) -> AIMessageChunk:
    piece = {"name": name, "args": args, "id": name and f"call-{chunk_id}", "index": 0}
    return AIMessageChunk("", id=chunk_id, tool_call_chunks=[piece], **fields)  # type: ignore[list-item]


def test_a_new_message_supersedes_what_was_half_there(plan_tool: RenderTool[LearningPlan]) -> None:
    """After a reconnect or a repair the call comes again, under a new message id."""
    stream = RenderStream(plan_tool)
    stream.feed(message("a", '{"topic":"Old'))
    update = stream.feed(message("b", '{"topic":"New'))
    assert update is not None
    assert update.value == {"topic": "New"}
    stream.feed(message("b", TEXT.removeprefix('{"topic": "SQL 窗口 🚀'), name=None))
    assert stream.finish().message_id == "b"


def test_a_message_without_calls_leaves_nothing_to_the_next_one(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """Its end was its own."""
    stream = RenderStream(plan_tool)
    ended = {"finish_reason": "MALFORMED_FUNCTION_CALL"}
    stream.feed(AIMessageChunk("", id="a", response_metadata=ended))
    stream.feed(message("b", TEXT))
    stream.feed(AIMessageChunk("", id="b", response_metadata={"finish_reason": "STOP"}))
    shown = stream.finish()
    assert (shown.status, shown.message_id, shown.finish_reason) == ("ok", "b", "STOP")


def test_late_pieces_of_a_superseded_message_are_dropped(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """A run that was broken off may still speak while the next one does."""
    stream = RenderStream(plan_tool)
    stream.feed(message("a", TEXT[:20]))
    stream.feed(message("b", TEXT[:20]))
    assert stream.feed(message("a", TEXT[20:40], name=None)) is None
    stream.feed(message("b", TEXT[20:], name=None))
    assert stream.finish().message_id == "b"
    assert stream.finish().status == "ok"


def test_a_run_that_begins_anew_supersedes_what_was_half_there(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """The server says it by a second `metadata` event, whatever the ids are."""
    stream = RenderStream(plan_tool)
    for end in (40, len(TEXT)):
        stream.feed({"event": "metadata", "data": {"run_id": "r"}})
        for part in WIRES["SDK parts"]([(NAME, "call_r", TEXT[:end])], 9):
            stream.feed(part)
    assert stream.finish().require() == LearningPlan.model_validate(GOOD)
    assert len(stream.calls) == 1


def test_a_run_that_is_over_takes_nothing_back(plan_tool: RenderTool[LearningPlan]) -> None:
    """A thread's stream tells the end of each of its runs by a `metadata` event, too."""
    stream = RenderStream(plan_tool)
    stream.feed({"event": "metadata", "data": {"run_id": "r", "attempt": 1}})
    for part in WIRES["SDK parts"]([PLAN], 9):
        stream.feed(part)
    stream.feed({"event": "metadata", "data": {"status": "run_done", "run_id": "r"}})
    assert stream.finish().require() == LearningPlan.model_validate(GOOD)


@pytest.mark.parametrize("end", [0, 1, 30, 60, 100, 130, len(TEXT) - 1, len(TEXT)])
@pytest.mark.parametrize("wire", ["chunks", "OpenAI chat"])
def test_a_message_that_comes_again_under_its_own_ids_is_read_anew(
    wire: str, end: int, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Replayed by a server after a reconnect, without a word; nothing false is shown of it."""
    stream = RenderStream(plan_tool)
    replayed = [*WIRES[wire]([(NAME, "call_r", TEXT[:end])], 7)][: -1 if wire == "chunks" else -2]
    document: Any = None
    for event in [*replayed, *WIRES[wire]([PLAN], 7)]:
        update = stream.feed(event)
        if update is not None:
            document = apply(document, update.deltas)
            assert GOOD["topic"].startswith(document.get("topic", ""))
            assert document.get("total_minutes", 150) == 150
    assert document == GOOD
    assert stream.finish().require() == LearningPlan.model_validate(GOOD)
    assert len(stream.calls) == 1


def test_another_call_at_the_place_of_an_open_one_gets_its_own_pieces(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """The fast way ends where another call begins, though nothing is shown of that one."""
    stream = RenderStream(plan_tool)
    stream.feed(message("m", TEXT[:20]))
    stream.feed(message("m", TEXT[20:30], name=None))
    stream.feed(message("m", TEXT[30:40], name=None))
    other = {"name": "search_docs", "args": "", "id": "call_s", "index": 0}
    stream.feed(AIMessageChunk("", id="m", tool_call_chunks=[other]))  # type: ignore[list-item]
    assert stream.feed(message("m", '{"query"', name=None)) is None
    assert [call.text for call in stream.calls] == [TEXT[:40], '{"query"']


@pytest.mark.parametrize("repeats", [False, True], ids=["a name once", "a name with every piece"])
def test_a_message_id_that_changes_with_every_chunk_is_none(
    repeats: bool, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Such a server's calls are told apart by the calls' own marks, parallel ones too."""
    wire = WIRES["OpenAI chat, repeating" if repeats else "OpenAI chat"]
    stream = RenderStream(plan_tool)
    for number, event in enumerate(wire([PLAN, SEARCH], 9)):
        stream.feed({**event, "id": f"chatcmpl-{number}"})
    assert stream.finish().require() == LearningPlan.model_validate(GOOD)
    assert [call.name for call in stream.calls] == [NAME, "search_docs"]


def test_a_snapshot_that_could_not_be_parsed_is_passed_over(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """The next one that could be goes on from the last that was."""
    snapshots: list[dict[str, Any]] = [
        {"invalid_tool_calls": [{"name": NAME, "args": "", "id": "c"}]},
        {"tool_calls": [{"name": NAME, "args": {"topic": "S"}, "id": "c"}]},
        {"invalid_tool_calls": [{"name": NAME, "args": '{"topic": "SQL\\', "id": "c"}]},
        {"tool_calls": [{"name": NAME, "args": None, "id": "c"}]},
        {"tool_calls": [{"name": NAME, "args": {"topic": "SQL", "level": "be"}, "id": "c"}]},
    ]
    stream = RenderStream(plan_tool)
    shown = [
        update and update.value["topic"]
        for one in snapshots
        for update in [
            stream.feed({"event": "messages/partial", "data": [{"type": "ai", "id": "m", **one}]})
        ]
    ]
    assert shown == [None, "S", None, None, "SQL"]


def test_an_id_that_changes_in_mid_message_is_no_new_message(
    plan_tool: RenderTool[LearningPlan],
) -> None:
    """Some clients give the first or the last chunk another id."""
    stream = RenderStream(plan_tool)
    stream.feed(AIMessageChunk("", id="resp_1"))
    stream.feed(message("lc_run", TEXT[:50]))
    stream.feed(message("lc_run-2", TEXT[50:], name=None))
    stream.feed(AIMessageChunk("", id="resp_1", response_metadata={"finish_reason": "stop"}))
    assert stream.finish().status == "ok"


def test_state_is_the_truth(plan_tool: RenderTool[LearningPlan]) -> None:
    """What the values say wins over what was streamed."""
    stream = RenderStream(plan_tool)
    stream.feed(message("a", '{"topic":"Half'))
    human = {"type": "human", "content": "x"}
    stored = AIMessage("", tool_calls=[{"name": NAME, "args": GOOD, "id": "c"}])
    stream.feed(("values", {"messages": [human, stored]}))
    assert stream.finish().require().topic == GOOD["topic"]
    stream.feed(("values", {"__interrupt__": []}))
    assert stream.finish().status == "ok"


def test_only_the_named_graph_counts(plan_tool: RenderTool[LearningPlan]) -> None:
    """By default the root; a subgraph by its namespace, or by the name of its node."""
    parts = [((f"child:{n}",), "messages", (message(f"m{n}", TEXT), {})) for n in (2, 1)]
    found = {}
    for namespace in [(), ("child:2",), ("child",), ("other",), ("child", "child")]:
        stream = RenderStream(plan_tool, namespace=namespace)
        for part in parts:
            stream.feed(part)
        found[namespace] = stream.finish().message_id
    assert found == {
        (): None, ("child:2",): "m2", ("child",): "m1", ("other",): None, ("child", "child"): None,
    }  # fmt: skip


def test_a_cancelled_run_is_aborted(plan_tool: RenderTool[LearningPlan]) -> None:
    """What had arrived is no result."""
    stream = RenderStream(plan_tool)
    stream.feed(message("a", TEXT[:40]))
    stream.feed({"event": "cancelled", "data": {}})
    assert stream.finish().status == "aborted"


def test_several_tools(plan_tool: RenderTool[LearningPlan]) -> None:
    """The result and the updates say which tool was called."""
    quiz = RenderTool.from_json_schema("render_quiz", "", {"type": "object"})
    stream = RenderStream([plan_tool, quiz])
    names = {
        one.name
        for event in WIRES["chunks"]([("render_quiz", "c", '{"q": 1}')], 3)
        if (one := stream.feed(event))
    }
    assert names == {"render_quiz"}
    assert stream.finish().tool is quiz


@pytest.mark.parametrize("event", [None, 42, "text", {}, [], (1, 2), {"event": "metadata", "data": {}}, {"method": "updates"}, ("updates", {})], ids=repr)  # fmt: skip
def test_events_that_say_nothing_are_passed_over(
    event: Any, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Any stream may be fed whole."""
    stream = RenderStream(plan_tool)
    assert stream.feed(event) is None
    assert stream.finish().status in {"absent", "failed"}


def test_a_refusal_in_pieces(plan_tool: RenderTool[LearningPlan]) -> None:
    """It keeps its text."""
    stream = RenderStream(plan_tool)
    for piece in ("I can't ", "do that."):
        stream.feed({"type": "response.refusal.delta", "delta": piece})
    shown = stream.finish()
    assert (shown.status, shown.refusal) == ("refused", "I can't do that.")


def test_an_update_shows_itself(plan_tool: RenderTool[LearningPlan]) -> None:
    """In a notebook one sees what is there and what is open; a snapshot stays."""
    stream = RenderStream(plan_tool)
    update = stream.feed_text('{"topic":"SQ')
    assert update is not None
    frozen = update.snapshot()
    assert repr(update) == "<Update of render_learning_plan: LearningPlan(topic='SQ'…, …)>"
    stream.feed_text("L")
    assert frozen.topic == "SQ"

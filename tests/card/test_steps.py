from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall.card.steps import MAX_STEPS, MAX_TEXT, Step, StepList, Steps
from rendercall.results import Covered, ToolError, ToolResult
from rendercall.results.tool_events import end_event, start_event, waiting_event
from rendercall.results.tool_message import message_of
from rendercall.results.words import taking_turns

LABEL: Any = {"en": "Search the logs", "zh": "搜索日志"}
SECRET = "sk-secret-and-query-4711"


def event(
    kind: str, call_id: str = "a", status: str = "running", detail: str = "", **more: Any
) -> dict[str, Any]:
    """An event in the shape that the docstring of `tool_events` gives."""
    summary = {
        "status": status,
        "title": {"en": "Search", "zh": "搜索"},
        "detail": {"en": detail, "zh": detail and "中"},
    }
    head = {"type": "tool_event", "event": kind, "tool_call_id": call_id, "name": "search"}
    return {**head, "summary": summary, **more}


def end(call_id: str = "a", status: str = "success", detail: str = "", ms: Any = 12) -> Any:
    return event("end", call_id, status, detail, duration_ms=ms, outcome="ok", result=None)


RUNNING = event("start")
FOLDED: dict[str, tuple[list[Any], list[tuple[str, str, str, float | None]]]] = {
    "runs": ([RUNNING], [("a", "running", "", None)]),
    "moves": ([RUNNING, event("progress", detail="3 of 9")], [("a", "running", "3 of 9", None)]),
    "waits": ([event("waiting", status="waiting", detail="w")], [("a", "waiting", "w", None)]),
    "waits, then runs": ([event("waiting", status="waiting"), RUNNING], [("a", "running", "", None)]),
    "ends": ([RUNNING, end(detail="1 of 2")], [("a", "success", "1 of 2", 0.012)]),
    "fails": ([RUNNING, end(status="error")], [("a", "error", "", 0.012)]),
    "its end alone": ([end()], [("a", "success", "", 0.012)]),
    "ends twice": ([RUNNING, end(), end(status="error", ms=20)], [("a", "error", "", 0.02)]),
    "moves too late": ([RUNNING, end(), event("progress")], [("a", "success", "", 0.012)]),
    "two at once": (
        [RUNNING, event("start", "b"), end("b"), end()],
        [("a", "success", "", 0.012), ("b", "success", "", 0.012)],
    ),
    "an id again": ([RUNNING, end(), RUNNING], [("a", "success", "", 0.012), ("a", "running", "", None)]),
    "no duration": ([end(ms=True)], [("a", "success", "", None)]),
    "a strange duration": ([end(ms=-1)], [("a", "success", "", None)]),
}  # fmt: skip


@pytest.mark.parametrize(("events", "steps"), FOLDED.values(), ids=FOLDED)
def test_events_become_steps(
    events: list[Any], steps: list[tuple[str, str, str, float | None]]
) -> None:
    """One step a call, in the order in which they began, as the latest event tells of it."""
    folded = StepList("en")
    for one in events:
        folded.take(one)
    shown = folded.shown().steps
    assert [(one.call_id, one.status, one.detail, one.seconds) for one in shown] == steps
    assert {one.title for one in shown} == {"Search"}


STRANGE: dict[str, Any] = {
    "a frame": {"type": "render_frame", "seq": 0, "frame": None},
    "None": None,
    "a text": "tool_event",
    "another type": {**RUNNING, "type": "mine"},
    "another kind": {**RUNNING, "event": "began"},
    "a kind that is none": {**RUNNING, "event": ["start"]},
    "no id": {**RUNNING, "tool_call_id": None},
    "no summary": {**RUNNING, "summary": "running"},
    "another status": event("start", status="stopped"),
    "one title": {**RUNNING, "summary": {**RUNNING["summary"], "title": "Search"}},
    "no title": {**RUNNING, "summary": {**RUNNING["summary"], "title": {"en": ""}}},
}


@pytest.mark.parametrize("part", STRANGE.values(), ids=STRANGE)
def test_what_is_no_event(part: Any) -> None:
    """The stream carries other things too; they are passed over."""
    steps = StepList("en")
    assert steps.take(part) is None
    assert steps.shown() == Steps()


@pytest.mark.parametrize("was_cut", [True, False])
def test_nothing_runs_in_the_end(was_cut: bool) -> None:
    """After the run no step runs; one may wait for an answer, unless the run was cut off."""
    steps = StepList("en")
    for one in [event("start", "a"), end("b"), event("waiting", "c", "waiting", "for an answer")]:
        steps.take(one)
    steps.end(was_cut=was_cut)
    assert [one.status for one in steps.shown().steps] == [
        "stopped", "success", "stopped" if was_cut else "waiting",
    ]  # fmt: skip


def test_bounds() -> None:
    """However long a run, so many steps are kept; however long a title, so much of it."""
    steps = StepList("en")
    for number in range(MAX_STEPS + 5):
        steps.take(end(f"call-{number}", detail="x" * 9_999))
    shown = steps.shown()
    assert (len(shown.steps), shown.earlier) == (MAX_STEPS, 5)
    assert shown.steps[-1].call_id == f"call-{MAX_STEPS + 4}"
    assert {len(one.detail) for one in shown.steps} == {MAX_TEXT}
    assert (len(steps.shown(3).steps), steps.shown(3).earlier) == (3, MAX_STEPS + 2)
    assert len(steps._latest) == MAX_STEPS


def told(result: ToolResult) -> Any:
    return end_event(message_of(result, name="search", call_id="a", label=LABEL), LABEL, 1.25)


PART: Any = {"next": {"cursor": SECRET}, "covered": Covered(1, 20), "total": 503}
EVENTS: dict[str, tuple[Any, str, str]] = {
    "start": (start_event("a", "search", LABEL), "● Running · Search the logs", "● 运行中 · 搜索日志"),
    "waiting": (
        waiting_event("a", "search", LABEL, taking_turns),
        "○ Waiting · Search the logs · Waiting for another call to end",
        "○ 等待中 · 搜索日志 · 正在等待另一个调用结束",
    ),
    "ok": (told(ToolResult(SECRET)), "✓ Done · Search the logs · 1.2 s", "✓ 完成 · 搜索日志 · 1.2 秒"),
    "truncated": (
        told(ToolResult.truncated(SECRET, reason="max_items", **PART)),
        "✓ Done · Search the logs · 1\u201320 of 503 · 1.2 s",
        "✓ 完成 · 搜索日志 · 第 1\u201320 条，共 503 条 · 1.2 秒",  # noqa: RUF001 - Chinese punctuation
    ),
    "failed": (
        told(ToolResult.failed(ToolError("NOT_FOUND", SECRET))),
        "✗ Failed · Search the logs · Not found · 1.2 s",
        "✗ 失败 · 搜索日志 · 不存在 · 1.2 秒",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("part", "en", "zh"), EVENTS.values(), ids=EVENTS)
def test_the_events_that_tools_write(part: Any, en: str, zh: str) -> None:
    """Each of `tool_events` is read, in both languages, and nothing of it but the summary."""
    for language, line in (("en", en), ("zh", zh)):
        steps = StepList(language)  # type: ignore[arg-type]  # a table of tests has strings
        step = steps.take({**part, "args": SECRET, "result": {"structured": SECRET}})
        assert step is not None
        assert step.line(language) == line  # type: ignore[arg-type]
        assert SECRET not in repr(step)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from([*RUNNING, "en"]), inner)
    ),
    max_leaves=6,
)


@given(st.sampled_from([*RUNNING, "duration_ms"]), JSON)
def test_anything_may_stand_in_an_event(key: str, value: Any) -> None:
    """What others write in the stream never stops the one who watches."""
    steps = StepList("zh")
    step = steps.take({**end(), key: value})
    assert step is None or isinstance(step, Step)

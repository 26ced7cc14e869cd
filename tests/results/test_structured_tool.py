from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from pydantic import BaseModel

from rendercall.errors import Issue, SchemaRefused, ToolDefinitionError
from rendercall.results import (
    Covered,
    Failed,
    Ok,
    Redactor,
    Replacement,
    ResultTool,
    ToolError,
    ToolFailed,
    ToolResult,
    report_progress,
    structured_tool,
    tool_result,
)
from tests.results.lessons import DETAILS, PASSWORD, STRUCTURED, Lesson, inspect_lesson


def call(tool: Any, **args: Any) -> ToolMessage:
    return tool.invoke({"type": "tool_call", "name": tool.name, "id": "c1", "args": args})


async def acall(tool: Any, **args: Any) -> ToolMessage:
    return await tool.ainvoke({"type": "tool_call", "name": tool.name, "id": "c1", "args": args})


OUTCOMES = {
    # id: outcome, status, code, a part of the text
    "ok": ("ok", "success", None, "Frames, 30 minutes."),
    "empty": ("empty", "success", None, "[empty: the search was complete, and nothing was found in 3 lessons]"),
    "truncated": ("truncated", "success", None, "records 1-50 of 120. For more, call again with the same arguments and cursor='c-2'"),
    "missing": ("failed", "error", "NOT_FOUND", "NOT_FOUND: No lesson has this id."),
    "wrong": ("failed", "error", "OUTPUT_INVALID", "- output /minutes: Input should be a valid integer"),
    "none": ("failed", "error", "OUTPUT_INVALID", "- output (whole): a success must have a structured result"),
    "error": ("failed", "error", "INTERNAL", "No luck."),
    "raises": ("failed", "error", "INTERNAL", "INTERNAL: The tool failed."),
}  # fmt: skip


@pytest.mark.parametrize("lesson_id", OUTCOMES)
async def test_each_outcome_in_type_text_and_artifact(lesson_id: str) -> None:
    """Sync and async the same, and the model's text holds nothing of the other channel."""
    outcome, status, code, text = OUTCOMES[lesson_id]
    for message in (
        call(inspect_lesson, lesson_id=lesson_id),
        await acall(inspect_lesson, lesson_id=lesson_id),
    ):
        assert (message.status, message.tool_call_id, message.name) == (
            status,
            "c1",
            "inspect_lesson",
        )
        assert message.artifact["outcome"] == outcome
        assert (message.artifact.get("error") or {}).get("code") == code
        assert text in message.text
        assert STRUCTURED not in message.text
        assert DETAILS not in message.text
        shown = tool_result(message, Lesson)
        assert shown.outcome.name == outcome
        assert (shown.value is None) == (outcome == "failed")
        summary = message.artifact["summary"]
        assert summary["status"] == ("error" if outcome == "failed" else "success")
        assert summary["title"] == {"en": "Inspect lesson", "zh": "检查课程"}
        assert (summary["detail"]["zh"] == "") == (outcome == "ok")


def test_an_error_may_carry_diagnostics_that_break_the_success_schema() -> None:
    """They reach programs, and are not checked against it."""
    message = call(inspect_lesson, lesson_id="error")
    assert message.artifact["structured"] == {"any": STRUCTURED}
    assert tool_result(message, Lesson).details == {"marker": DETAILS}


def test_an_exception_says_nothing_of_its_text(caplog: pytest.LogCaptureFixture) -> None:
    """Not to the model, not in the artifact, not in the log; a reference joins the two."""
    with caplog.at_level(logging.DEBUG):
        message = call(inspect_lesson, lesson_id="raises")
    everything = (
        message.model_dump_json() + caplog.text + repr([vars(one) for one in caplog.records])
    )
    assert "pw-of-the-database" in PASSWORD
    assert "pw-of-the-database" not in everything
    assert message.artifact["error"]["reference"] in caplog.text
    assert "RuntimeError" in caplog.text


def test_wrong_arguments_are_a_failure_with_layer_and_place() -> None:
    """No value is quoted, and nothing is raised."""
    message = call(inspect_lesson, lesson_id=["sk-value"])
    assert message.status == "error"
    assert "INVALID_ARGUMENT" in message.text
    assert "value /lesson_id: Input should be a valid string" in message.text
    assert "sk-value" not in message.model_dump_json()


class Filter(BaseModel):
    """What to look for."""

    name: str


def test_the_place_of_a_wrong_argument_is_the_whole_place() -> None:
    """However deep it lies."""

    @structured_tool()
    def look(filters: list[Filter]) -> ToolResult:
        """Look."""
        return ToolResult(str(filters))

    assert "value /filters/1/name:" in call(look, filters=[{"name": "a"}, {"name": 3}]).text


def test_arguments_are_prepared_before_they_are_validated() -> None:
    """What the model may write and what the function takes may differ."""

    @structured_tool(prepare=lambda args: {"count": int(str(args["count"]).strip())})
    def take(count: int) -> ToolResult:
        """Take."""
        return ToolResult(f"took {count}")

    assert call(take, count=" 3 ").text == "took 3"


def test_a_json_schema_is_enforced_too() -> None:
    """For arguments and for results; one that cannot be trusted is refused."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    @structured_tool(output=schema, args_schema=schema)
    def give(n: int) -> ToolResult:
        """Give."""
        return ToolResult("given", {"n": n or "none"})

    assert call(give, n=1).artifact["structured"] == {"n": 1}
    assert "output /n" in call(give, n=0).text
    assert "value /n" in call(give, n="1").text
    with pytest.raises(SchemaRefused):
        structured_tool(description="x", output={"$ref": "https://example.com/schema"})(ToolResult)


def test_what_is_not_a_result_or_not_json_is_an_error() -> None:
    """A tool that keeps no contract is not believed."""

    @structured_tool()
    def give(what: str) -> ToolResult:
        """Give."""
        things: dict[str, Any] = {
            "text": "plain",
            "object": ToolResult("x", {"a": object()}),
            "nan": ToolResult("x", {"a": float("nan")}),
        }
        return things[what]

    assert "ToolResult" in call(give, what="text").text
    assert "JSON" in call(give, what="object").text

    @structured_tool(output={"type": "object"})
    def nan() -> ToolResult:
        """Give."""
        return ToolResult("x", {"a": float("nan")})

    assert "NaN" in call(nan).text


def test_both_channels_are_redacted_before_they_leave() -> None:
    """Text, structured, details, and the words of an outcome."""
    secret = "ghp_" + "a1B2" * 9

    @structured_tool(output={"type": "object"})
    def leak(how: str) -> ToolResult:
        """Leak."""
        if how == "empty":
            return ToolResult.empty({"a": secret}, looked=secret)
        if how == "failed":
            return ToolResult.failed("NOT_FOUND", f"no {secret}", details=[secret])
        blocks = [{"type": "text", "text": f"token {secret}"}]
        return ToolResult(blocks, {"deep": [{"password": "hunter2"}, secret]}, details=secret)

    for how in ("ok", "empty", "failed"):
        assert secret not in call(leak, how=how).model_dump_json()
    assert call(leak, how="ok").artifact["structured"]["deep"] == [
        {"password": "[REDACTED:key]"},
        "[REDACTED:github]",
    ]


SECRET = "ghp_" + "a1B2" * 9
WORDS: dict[str, Callable[[], ToolResult]] = {
    "usage": lambda: ToolResult(usage={"note": SECRET}),  # type: ignore[dict-item]
    "a nested block": lambda: ToolResult(
        [{"type": "search_result", "title": SECRET, "content": [{"type": "text", "text": SECRET}]}]
    ),
    "the address of an image": lambda: ToolResult(
        [{"type": "image", "url": f"https://host/a.png?access_token={SECRET}"}]
    ),
    "the way on": lambda: ToolResult.truncated(
        "", next={"url": f"https://x/?page=2&access_token={SECRET}"}, covered=Covered(1, 2)
    ),
    "the reason": lambda: ToolResult.truncated(
        "", next={"page": 2}, covered=Covered(1, 2), reason=SECRET
    ),
    "an issue": lambda: ToolResult.failed(
        ToolError("INVALID_ARGUMENT", issues=(Issue(f"/{SECRET}", "value", "x", SECRET),))
    ),
}


def leaky(_: object, _call: object = None) -> Any:
    raise ToolFailed("NOT_FOUND", f"no {SECRET}")


@pytest.mark.parametrize("give", WORDS.values(), ids=WORDS)
def test_no_part_of_a_result_keeps_a_secret(give: Callable[[], ToolResult]) -> None:
    """Wherever a tool may write words."""
    assert SECRET not in call(structured_tool(description="x")(give)).model_dump_json()


def test_what_runs_before_and_after_a_tool_is_redacted_too() -> None:
    """What they raise is a failure as any other; and a wrong name of an argument may be a secret."""

    def give(n: int = 0) -> ToolResult:
        """Give."""
        return ToolResult(str(n))

    for tool in (structured_tool(prepare=leaky)(give), structured_tool(after=leaky)(give)):
        message = call(tool, n=1)
        assert message.artifact["error"]["code"] == "NOT_FOUND"
        assert SECRET not in message.model_dump_json()
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    message = call(structured_tool(args_schema=closed)(give), **{SECRET: 1})
    assert message.artifact["error"]["code"] == "INVALID_ARGUMENT"
    assert SECRET not in message.model_dump_json()


CONTENT: dict[str, tuple[Any, Any]] = {
    "text": ("a", "a"),
    "half a surrogate pair": ("a\udc80b", "a?b"),
    "blocks": ([{"type": "text", "text": "a"}], [{"type": "text", "text": "a"}]),
    "an image": (
        [{"type": "image", "base64": "EAAC" + "IOSF" * 500, "mime_type": "image/png"}],
        [{"type": "image", "base64": "EAAC" + "IOSF" * 500, "mime_type": "image/png"}],
    ),
    "an image as a URL": (
        [{"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBORw0K" * 200}}],
        [{"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBORw0K" * 200}}],
    ),
    "nothing": (None, None),
    "a number": (5, None),
    "a block that is a string": (["a"], None),
    "a block that is no JSON": ([{"type": "text", "text": object()}], None),
}


@pytest.mark.parametrize(("content", "expected"), CONTENT.values(), ids=CONTENT)
def test_content_is_text_or_blocks_that_can_be_stored_and_sent(content: Any, expected: Any) -> None:
    """An image's bytes stay as they are; anything else is the tool's failure, and not the run's."""

    @structured_tool(description="x")
    def give() -> ToolResult:
        return ToolResult(content)

    message = call(give)
    assert message.model_dump_json()
    if expected is None:
        assert message.artifact["error"]["code"] == "OUTPUT_INVALID"
    else:
        assert (message.status, message.content) == ("success", expected)


def test_usage_is_plain_json() -> None:
    """As is all that is stored with the thread."""

    @structured_tool(description="x")
    def give() -> ToolResult:
        return ToolResult("a", usage={"usd": Decimal("0.25")})  # type: ignore[dict-item]

    artifact = call(give).artifact
    assert json.loads(json.dumps(artifact)) == artifact


def test_personal_data_goes_where_a_tool_asks_for_it() -> None:
    """By option, since an address may be the answer."""

    def find() -> ToolResult:
        """Find."""
        return ToolResult("write to ada@example.org")

    assert "ada@" in call(structured_tool()(find)).text
    assert "ada@" not in call(structured_tool(redactor=Redactor(personal=True))(find)).text


HOOKS: dict[str, tuple[Replacement | None, dict[str, Any]]] = {
    "nothing": (None, {"text": "old", "structured": {"n": 1}, "error": False, "details": "d"}),
    "content alone": (Replacement(content="new"), {"text": "new", "structured": None, "error": False, "details": "d"}),
    "both": (Replacement(content="new", structured={"n": 2}), {"text": "new", "structured": {"n": 2}, "error": False, "details": "d"}),
    "structured alone": (Replacement(structured={"n": 2}), {"text": "old", "structured": {"n": 2}, "error": False, "details": "d"}),
    "details": (Replacement(details="e"), {"text": "old", "structured": {"n": 1}, "error": False, "details": "e"}),
    "an error": (Replacement(is_error=True), {"text": "old\n[failed: INTERNAL", "structured": {"n": 1}, "error": True, "details": "d"}),
    "a wrong one": (Replacement(structured={"n": "x"}), {"text": "[failed: OUTPUT_INVALID", "structured": None, "error": True, "details": None}),
}  # fmt: skip


@pytest.mark.parametrize(("replacement", "expected"), HOOKS.values(), ids=HOOKS)
def test_an_after_tool_hook_merges_field_by_field(
    replacement: Replacement | None, expected: dict[str, Any]
) -> None:
    """Text that is replaced alone drops the structured result: they might no longer agree."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    @structured_tool(output=schema, after=lambda _result, _call: replacement)
    def give() -> ToolResult:
        """Give."""
        return ToolResult("old", {"n": 1}, "d")

    message = call(give)
    assert message.text.startswith(expected["text"])
    assert message.artifact.get("structured") == expected["structured"]
    assert message.artifact.get("details") == expected["details"]
    assert (message.status == "error") == expected["error"]
    assert message.artifact.get("structured_dropped", False) == (
        replacement == Replacement(content="new")
    )


def test_a_hook_may_make_a_success_of_an_error() -> None:
    """And the outcome goes with it."""
    result = Replacement(is_error=False, content="fine", structured={}).over(
        ToolResult.failed("TIMEOUT")
    )
    assert result.outcome == Ok()
    assert isinstance(
        Replacement(outcome=Failed(ToolResult.failed("TIMEOUT").outcome.error))
        .over(ToolResult())
        .outcome,
        Failed,
    )  # type: ignore[union-attr]


async def test_an_async_function_is_cancelled_when_its_time_is_up() -> None:
    """It does not go on behind the run's back."""
    cancelled = asyncio.Event()

    @structured_tool(timeout=0.05)
    async def sleep() -> ToolResult:
        """Sleep."""
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return ToolResult("awake")

    message = await acall(sleep)
    assert message.artifact["error"]["code"] == "TIMEOUT"
    assert cancelled.is_set()


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_a_sync_function_is_left_and_told(how: str) -> None:
    """Its next report of progress ends it."""
    go, ended = threading.Event(), threading.Event()

    @structured_tool(timeout=0.05)
    def work() -> ToolResult:
        """Work."""
        go.wait(20)
        try:
            report_progress(1)
        finally:
            ended.set()
        return ToolResult("done")

    message = call(work) if how == "sync" else await acall(work)
    assert message.artifact["error"]["code"] == "TIMEOUT"
    go.set()
    assert ended.wait(20)


async def test_a_cancelled_run_is_no_failed_result() -> None:
    """Whoever stops the run gets the stop, not a message."""
    began = asyncio.Event()

    @structured_tool(timeout=None)
    async def sleep() -> ToolResult:
        """Sleep."""
        began.set()
        await asyncio.sleep(60)
        return ToolResult()

    task = asyncio.create_task(acall(sleep))
    await began.wait()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()


async def test_a_cancelled_run_tells_a_sync_function_too() -> None:
    """Its next report of progress ends it: nobody waits for what it does."""
    began, go, ended = threading.Event(), threading.Event(), threading.Event()

    @structured_tool(timeout=None)
    def work() -> ToolResult:
        """Work."""
        began.set()
        go.wait(20)
        try:
            report_progress(1)
        except ToolFailed:
            ended.set()
            raise
        return ToolResult("done")

    task = asyncio.create_task(acall(work))
    assert await asyncio.to_thread(began.wait, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    assert await asyncio.to_thread(ended.wait, 20)


async def test_functions_that_hang_keep_no_other_waiting() -> None:
    """More of them than an event loop has threads; each ends at its own limit."""
    go = threading.Event()

    @structured_tool(timeout=3.0)
    def hang() -> ToolResult:
        """Hang."""
        go.wait(60)
        return ToolResult()

    @structured_tool()
    def quick() -> ToolResult:
        """Go."""
        return ToolResult("went")

    hanging = [asyncio.create_task(acall(hang)) for _ in range(100)]
    await asyncio.sleep(0)
    assert (await acall(quick)).text == "went"
    assert not any(one.done() for one in hanging)
    codes = {one.artifact["error"]["code"] for one in await asyncio.gather(*hanging)}
    go.set()
    assert codes == {"TIMEOUT"}


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_an_exception_that_no_future_can_hold_is_a_failure(how: str) -> None:
    """A `next` on an empty iterator must not make a call hang."""

    @structured_tool()
    def first() -> ToolResult:
        """Give the first."""
        return next(iter(()))  # type: ignore[no-any-return]

    message = call(first) if how == "sync" else await acall(first)
    assert message.artifact["error"]["code"] == "INTERNAL"


def test_an_async_tool_in_a_sync_run_says_what_to_do() -> None:
    """It cannot run there."""

    @structured_tool()
    async def wait() -> ToolResult:
        """Wait."""
        return ToolResult()

    message = call(wait)
    assert message.artifact["error"]["code"] == "UNSUPPORTED"
    assert "ainvoke" in message.text


def test_it_is_an_ordinary_tool_for_everybody_else() -> None:
    """A `StructuredTool`, with the function's words for the model."""
    assert isinstance(inspect_lesson, ResultTool)
    assert isinstance(inspect_lesson, StructuredTool)
    assert inspect_lesson.description == "Inspect a lesson."
    assert inspect_lesson.args["lesson_id"]["description"] == "the lesson's id."
    assert isinstance(inspect_lesson.invoke({"lesson_id": "ok"}), ToolMessage)


def test_limits_that_mean_nothing_are_refused() -> None:
    """When the tool is made, not when it is called."""
    with pytest.raises(ToolDefinitionError, match="timeout"):
        structured_tool(timeout=0, description="x")(ToolResult)

"""A turn in a terminal: what stands on its screen while the tools run, and after them."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.graph import START, MessagesState, StateGraph
from rich.console import Console

from graphs.incident_report import graph as incident_graph
from graphs.incident_report import report_tool
from rendercall import RenderTool
from rendercall.cli.run import Run, Turn
from rendercall.cli.threads import stored_messages
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from rendercall.results import Covered, ToolFailed, ToolResult, report_progress, structured_tool
from rendercall.terminal import LiveCard
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import GOOD, NAME

pyte = pytest.importorskip("pyte")

QUERY = "my-private-question"
SECRET = "sk-0123456789abcdef0123456789abcdef"
PLAN = Reply(calls=[Call(NAME, GOOD)])
PLAN_TOOL = RenderTool(LearningPlan)
LOOK: Any = {"label": {"en": "Search the logs", "zh": "搜索日志"}, "timeout": None}


class Screen(io.StringIO):
    """A terminal: what is written to it stands on its screen."""

    def __init__(self) -> None:
        super().__init__()
        self.screen = pyte.Screen(92, 48)
        self.screen.set_mode(pyte.modes.LNM)
        self.stream = pyte.Stream(self.screen)

    def write(self, text: str) -> int:
        self.stream.feed(text)
        return super().write(text)

    @property
    def lines(self) -> list[str]:
        """The lines with something on them, each word a space apart."""
        rows = (" ".join(row.strip("│╭╮╰╯─ ").split()) for row in self.screen.display)
        return [row for row in rows if row]


class Gate:
    """A search that moves on when a test lets it."""

    def __init__(self) -> None:
        self.open = asyncio.Event()

        @structured_tool(**LOOK)
        async def search_logs(query: str) -> ToolResult:
            """Search."""
            report_progress(3, 9)
            await self.open.wait()
            part: Any = {"next": {"cursor": SECRET}, "covered": Covered(1, 20), "total": 503}
            return ToolResult.truncated(f"{query} {SECRET}", {"rows": [query]}, **part)

        @structured_tool(**LOOK)
        async def read_log(query: str) -> ToolResult:
            """Read."""
            raise ToolFailed("NOT_FOUND", f"nothing about {query}")

        calls = [Call(name, {"query": QUERY}) for name in ("search_logs", "read_log")]
        model = ScriptedChatModel(script=[Reply(calls=calls), PLAN])
        self.graph = render_graph(model, PLAN_TOOL, tools=[search_logs, read_log])


def run_of(graph: Any, root: Path, tool: RenderTool[Any] = PLAN_TOOL, context: Any = None) -> Run:
    return Run(root=root, graph=graph, tools=[tool], thread_id="t", context=context)


@asynccontextmanager
async def running(run: Run, language: Any) -> AsyncIterator[tuple[Screen, asyncio.Task[Turn]]]:
    """A turn in a terminal, and its task."""
    screen = Screen()
    console = Console(file=screen, width=92, height=48, force_terminal=True, _environ={})
    card = LiveCard(console, run.tools[0].schema, language)
    task = asyncio.create_task(run.turn("go", card))
    try:
        yield screen, task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(seen: Callable[[], bool]) -> None:
    """Wait until a screen shows it; the test's own timeout is the limit."""
    while not seen():  # noqa: ASYNC110 - a screen has no event to wait for
        await asyncio.sleep(0.01)


WORDS: dict[str, list[str]] = {
    "en": [
        "● Running Search the logs · 3 of 9",
        "✗ Failed Search the logs · Not found",
        "✓ Done Search the logs · 1\u201320 of 503",
        "■ Stopped Search the logs",
    ],
    "zh": [
        "● 运行中 搜索日志 · 3/9",
        "✗ 失败 搜索日志 · 不存在",
        "✓ 完成 搜索日志 · 第 1\u201320 条，共 503 条",  # noqa: RUF001 - Chinese punctuation
        "■ 已停止 搜索日志",
    ],
}


def plain(line: str) -> str:
    """A line less the duration at its end, which is the machine's."""
    head, _, unit = line.rpartition(" ")
    return head.rpartition(" ")[0] if unit in {"ms", "s", "毫秒", "秒"} else line


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_tools_are_seen_while_they_run(language: str, tmp_path: Path) -> None:
    """Above the card, each call has its line, which tells how it is, and stays when it is over."""
    progress, failed, done, _ = WORDS[language]
    gate = Gate()
    async with running(run_of(gate.graph, tmp_path), language) as (screen, task):
        await until(lambda: len(screen.lines) > 1 and plain(screen.lines[1]) == failed)
        assert screen.lines[0] == progress
        gate.open.set()
        turn = await task
    assert turn.rendered.status == "ok"
    assert [plain(line) for line in screen.lines[:3]] == [done, failed, GOOD["topic"]]
    told = (QUERY, SECRET, "nothing about")
    assert not [word for word in told if word in screen.getvalue()]


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_run_that_is_stopped(language: str, tmp_path: Path) -> None:
    """After Ctrl-C no call stands there as if it still ran."""
    progress, failed, _, stopped = WORDS[language]
    gate = Gate()
    async with running(run_of(gate.graph, tmp_path), language) as (screen, task):
        await until(lambda: bool(screen.lines) and screen.lines[0] == progress)
        task.cancel()
        turn = await task
    assert turn.rendered.status == "aborted"
    assert [plain(line) for line in screen.lines[:2]] == [stopped, failed]


async def test_tools_of_a_subgraph(tmp_path: Path) -> None:
    """They are the run's too."""
    gate = Gate()
    gate.open.set()
    outer = StateGraph(MessagesState).add_node("plan", gate.graph).add_edge(START, "plan").compile()
    async with running(run_of(outer, tmp_path), "en") as (screen, task):
        assert (await task).rendered.status == "ok"
    assert [plain(line) for line in screen.lines[:2]] == [WORDS["en"][2], WORDS["en"][1]]


def strings(value: Any) -> set[str]:
    """Every text in some arguments."""
    if isinstance(value, dict):
        return set().union(*map(strings, value.values()))
    return {value} if isinstance(value, str) and value else set()


@pytest.mark.parametrize(
    ("language", "line", "empty"),
    [("en", "✓ Done Search the logs", "Nothing found"), ("zh", "✓ 完成 搜索日志", "没有找到结果")],
)
async def test_an_incident_report(
    language: Any, line: str, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a pipe every call of the investigation is told once, above the report and its claims."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    run = run_of(incident_graph, tmp_path, report_tool, {"model": "offline", "pace": 0})
    file = io.StringIO()
    card = LiveCard(Console(file=file, width=92), report_tool.schema, language)
    turn = await run.turn("What went wrong in the shop?", card)
    report = turn.rendered.require()
    messages = await stored_messages(tmp_path, "t")
    calls = [call for one in messages if isinstance(one, AIMessage) for call in one.tool_calls]
    ordinary = [call for call in calls if call["name"] != report_tool.name]
    above, _, below = file.getvalue().partition("╭")
    lines = [" ".join(one.split()) for one in above.splitlines()]
    assert len(lines) == len(ordinary) > 5
    assert sum(one.startswith(line) for one in lines) > 5
    assert any(empty in one for one in lines)
    assert not [text for call in ordinary for text in strings(call["args"]) if text in above]
    shown = [" ".join(one.strip("│ ").split()) for one in below.splitlines()]
    for kind in ("fact", "inference"):
        count = sum(finding.kind == kind for finding in report.findings)
        assert sum(one.partition(" ")[2].startswith(f"{kind} ") for one in shown) == count > 0
    cited = [one for one in shown if one.startswith("• Artifact ")]
    claims = [*report.timeline, *report.findings]
    assert len(cited) == sum(len(claim.citations) for claim in claims)
    assert all(f"{c.artifact} · Line {c.line} · " in " ".join(cited) for c in claims[0].citations)

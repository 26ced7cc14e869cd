"""`show` in a kernel, as a notebook runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

SET_UP = """
from rendercall import RenderTool
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from rendercall.notebook import ashow, show
from schemas.learning_plan import LearningPlan

plan_tool = RenderTool(LearningPlan)
plan = {
    "topic": "SQL for people who count", "level": "beginner", "objectives": ["Read a query."],
    "lessons": [{"title": "Select", "duration_minutes": 15}], "total_minutes": 15,
}
ask = {"messages": [("human", "SQL")]}

def graph(*script, **options):
    return render_graph(ScriptedChatModel(script=list(script), chunk_size=6, **options), plan_tool)

right = Reply(calls=[Call(plan_tool.name, plan)])

import time
from rendercall.results import ToolFailed, ToolResult, report_progress, structured_tool

SECONDS = 0.0

@structured_tool(label={"en": "Search <the> logs", "zh": "搜索日志"})
def search(query: str) -> ToolResult:
    "Search."
    for done in range(20):
        report_progress(done + 1, 20)
        time.sleep(SECONDS)
    return ToolResult("about " + query)

@structured_tool(label={"en": "Read a log", "zh": "读取日志"})
def read(query: str) -> ToolResult:
    "Read."
    raise ToolFailed("NOT_FOUND", "nothing about " + query)

look = [Call(name, {"query": "my-private-question"}) for name in ("search", "read")]

def looking(*script):
    model = ScriptedChatModel(script=[Reply(calls=[one]) for one in look] + list(script))
    return render_graph(model, plan_tool, tools=[search, read])
"""


@dataclass
class Ran:
    """What a cell put out.

    Attributes:
        frames: the HTML of each drawing, in order, by the output that it was drawn in.
        words: the plain text of each drawing.
        printed: stdout.
        error: the name of the exception.
    """

    frames: dict[str, list[str]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    printed: str = ""
    error: str = ""

    def take(self, message: dict[str, Any]) -> None:
        kind, content = message["msg_type"], message["content"]
        if kind in {"display_data", "update_display_data"}:
            name = content["transient"]["display_id"]
            assert (kind == "display_data") == (name not in self.frames)
            self.frames.setdefault(name, []).append(content["data"]["text/html"])
            self.words.append(content["data"]["text/plain"])
        elif kind == "stream":
            self.printed += content["text"]
        elif kind == "error":
            self.error = content["ename"]


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[[str], Ran]]:
    manager, client = start_new_kernel(
        kernel_name="python3", env={**os.environ, "LC_ALL": "C.UTF-8"}, stderr=subprocess.DEVNULL
    )

    def run_cell(code: str) -> Ran:
        ran = Ran()
        client.execute_interactive(code, output_hook=ran.take, timeout=60)
        return ran

    assert run_cell(SET_UP).error == ""
    yield run_cell
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("call", ["show", "await ashow"])
def test_the_card_forms_in_one_output(run: Callable[[str], Ran], call: str) -> None:
    """There is one output, drawn again while the plan arrives, and the result is returned."""
    ran = run(f"shown = {call}(graph(right, delay=0.03), ask, plan_tool); print(shown.status)")
    (frames,) = ran.frames.values()
    assert len(frames) > 10
    assert frames[0].count('class="missing"') == 7
    assert any("SQL" in frame and 'class="caret"' in frame for frame in frames)
    assert "100%" in frames[-1]
    assert ran.words[0] == "… Still arriving"
    assert ran.words[-1] == "✓ Complete and checked"
    assert ran.printed == "ok\n"


def test_at_most_one_drawing_a_frame(run: Callable[[str], Ran]) -> None:
    """Pieces that come within one frame share a drawing; the first and the last are drawn."""
    ran = run("""
from rendercall import notebook
notebook.FRAME_SECONDS = 3600
show(graph(right), ask, plan_tool);
notebook.FRAME_SECONDS = 0.04
""")
    (frames,) = ran.frames.values()
    assert len(frames) == 2


def test_an_answer_that_is_no_value(run: Callable[[str], Ran]) -> None:
    """What had arrived stays beside the outcome, and nothing in it waits any more."""
    ran = run(
        "show(graph(right.cut(60), repeat_last=True, delay=0.05), ask, plan_tool, lang='zh');"
    )
    (frames,) = ran.frames.values()
    assert "SQL for people who count" in frames[-1]
    assert "结果在完成之前被截断" in frames[-1]
    assert 'class="missing"' not in frames[-1]


STEPS: dict[str, tuple[str, str, str, str]] = {
    "en": ("Running", "Done", "Search &lt;the&gt; logs", "Not found"),
    "zh": ("运行中", "完成", "搜索日志", "不存在"),
}


@pytest.mark.parametrize("call", ["show", "await ashow"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_tools_are_seen_while_they_run(run: Callable[[str], Ran], call: str, lang: str) -> None:
    """In the same output each call has its line, at once when it begins and when it ends."""
    ran = run(f"shown = {call}(looking(right), ask, plan_tool, lang={lang!r}); print(shown.status)")
    running, done, search, not_found = STEPS[lang]
    (frames,) = ran.frames.values()
    steps = [frame.partition('<ul class="steps">')[2].partition("</ul>")[0] for frame in frames]
    told = [(one.count(running), one.count(done), one.count(not_found)) for one in steps]
    assert list(dict.fromkeys(told)) == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 1, 1)]
    assert search in steps[-1]
    assert frames[-1].index("</ul>") < frames[-1].index("SQL for people who count")
    assert ran.words[-1].splitlines()[1].startswith(f"✓ {done} · ")
    assert not_found in ran.words[-1].splitlines()[2]
    assert "my-private-question" not in "".join(frames + ran.words)
    assert ran.printed == "ok\n"


def test_progress_shares_a_drawing(run: Callable[[str], Ran]) -> None:
    """Its beginning and its end are drawn at once; what comes within a frame is drawn with them."""
    ran = run("""
from rendercall import notebook
notebook.FRAME_SECONDS = 3600
show(looking(right), ask, plan_tool);
notebook.FRAME_SECONDS = 0.04
""")
    (frames,) = ran.frames.values()
    assert len(frames) == 1 + 2 + 2 + 1


def test_a_run_that_is_stopped_while_a_tool_runs(run: Callable[[str], Ran]) -> None:
    """No call stands there as if it still ran."""
    ran = run("""
import _thread, threading
SECONDS = 0.1
threading.Timer(0.5, _thread.interrupt_main).start()
try:
    show(looking(right), ask, plan_tool)
finally:
    SECONDS = 0.0
""")
    (frames,) = ran.frames.values()
    assert any("Running" in frame and "of 20" in frame for frame in frames)
    assert "Running" not in frames[-1]
    assert "Stopped</span>" in frames[-1]
    assert ran.error == "KeyboardInterrupt"


def test_a_model_that_does_not_stream(run: Callable[[str], Ran]) -> None:
    """The whole plan is drawn at the end."""
    ran = run("show(graph(right, disable_streaming=True), ask, plan_tool);")
    (frames,) = ran.frames.values()
    assert "SQL for people who count" in frames[-1]


def test_a_run_that_raises(run: Callable[[str], Ran]) -> None:
    """The card says that the run failed, never why: the error itself reaches the cell."""
    ran = run("show(graph(ConnectionError('sk-secret')), ask, plan_tool)")
    (frames,) = ran.frames.values()
    assert "No usable answer" in frames[-1]
    assert "sk-secret" not in frames[-1]
    assert ran.error == "ConnectionError"


def test_a_run_that_is_stopped(run: Callable[[str], Ran]) -> None:
    """The stop button stops the run, and the card says so."""
    ran = run("""
import _thread, threading
threading.Timer(0.5, _thread.interrupt_main).start()
show(graph(right, delay=0.2), ask, plan_tool)
""")
    (frames,) = ran.frames.values()
    assert "Stopped before it was complete" in frames[-1]
    assert ran.error == "KeyboardInterrupt"


def test_without_ipython() -> None:
    """The module can be imported; using it says which extra is missing."""
    code = (
        "import sys; sys.modules['IPython'] = None; sys.modules['IPython.display'] = None\n"
        "from rendercall.errors import MissingExtra\n"
        "from rendercall import notebook, RenderTool\n"
        "tool = RenderTool.from_json_schema('output_x', 'X.', {'type': 'object', 'properties': {}})\n"
        "try:\n    notebook.show(None, {}, tool)\n"
        "except MissingExtra as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "rendercall[notebook]" in done.stdout

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rendercall import cli
from rendercall.cli import commands, note
from rendercall.errors import MissingExtra

ROOT = Path(__file__).parents[1]
PLAN: dict[str, Any] = {
    "topic": "SQL",
    "level": "beginner",
    "objectives": ["Read a query."],
    "lessons": [{"title": "Select", "duration_minutes": 15}],
    "total_minutes": 15,
}
CALL = f"Call('render_learning_plan', {json.dumps(PLAN)!r})"

GRAPH = """
import json
from dataclasses import dataclass
from rendercall import RenderTool
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan

@dataclass(frozen=True)
class Context:
    model: str = ""

tool = RenderTool(LearningPlan)
model = ScriptedChatModel(script=[{reply}], repeat_last=True, delay={delay})
graph = render_graph(model, tool, max_repairs=0, context_schema={context})
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a project directory of its own, a language, and no local model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("RENDERCALL_MODEL", "offline")


def project(
    reply: str = f"Reply(calls=[{CALL}])", *, delay: float = 0, context: str = "None"
) -> None:
    """Make the working directory a project whose model answers so."""
    Path("one.py").write_text(GRAPH.format(reply=reply, delay=delay, context=context))
    Path("langgraph.json").write_text(json.dumps({"graphs": {"one": "./one.py:graph"}}))


def run(*args: str) -> Result:
    return CliRunner().invoke(commands.app, args)


def thread_of(result: Result) -> str:
    return result.stdout.rsplit("thread ", 1)[1].strip()


OUTCOMES = [
    (f"Reply(calls=[{CALL}])", "ok", 0, "Complete and checked"),
    ("Reply(calls=[Call('render_learning_plan', {'topic': 'SQL'})])", "invalid", 1, "/level"),
    (f"Reply(calls=[{CALL}]).cut(40)", "truncated", 1, "Cut off"),
    (f"Reply(calls=[{CALL}], finish_reason='content_filter')", "filtered", 1, "filter"),
    ("Reply(refusal='no')", "refused", 1, "refused"),
    ("Reply()", "failed", 1, "No usable answer"),
    ("Reply(text='Which topic?')", "absent", 1, "Which topic?"),
    ("RuntimeError('boom')", "failed", 1, "No usable answer"),
]


@pytest.mark.parametrize(
    ("reply", "status", "code", "told"),
    OUTCOMES,
    ids=[f"{one[1]}-{one[0][:12]}" for one in OUTCOMES],
)
def test_every_outcome(reply: str, status: str, code: int, told: str) -> None:
    """Each outcome is shown in words, printed as JSON, read back the same, and exits so."""
    project(reply)
    shown = run("plan", "SQL")
    assert shown.exit_code == code
    assert told in shown.stdout
    printed = run("plan", "SQL", "--json")
    assert printed.exit_code == code
    found = json.loads(printed.stdout)
    assert found["status"] == status
    assert found["value"] == (PLAN if status == "ok" else None)
    assert bool(found["errors"]) == (status not in {"ok", "absent"})
    assert list(found) == [
        "status", "value", "errors", "warnings", "thread_id", "model", "seconds",
    ]  # fmt: skip
    if "RuntimeError" not in reply:  # a run that raised has left nothing to read
        read = run("read", found["thread_id"], "--json")
        assert read.exit_code == code
        assert json.loads(read.stdout)["status"] == status
        assert json.loads(read.stdout)["value"] == found["value"]


def test_run_is_plan_for_any_graph() -> None:
    """The same card, JSON and exit code, for the graph that is named."""
    project()
    planned, ran = run("plan", "SQL"), run("run", "one", "SQL")
    assert (ran.exit_code, planned.exit_code) == (0, 0)
    assert ran.stdout.split("thread")[0] == planned.stdout.split("thread")[0]
    found = json.loads(run("run", "one", "SQL", "--json").stdout)
    assert (found["status"], found["value"]) == ("ok", PLAN)
    assert "trace" not in found


TOOLS = """
import time
from pathlib import Path
from rendercall import RenderTool
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from rendercall.results import ToolResult, structured_tool
from schemas.learning_plan import LearningPlan

@structured_tool(label={"en": "Look it up", "zh": "查阅"})
def look_up(query: str) -> ToolResult:
    "Look up."
    Path("looking").touch()
    time.sleep({seconds})
    return ToolResult("found " + query)

look = Reply(calls=[Call("look_up", {"query": "my-private-question"})])
model = ScriptedChatModel(script=[look, Reply(calls=[PLAN])], repeat_last=True)
tool = RenderTool(LearningPlan)
graph = render_graph(model, tool, tools=[look_up])
"""


def project_with_tools(seconds: float = 0) -> None:
    """Make the working directory a project whose model looks something up first."""
    Path("one.py").write_text(TOOLS.replace("{seconds}", str(seconds)).replace("PLAN]", f"{CALL}]"))
    Path("langgraph.json").write_text(json.dumps({"graphs": {"one": "./one.py:graph"}}))


@pytest.mark.parametrize(
    ("language", "step"), [("en", "✓ Done  Look it up"), ("zh", "✓ 完成  查阅")]
)
def test_tools_in_a_pipe(language: str, step: str) -> None:
    """What they did stands above the card, once, without the question; JSON stays as it was."""
    project_with_tools()
    result = run("run", "one", "SQL", "--lang", language)
    assert result.exit_code == 0
    assert result.stdout.startswith(step)
    assert result.stdout.count(step) == 1
    assert "my-private-question" not in result.output
    printed = run("run", "one", "SQL", "--json", "--lang", language)
    assert json.loads(printed.stdout)["status"] == "ok"
    assert step not in printed.output


def test_trace() -> None:
    """Each step with its time, and the layer that stopped an answer: as a table, as JSON."""
    project("Reply(calls=[Call('render_learning_plan', {'topic': 'SQL'})])")
    shown = run("run", "one", "SQL", "--trace")
    assert shown.exit_code == 1
    assert re.search(r"\d+ +\d+ +node model", shown.stdout)
    assert re.search(r"stopped render_learning_plan +value +/level", shown.stdout)
    found = json.loads(run("run", "one", "SQL", "--trace", "--json").stdout)
    assert [step["kind"] for step in found["trace"]] == ["node", "model", "stopped"]
    assert list(found["trace"][-1]) == ["kind", "name", "at_ms", "took_ms", "detail", "layer"]
    assert found["trace"][-1]["layer"] == found["errors"][0]["layer"] == "value"


@pytest.mark.parametrize("command", [["run", "one", "x", "--trace"], ["serve"]])
def test_a_skill_that_is_refused(command: list[str]) -> None:
    """The first layer stops a graph before it runs or is served; file and finding are told."""
    folder = Path("skills/bad/renders")
    folder.mkdir(parents=True)
    (folder.parent / "SKILL.md").write_text("---\nname: bad\ndescription: x\n---\n")
    (folder / "output_bad.json").write_text('{"type": "object", "$ref": "http://127.0.0.1:9/"}')
    Path("one.py").write_text(
        "from rendercall.langgraph import render_graph\n"
        "from rendercall.langgraph.skills import read_skills\n"
        "from rendercall.models import ScriptedChatModel\n"
        "graph = render_graph(ScriptedChatModel(script=[]), (), skills=read_skills('skills'))\n"
    )
    Path("langgraph.json").write_text(json.dumps({"graphs": {"one": "./one.py:graph"}}))
    result = run(*command)
    assert result.exit_code == 2
    assert "SkillRefused: bad/renders/output_bad.json" in result.stderr
    assert "/$ref" in result.stderr
    assert result.stdout == ""


def test_read_shows_the_card() -> None:
    """A stored plan is shown again as it was, in the language that is asked for."""
    project()
    thread = thread_of(run("plan", "SQL"))
    read = run("read", thread, "--lang", "zh")
    assert read.exit_code == 0
    assert "Select" in read.stdout
    assert "已完成并通过校验" in read.stdout


def test_a_conversation_goes_on() -> None:
    """A second turn sees the first: one that is told of it answers with text."""
    project("lambda messages: Reply(text=str(len([m for m in messages if m.type == 'human'])))")
    thread = thread_of(run("plan", "SQL"))
    assert "  2\n" in run("plan", "shorter", "--thread", thread).stdout


def test_the_error_of_a_run_is_told_without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person at the terminal reads why a run failed; keys are not repeated."""
    monkeypatch.setenv("SOME_API_KEY", "sk-12345678")
    project("RuntimeError('bad key sk-12345678\\nand more')")
    result = run("plan", "SQL", "--json")
    assert "the run failed: RuntimeError: bad key ***" in result.stderr
    assert "sk-12345678" not in result.output
    assert "bad key" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["plan", " "], "TOPIC is empty"),
        (["plan", "x", "--graph", "two"], "names no graph two: it names one"),
        (["run", "two", "x"], "names no graph two: it names one"),
        (["run", "one", " "], "TEXT is empty"),
        (["run", "one", "x", "--pace", "1"], "--pace has no effect"),
        (["plan", "x", "--pace", "1"], "--pace has no effect"),
        (["read", "nothing"], "no thread of this id is stored in .rendercall/threads.sqlite"),
        (["schema", "--tool", "two"], "render_learning_plan"),
        (["plan", "x", "--lang", "fr"], "fr"),
        (["plan"], "TOPIC"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, list) else "",
)
def test_wrong_usage(arguments: list[str], told: str) -> None:
    """What cannot be done exits with 2 and says what to do, on stderr alone."""
    project()
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "command", [["plan", "x"], ["run", "x", "x"], ["read", "x"], ["schema"], ["serve"]]
)
def test_outside_a_project(command: list[str]) -> None:
    """Without a langgraph.json every command says so."""
    result = run(*command)
    assert result.exit_code == 2
    assert "there is no langgraph.json" in result.stderr


def test_threads_that_cannot_be_stored() -> None:
    """A store that is no database is told by its name."""
    project()
    Path(".rendercall").mkdir()
    Path(".rendercall/threads.sqlite").write_text("no database, but a longer text than its head")
    result = run("plan", "SQL")
    assert result.exit_code == 2
    assert "threads.sqlite cannot be used (DatabaseError)" in result.stderr


def test_the_model_is_named_first() -> None:
    """A graph whose context takes a model is given one, and the user is told which."""
    project(context="Context")
    result = run("plan", "SQL", "--model", "openai:x", "--json")
    assert result.stderr == "model: openai:x\n"
    assert json.loads(result.stdout)["model"] == "openai:x"


@pytest.mark.parametrize(
    ("name", "environment", "line"),
    [
        (
            "offline",
            {"OPENAI_API_KEY": "k"},
            "model: offline, a rule-based planner without any model",
        ),
        ("local", {}, "model: local, on this machine"),
        ("openai:x", {}, "model: openai:x"),
        (
            "openai:x",
            {"OPENAI_API_KEY": "sk-1"},
            "model: openai:x; OPENAI_API_KEY was found and its account will be charged",
        ),
        (
            "openai:x",
            {"OPENAI_BASE_URL": "http://user:pw@localhost:8000/v1"},
            "model: openai:x at localhost",
        ),
    ],
)
def test_who_pays(name: str, environment: dict[str, str], line: str) -> None:
    """A key that was found is announced, never quoted; nor is a password in an address."""
    assert note.model_note(name, environment) == line


def test_schema() -> None:
    """The schema is printed as it is, so that it can be piped."""
    project()
    assert json.loads(run("schema").stdout)["title"] == "LearningPlan"


def test_a_missing_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the extra, the command says which one to install."""

    def missing(module: str, extra: str) -> None:
        raise MissingExtra(module, extra)

    monkeypatch.setattr(cli, "import_extra", missing)
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert "pip install 'rendercall[cli]'" in capsys.readouterr().err


def process(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rendercall.cli", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_as_a_process() -> None:
    """The real command, piped: one JSON object on stdout, its own exit code."""
    project()
    with process("plan", "SQL", "--json") as plan:
        out, err = plan.communicate()
    assert plan.returncode == 0, err
    assert json.loads(out)["value"] == PLAN


def test_interrupted() -> None:
    """Ctrl-C ends a run with `aborted`, one JSON object all the same, and 130."""
    project(delay=60, context="Context")
    plan = process("plan", "SQL", "--json")
    assert plan.stderr is not None
    assert plan.stderr.readline() == "model: offline, a rule-based planner without any model\n"
    while not Path(".rendercall/threads.sqlite-wal").exists():  # the run has begun
        assert plan.poll() is None, plan.communicate()
        time.sleep(0.01)
    plan.send_signal(signal.SIGINT)
    out, err = plan.communicate()
    assert json.loads(out)["status"] == "aborted", err
    assert plan.returncode == 130


def test_interrupted_while_a_tool_runs() -> None:
    """After Ctrl-C the tool's line does not say that it still runs."""
    project_with_tools(seconds=2)
    with process("run", "one", "SQL") as running:
        while not Path("looking").exists():
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert out.startswith("■ Stopped  Look it up"), err
    assert "Running" not in out
    assert running.returncode == 130


def test_a_port_in_use() -> None:
    """A port that is taken is told at once, and nothing is started on another."""
    project()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = run("serve", "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 2
    assert "is in use: choose another with --port" in result.stderr

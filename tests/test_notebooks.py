"""The notebooks, run as a reader would run them: their cells put out what they tell of."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@dataclass
class Cells:
    """What the code cells of a notebook put out.

    Attributes:
        outputs: of each cell, as they stand in the end.
        drawn: what stood in an output before it was drawn again, and in the end.
    """

    outputs: list[list[dict[str, Any]]]
    drawn: list[str]

    @property
    def printed(self) -> str:
        return "".join(
            one["text"] for cell in self.outputs for one in cell if one["output_type"] == "stream"
        )

    def data(self, mime: str) -> list[str]:
        """The drawn outputs of one kind."""
        found = [one.get("data", {}).get(mime) for cell in self.outputs for one in cell]
        return [one for one in found if one is not None]


class Client(NotebookClient):
    """Runs a notebook, and keeps every drawing."""

    def process_message(self, msg: dict[str, Any], cell: Any, cell_index: int) -> Any:
        if msg["msg_type"] in {"display_data", "update_display_data"}:
            self.drawn = [*getattr(self, "drawn", []), msg["content"]["data"].get("text/html", "")]
        return super().process_message(msg, cell, cell_index)


def run(name: str, monkeypatch: pytest.MonkeyPatch, place: Path) -> Cells:
    """Run a notebook in a kernel of its own, from its folder, without keys."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for name_of_folder in ("MPLCONFIGDIR", "IPYTHONDIR"):
        monkeypatch.setenv(name_of_folder, str(place))
    notebook = nbformat.read(FOLDER / name, as_version=4)
    resources = {"metadata": {"path": str(FOLDER)}}
    client = Client(notebook, timeout=120, kernel_name="python3", resources=resources)
    client.execute(stderr=subprocess.DEVNULL)
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    return Cells(outputs, getattr(client, "drawn", []))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_without_outputs(path: Path) -> None:
    """What is committed is the prose and the code, so that a change reads as one."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_first_plan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A plan is shown, stored and changed; a wrong answer is repaired; a cut one has no value."""
    cells = run("01_first_plan.ipynb", monkeypatch, tmp_path)
    assert cells.printed.splitlines() == [
        "ok LearningPlan",
        "6 lessons, 85 minutes",
        "render_learning_plan ['lessons', 'level', 'objectives', 'topic', 'total_minutes']",
        "True",
        "True",
        "2 requests; the second one ends on:",
        "Not shown: the args are wrong.",
        "- /minutes: Input should be greater than 0 (it was -4)",
        "Correct them with patch_render_recipe.",
    ]
    plan, shorter, tea, cut = cells.data("text/html")
    assert "list comprehensions" in plan
    assert "Complete and checked" in shorter
    assert "Boil water" in tea
    assert "Cut off before it was complete" in cut
    assert "Boil water" not in cut


def test_watch_it_arrive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No number is shown before it is whole, an error is known early, and the plot is drawn."""
    cells = run("02_watch_it_arrive.ipynb", monkeypatch, tmp_path)
    topic, level, total, others, right, wrong = cells.printed.splitlines()
    assert topic.startswith("topic: ['W', 'Windo', ")
    assert topic.endswith(", 'Window functions in SQL']")
    assert level == "level: ['intermediate']"
    assert total == "total_minutes: [220]"
    assert others == "[2, 22, 220]"
    assert right == "right plan: None ok"
    assert wrong.startswith("wrong plan: /lessons/1/duration_minutes: ")
    assert wrong.endswith(" known at 288 of 419 characters; invalid")
    assert len(cells.data("image/png")) == 1
    live, half_way = cells.data("text/html")
    assert "Complete and checked" in live
    assert "Still arriving" in half_way
    assert 'class="missing"' in half_way


def test_tool_results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Outcomes are told apart, paging is whole, and every claim stands with its records."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cells = run("03_tool_results.ipynb", monkeypatch, tmp_path)
    lines = cells.printed.splitlines()
    assert [line.split(maxsplit=2)[1:] for line in lines if line.startswith(OUTCOMES)] == [
        ["Ok"],
        ["Empty", "Nothing found"],
        ["Truncated", "1\u201320 of 503"],
        ["Failed", "Not found"],
    ]
    assert "503 records, 503 different, of 503" in lines
    assert sum(line.startswith("fact: ") for line in lines) == 5
    assert sum(line.startswith("inference: ") for line in lines) == 3
    assert lines[-1].startswith("invalid /findings/0/citations/0/quote: ")
    card, chinese = cells.data("text/html")
    assert "Errors in payments, checkout, gateway" in card
    assert "Complete and checked" in card
    assert "已完成并通过校验" in chinese
    for shown, word, title, empty in (
        (card, "Done", "Search the logs", "Nothing found"),
        (chinese, "完成", "搜索日志", "没有找到结果"),
    ):
        steps = shown.partition('<ul class="steps">')[2].partition("</ul>")[0]
        assert steps.count("<li>") == steps.count(f"</span> {word}</span>") > 5
        assert title in steps
        assert empty in steps
    assert card.count("Citations</p>") == card.count('<div class="below">') > 8
    running = [one for one in cells.drawn if "Running</span>" in one]
    assert running
    assert all("Still arriving" in one for one in running)


OUTCOMES = ("whole ", "empty ", "truncated ", "failed ")


def test_guards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each guard finds what the text says, and the run tells which one stopped what."""
    cells = run("04_guards.ipynb", monkeypatch, tmp_path)
    lines = [" ".join(line.split()) for line in cells.printed.splitlines()]
    refused = [line for line in lines if line.startswith("schema ")]
    assert [line.split()[-1] for line in refused] == [
        "remote_reference",
        "remote_reference",
        "recursive",
        "expansion_too_large",
        "value_too_deep",
        "pattern_not_linear",
        "description_too_long",
    ]
    assert "accepted" not in lines
    verdicts = [line for line in lines if "->" in line]
    assert verdicts[0] == "right -> complete"
    assert len(verdicts) == 9
    assert all(line.endswith("-> invalid") for line in verdicts[1:])
    assert "hidden unicode.tag (reject)" in lines
    assert "lesson nothing found" in lines
    assert "found: ()" in lines
    assert [line for line in lines if line.split()[0:1] in (["stopped"], ["shown"])] == [
        "stopped output_weather args /data/high: the key stands here twice",
        "stopped output_weather value /data/high: the value is greater than the maximum of 60",
        (
            "stopped output_weather text /summary: the text holds overrides of the writing "
            "direction (override): write it without"
        ),
        "shown output_weather",
    ]
    assert "Bergen" in cells.data("text/html")[-1]

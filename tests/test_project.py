from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from langgraph.pregel import Pregel

from rendercall.errors import ProjectError
from rendercall.project import Project

GRAPH = """
from langgraph.graph import START, MessagesState, StateGraph
from rendercall import RenderTool

tool = RenderTool.from_json_schema("show_note", "A note.", {"type": "object"})
again = tool
builder = StateGraph(MessagesState)
builder.add_node("one", lambda state: {})
builder.add_edge(START, "one")
graph = builder.compile()

def make():
    return builder

def make_with(config):
    return graph

async def make_later():
    return graph

def broken():
    raise ValueError("a secret")

number = 7
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with one graph file; the import path is put back afterwards."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "one.py").write_text(GRAPH, encoding="utf-8")
    return tmp_path


def project(root: Path, place: str) -> Project:
    return Project(root, {"one": place})


def write(root: Path, config: object) -> None:
    (root / "langgraph.json").write_text(json.dumps(config), encoding="utf-8")


def test_own_project() -> None:
    """The repository's own graphs load, each with its render tool."""
    own = Project.find(Path(__file__).parents[1])
    shown = {
        "learning_plan": ["render_learning_plan"],
        "fixed_plan": ["render_learning_plan"],
        "incident_report": ["render_incident_report"],
        "weather_report": ["output_weather"],
    }
    assert list(own.graphs) == list(shown)
    for name in own.graphs:
        assert isinstance(own.graph(name), Pregel)
        assert [tool.name for tool in own.render_tools(name)] == shown[name]
    assert {tool.name for tool in own.all_render_tools()} == {name for [name] in shown.values()}


@pytest.mark.parametrize("attribute", ["graph", "builder", "make"])
def test_what_the_server_would_load(root: Path, attribute: str) -> None:
    """A compiled graph, a builder and a factory without parameters all give a graph."""
    graph = project(root, f"./one.py:{attribute}").graph("one")
    assert isinstance(graph, Pregel)
    assert "one" in graph.nodes


@pytest.mark.parametrize("entry", ["./one.py:graph", {"path": "./one.py:graph"}])
def test_both_forms_of_an_entry(root: Path, entry: object) -> None:
    """langgraph.json names a graph by a string, or by an object with a path."""
    write(root, {"graphs": {"one": entry}})
    assert isinstance(Project.find(root).graph("one"), Pregel)


def test_a_module_by_its_name(root: Path) -> None:
    """A graph may be named by module: the project's directory is on the import path."""
    (root / "named_in_langgraph_json.py").write_text(GRAPH, encoding="utf-8")
    assert isinstance(project(root, "named_in_langgraph_json:graph").graph("one"), Pregel)


def test_a_file_is_loaded_once(root: Path) -> None:
    """The graph and its tools come from one execution of the file."""
    one = project(root, "./one.py:graph")
    assert one.render_tools("one")[0] is one.render_tools("one")[0]
    assert one.graph("one") is one.graph("one")


def test_the_tools_of_skills(root: Path) -> None:
    """Output tools that a graph's skills bring are read too."""
    skills = "from rendercall.langgraph.skills import Skill, SkillRegistry\n"
    made = "skills = SkillRegistry([Skill(name='s', description='x', renders=(tool,))])\ndel tool, again\n"
    (root / "two.py").write_text(skills + GRAPH + made, encoding="utf-8")
    assert [one.name for one in project(root, "two.py:graph").render_tools("one")] == ["show_note"]


def test_each_tool_once(root: Path) -> None:
    """A second name for a tool is no second tool."""
    assert [tool.name for tool in project(root, "one.py:graph").render_tools("one")] == [
        "show_note"
    ]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("./gone.py:graph", r"graphs\.one: there is no file \./gone\.py in"),
        ("./one.py:gone", r"graphs\.one: \./one\.py:gone: the file has no attribute gone"),
        ("./one.py:number", r"number is a int, not a compiled graph"),
        ("./one.py:make_with", r"a plain function without parameters"),
        ("./one.py:make_later", r"a plain function without parameters"),
        ("./one.py:broken", r"the function failed: ValueError$"),
        ("no_such_module:graph", r"cannot be loaded: ModuleNotFoundError of no_such_module"),
    ],
    ids=["file", "attribute", "type", "parameters", "async", "raises", "module"],
)
def test_what_is_wrong_is_named(root: Path, place: str, told: str) -> None:
    """An error says which graph, which file, which attribute and what kind of cause."""
    with pytest.raises(ProjectError, match=told) as caught:
        project(root, place).graph("one")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import no_such_thing", r"ModuleNotFoundError of no_such_thing in line 1"),
        ("x = 1\nraise RuntimeError('a secret')", r"RuntimeError in line 2"),
        ("x = 1\ny = (", r"SyntaxError in line 2 of bad\.py"),
        ("from rendercall.errors import *\nraise ModelError('say this')", "ModelError: say this"),
    ],
    ids=["import", "raises", "syntax", "ours"],
)
def test_a_file_that_fails(root: Path, source: str, told: str) -> None:
    """A graph file that fails is told with the line, without the exception's own text."""
    (root / "bad.py").write_text(source, encoding="utf-8")
    for _ in range(2):  # it is not half-loaded after the first time
        with pytest.raises(ProjectError, match=told) as caught:
            project(root, "./bad.py:graph").render_tools("one")
        assert "secret" not in str(caught.value)


def test_no_render_tool(root: Path) -> None:
    """A graph file without a render tool is told so."""
    (root / "plain.py").write_text("graph = 1", encoding="utf-8")
    with pytest.raises(ProjectError, match=r"plain\.py has no RenderTool at its top level"):
        project(root, "./plain.py:graph").render_tools("one")


def test_an_unknown_graph(root: Path) -> None:
    """A name that is not there is answered with those that are."""
    with pytest.raises(ProjectError, match="names no graph two: it names one"):
        project(root, "./one.py:graph").graph("two")


def test_no_langgraph_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside a project the error says what is missing, where, and what to do."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProjectError, match=r"there is no langgraph\.json in .+: go to") as caught:
        Project.find()
    assert str(tmp_path.resolve()) in str(caught.value)


@pytest.mark.parametrize(
    "config",
    [{}, [], {"graphs": {}}, {"graphs": {"one": "no-colon"}}, {"graphs": {"one": 1}}],
    ids=["empty", "list", "none", "place", "number"],
)
def test_a_wrong_langgraph_json(tmp_path: Path, config: object) -> None:
    """A file that names no graphs is refused by name."""
    write(tmp_path, config)
    with pytest.raises(ProjectError, match=r"langgraph\.json"):
        Project.find(tmp_path)


def test_no_json(tmp_path: Path) -> None:
    """A file that is no JSON is refused."""
    (tmp_path / "langgraph.json").write_text("{", encoding="utf-8")
    with pytest.raises(ProjectError, match="cannot be read as JSON"):
        Project.find(tmp_path)

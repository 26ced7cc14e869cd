"""The project of the working directory: the graphs that its `langgraph.json` names."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from langgraph.graph import StateGraph
from langgraph.pregel import Pregel

from rendercall.contract import RenderTool
from rendercall.errors import ProjectError, RenderCallError
from rendercall.langgraph.skills import Skill, SkillRegistry

__all__ = ["Project"]

_FILE = "langgraph.json"


@dataclass(frozen=True, slots=True)
class Project:
    """A directory with a `langgraph.json`, and the graphs that it names.

    Graph files are loaded as LangGraph's server loads them: by file path, under a module
    name of their own, each once a process. The directory comes first on the import path.

    Attributes:
        root: the directory.
        graphs: where each graph is, by its name: `"./graphs/plan.py:graph"`.
    """

    root: Path
    graphs: Mapping[str, str]

    @classmethod
    def find(cls, directory: Path | None = None) -> Project:
        """Read the `langgraph.json` of a directory.

        Args:
            directory: where it is; the working directory by default.

        Raises:
            ProjectError: there is none, or it names no graphs.
        """
        root = (directory or Path.cwd()).resolve()
        try:
            config = json.loads((root / _FILE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ProjectError(
                f"there is no {_FILE} in {root}: go to the directory of a LangGraph project, "
                f"or write one, with the graphs it names under {{'graphs': {{...}}}}"
            ) from None
        except (OSError, ValueError) as error:
            raise ProjectError(
                f"{root / _FILE} cannot be read as JSON ({type(error).__name__}): mend the file"
            ) from None
        return cls(root, _graphs_of(config, root / _FILE))

    def graph(self, name: str) -> Pregel[Any, Any, Any, Any]:
        """Load a graph; a factory without parameters is called, a builder is compiled.

        Raises:
            ProjectError: the name is not in `langgraph.json`, or its file, its attribute or
                the object there is not what it should be.
        """
        module, attribute = self._load(name), self._place(name)[1]
        where = f"{_FILE}: graphs.{name}: {self.graphs[name]}"
        found = getattr(module, attribute, None)
        if found is None:
            raise ProjectError(f"{where}: the file has no attribute {attribute}: name the graph's")
        if inspect.isfunction(found):
            found = _made(found, where)
        if isinstance(found, StateGraph):
            found = found.compile()
        if not isinstance(found, Pregel):
            raise ProjectError(
                f"{where}: {attribute} is a {type(found).__name__}, not a compiled graph"
            )
        return found

    def render_tools(self, name: str) -> list[RenderTool[Any]]:
        """Every `RenderTool` at the top level of a graph's file, in the order of the file.

        Those that a `SkillRegistry` or a `Skill` there brings are among them.

        Raises:
            ProjectError: as for `graph`, or the file defines none.
        """
        found = self.known_render_tools(name)
        if not found:
            raise ProjectError(
                f"{_FILE}: graphs.{name}: {self._place(name)[0]} has no RenderTool at its top "
                "level: define or import it there"
            )
        return found

    def known_render_tools(self, name: str) -> list[RenderTool[Any]]:
        """As `render_tools`, and empty for a graph that shows nothing."""
        found: dict[str, RenderTool[Any]] = {}
        for value in vars(self._load(name)).values():
            for tool in _render_tools_of(value):
                found.setdefault(tool.name, tool)
        return list(found.values())

    def all_render_tools(self) -> list[RenderTool[Any]]:
        """The render tools of all graphs, each name once.

        Raises:
            ProjectError: as for `graph`.
        """
        tools = [tool for name in self.graphs for tool in self.known_render_tools(name)]
        return list({tool.name: tool for tool in reversed(tools)}.values())[::-1]

    def put_on_path(self) -> None:
        """Make the project's own packages importable, before other ones of the same names."""
        root = str(self.root)
        if sys.path[:1] != [root]:
            sys.path.insert(0, root)

    def _place(self, name: str) -> tuple[str, str]:
        """The file or module of a graph, and the attribute in it."""
        if name not in self.graphs:
            known = ", ".join(self.graphs)
            raise ProjectError(f"{_FILE} names no graph {name}: it names {known}")
        place, _, attribute = self.graphs[name].rpartition(":")
        return place, attribute

    def _load(self, name: str) -> ModuleType:
        place, _ = self._place(name)
        self.put_on_path()
        path = (self.root / place).resolve()
        is_file = place.endswith(".py")
        if is_file and not path.is_file():
            raise ProjectError(f"{_FILE}: graphs.{name}: there is no file {place} in {self.root}")
        try:
            return _load_file(path) if is_file else importlib.import_module(place)
        except Exception as error:
            raise ProjectError(
                f"{_FILE}: graphs.{name}: {place} cannot be loaded: {_cause(error, path)}"
            ) from error


def _render_tools_of(value: object) -> Sequence[RenderTool[Any]]:
    if isinstance(value, RenderTool):
        return (value,)
    return value.renders if isinstance(value, Skill | SkillRegistry) else ()


def _graphs_of(config: Any, file: Path) -> dict[str, str]:
    graphs = config.get("graphs") if isinstance(config, dict) else None
    if not isinstance(graphs, dict) or not graphs:
        raise ProjectError(
            f"{file} names no graphs: it needs {{'graphs': {{name: 'file.py:graph'}}}}"
        )
    places: dict[str, str] = {}
    for name, entry in cast("dict[str, Any]", graphs).items():
        place = entry.get("path") if isinstance(entry, dict) else entry
        if not isinstance(place, str) or not all(place.rpartition(":")):
            raise ProjectError(f"{file}: graphs.{name} must be 'path/to/file.py:attribute'")
        places[name] = place
    return places


def _load_file(path: Path) -> ModuleType:
    """Load a file as a module, once: dataclasses look their module up while it is made."""
    name = f"rendercall_project:{path}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _made(factory: Any, where: str) -> Any:
    """What a factory makes. The server can pass it a config or a runtime; we have none."""
    if inspect.signature(factory).parameters or inspect.iscoroutinefunction(factory):
        raise ProjectError(
            f"{where}: only a graph, or a plain function without parameters that returns one, "
            "can be loaded here: `langgraph dev` serves the others"
        )
    try:
        return factory()
    except Exception as error:
        raise ProjectError(f"{where}: the function failed: {_cause(error)}") from error


def _cause(error: Exception, path: Path | None = None) -> str:
    """What went wrong, without the text of foreign exceptions, which may hold values."""
    if isinstance(error, RenderCallError):
        return f"{type(error).__name__}: {error}"
    named = f" of {error.name}" if isinstance(error, ImportError) and error.name else ""
    return f"{type(error).__name__}{named}{_line(error, path)}"


def _line(error: Exception, path: Path | None) -> str:
    if isinstance(error, SyntaxError):
        return f" in line {error.lineno} of {Path(error.filename or '').name}"
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(path):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f" in line {line}" if line else ""

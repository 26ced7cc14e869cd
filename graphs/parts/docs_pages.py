"""Pages of the documentation that ships with Python, read without importing any of it.

Two sources: `pydoc_data.topics` (the language reference, cut into its sections) and the
docstrings of the standard library's modules, classes and public functions, found with `ast`
in their source files. Modules written in C have no source file, so they are not here.
"""

from __future__ import annotations

import ast
import os
import re
import sysconfig
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from pydoc_data import topics
from typing import Literal, TypeAlias

__all__ = ["Kind", "Page", "docstring_pages", "python_pages", "topic_pages"]

Kind: TypeAlias = Literal["topic", "module", "class", "function"]
"""What a page documents; `topic` is a topic of the language reference."""

_HEADING = re.compile(r"^(?P<title>\S.*)\n(?P<line>[*=\-~^])(?P=line){2,}$", re.MULTILINE)

_NOT_DOCUMENTATION = frozenset(
    {
        "distutils",
        "encodings",
        "ensurepip",
        "idlelib",
        "lib2to3",
        "pydoc_data",
        "test",
        "tests",
        "turtledemo",
    }
)
"""Folders of the standard library that hold tests, tools, tables or what is on its way out."""

_SHORTEST = 60
"""A class or function whose docstring has fewer characters says too little to be a page."""


@dataclass(frozen=True, slots=True)
class Page:
    """One piece of documentation.

    Attributes:
        kind: what it documents.
        name: the topic it stands in, or the dotted name of what it documents.
        title: its heading, or the same dotted name.
        text: the documentation itself.
    """

    kind: Kind
    name: str
    title: str
    text: str

    @property
    def source(self) -> str:
        """Where it stands, e.g. `Python docs: topic 'yield'` or `Python docs: module sqlite3`."""
        name = f"'{self.name}'" if self.kind == "topic" else self.name
        return f"Python docs: {self.kind} {name}"


def python_pages() -> Iterator[Page]:
    """Every page once: a section that several topics repeat is taken from the first."""
    seen: set[str] = set()
    for pages in (topic_pages(), docstring_pages(Path(sysconfig.get_path("stdlib")))):
        for page in pages:
            if page.text and page.text not in seen:
                seen.add(page.text)
                yield page


def topic_pages() -> Iterator[Page]:
    """The sections of the language reference, shortest topics first.

    Long topics repeat the short ones as sections; this order names the short one as the source.
    """
    for name, text in sorted(topics.topics.items(), key=lambda item: (len(item[1]), item[0])):
        headings = list(_HEADING.finditer(text))
        if not headings:
            yield Page("topic", name, name, text.strip())
        ends = [heading.start() for heading in headings[1:]] + [len(text)]
        for heading, end in zip(headings, ends, strict=False):
            body = text[heading.end() : end].strip()
            yield Page("topic", name, heading["title"].strip(), body)


def docstring_pages(stdlib: Path) -> Iterator[Page]:
    """Docstrings of the public modules below a folder, and of their classes and functions.

    Args:
        stdlib: the folder that holds the top-level modules. A missing folder has no pages.
    """
    for folder, folders, files in os.walk(stdlib):
        # Pruned in place: a folder that is left out is not even listed.
        folders[:] = sorted(name for name in folders if _is_public(name))
        package = Path(folder).relative_to(stdlib).parts
        for path in sorted(Path(folder, file) for file in files if file.endswith(".py")):
            if path.stem == "__init__" and package:
                yield from _module_pages(".".join(package), path)
            elif _is_public(path.stem):
                yield from _module_pages(".".join((*package, path.stem)), path)


def _is_public(name: str) -> bool:
    return name.isidentifier() and not name.startswith("_") and name not in _NOT_DOCUMENTATION


def _module_pages(module: str, path: Path) -> Iterator[Page]:
    try:
        with warnings.catch_warnings():
            # Old modules have escapes that newer Pythons warn about; they are not ours to mend.
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    yield Page("module", module, module, ast.get_docstring(tree) or "")
    exported = _exported(tree)
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = ast.get_docstring(node) or ""
        public = node.name in exported if exported else not node.name.startswith("_")
        if public and len(text) >= _SHORTEST:
            name = f"{module}.{node.name}"
            yield Page("class" if isinstance(node, ast.ClassDef) else "function", name, name, text)


def _exported(tree: ast.Module) -> frozenset[str]:
    """The names that the module's `__all__` spells out; empty where it has or spells none."""
    names: set[str] = set()
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts) | ast.Tuple(elts))
                | ast.AugAssign(target=ast.Name(id="__all__"), value=ast.List(elts))
            ):
                names.update(str(item.value) for item in elts if isinstance(item, ast.Constant))
            case _:
                pass
    return frozenset(names)

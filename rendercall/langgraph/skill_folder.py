"""Skills from folders: `SKILL.md` as on agentskills.io, and output tools as JSON Schemas.

```
weather/
├── SKILL.md                  front matter (name, description), then the instructions
└── renders/
    └── output_weather.json   a JSON Schema: the file is named as the tool is
```

The folder may come from somebody else. So nothing in it is executed: its front matter names
ordinary tools in `metadata.include_tools` (as deepagents' skills do), and the host brings them.
Its schemas pass the first guard with the limits for guests, and its texts must not hide
anything from who reviews them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from langchain_core.tools import BaseTool

from rendercall.contract import (
    GUEST,
    Bounds,
    ContentPolicy,
    RenderTool,
    SchemaLimits,
    read_args,
)
from rendercall.contract.content_guard import guard_content
from rendercall.contract.content_policy import DEFAULT_POLICY
from rendercall.contract.unseen import SERIOUS
from rendercall.errors import Issue, SkillRefused, ToolDefinitionError
from rendercall.langgraph.skill import Skill

__all__ = ["MAX_SKILL_BYTES", "read_skill", "read_skills"]

MAX_SKILL_BYTES = 262_144
"""Size of one `SKILL.md`, all of which may go to the model."""

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_DESCRIPTION = "Give the answer in this form. Its call ends the run."


def read_skills(
    folder: str | Path,
    *,
    tools: Sequence[BaseTool] = (),
    limits: SchemaLimits = GUEST,
    content: ContentPolicy = DEFAULT_POLICY,
) -> tuple[Skill, ...]:
    """Read every skill of a folder: its folders with a `SKILL.md`, by name.

    Args:
        folder: where the skills' own folders are.
        tools: as for `read_skill`.
        limits: same.
        content: same.

    Raises:
        SkillRefused: there is no such folder or no skill in it, or as for `read_skill`.
    """
    root = Path(folder)
    found = sorted(path.parent for path in root.glob("*/SKILL.md")) if root.is_dir() else []
    if not found:
        raise SkillRefused(f"{root.name}: no folder in it holds a SKILL.md")
    return tuple(read_skill(one, tools=tools, limits=limits, content=content) for one in found)


def read_skill(
    folder: str | Path,
    *,
    tools: Sequence[BaseTool] = (),
    limits: SchemaLimits = GUEST,
    content: ContentPolicy = DEFAULT_POLICY,
) -> Skill:
    """Read a skill from its folder.

    Args:
        folder: it has the skill's name, and a `SKILL.md`.
        tools: what the host offers; the skill gets those that `metadata.include_tools` names,
            separated by spaces.
        limits: for the schemas in `renders/`. Each is of an output tool's `data`, beside which
            the model writes a one-sentence `summary`; its `description` is the tool's.
        content: what is done about findings in the text of answers.

    Raises:
        SkillRefused: a file is missing, too large, elsewhere or not in its form; the name is
            not the folder's; a tool is not offered; a text hides something; or a schema is
            refused, with every finding in `issues`.
    """
    root = Path(folder).resolve()
    front, prompt = _parts(root)
    name = _text(root, front, "name")
    if name != root.name:
        raise SkillRefused(f"{root.name}/SKILL.md: the name {name[:64]!r} is not the folder's")
    description = _text(root, front, "description")
    _refuse_hidden(f"{root.name}/SKILL.md", {"description": description, "prompt": prompt})
    return Skill(
        name=name,
        description=description,
        system_prompt=prompt,
        tools=_included(root, front, tools),
        renders=tuple(_renders(root, limits, content)),
    )


def _parts(root: Path) -> tuple[Mapping[str, Any], str]:
    """The front matter and the text after it."""
    text = _read(root, root / "SKILL.md", MAX_SKILL_BYTES)
    where = f"{root.name}/SKILL.md"
    match = _FRONT_MATTER.match(text)
    if match is None:
        raise SkillRefused(f"{where}: begin it with front matter, YAML between two lines ---")
    try:
        front = yaml.safe_load(match[1])
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 2}" if mark else ""
        raise SkillRefused(f"{where}: the front matter is no YAML{line}") from None
    if not isinstance(front, dict):
        raise SkillRefused(f"{where}: the front matter must be a mapping with name and description")
    return front, text[match.end() :].strip()


def _read(root: Path, path: Path, limit: int) -> str:
    """A file's text. A link out of the folder would make a skill out of any file here."""
    where = f"{root.name}/{path.relative_to(root)}"
    if not path.is_file():
        raise SkillRefused(f"{where}: there is no such file")
    if not path.resolve().is_relative_to(root):
        raise SkillRefused(f"{where}: it is a link that leads out of the skill's folder")
    with path.open("rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise SkillRefused(f"{where}: over {limit} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise SkillRefused(f"{where}: it is not UTF-8") from None


def _text(root: Path, front: Mapping[str, Any], key: str) -> str:
    value = front.get(key)
    if not isinstance(value, str) or not value.strip():
        raise SkillRefused(f"{root.name}/SKILL.md: the front matter needs {key}, as text")
    return value.strip()


def _included(
    root: Path, front: Mapping[str, Any], tools: Iterable[BaseTool]
) -> tuple[BaseTool, ...]:
    metadata = front.get("metadata") or {}
    names = metadata.get("include_tools", "") if isinstance(metadata, dict) else None
    if not isinstance(names, str):
        raise SkillRefused(
            f"{root.name}/SKILL.md: metadata.include_tools must be names separated by spaces"
        )
    offered = {tool.name: tool for tool in tools}
    if missing := [name for name in names.split() if name not in offered]:
        raise SkillRefused(
            f"{root.name}/SKILL.md: it includes {', '.join(missing)}, which the host does not "
            "offer: pass these tools when the skill is read, or leave the names out"
        )
    return tuple(offered[name] for name in dict.fromkeys(names.split()))


def _renders(
    root: Path, limits: SchemaLimits, content: ContentPolicy
) -> Iterable[RenderTool[dict[str, Any]]]:
    for path in sorted((root / "renders").glob("*.json")):
        where = f"{root.name}/renders/{path.name}"
        schema = _schema(root, path, limits)
        description = schema.get("description", _DESCRIPTION)
        if not isinstance(description, str):
            raise SkillRefused(f"{where}: its description must be text")
        try:
            yield RenderTool.from_json_schema(
                path.stem, description, schema, envelope=True, limits=limits, content=content
            )
        except ToolDefinitionError as error:
            raise SkillRefused(f"{where}: {error}", error.issues) from None
        _refuse_hidden(where, schema)


def _schema(root: Path, path: Path, limits: SchemaLimits) -> dict[str, Any]:
    text = _read(root, path, limits.max_bytes)
    args = read_args(text, Bounds(max_bytes=limits.max_bytes))
    if args.state != "complete":
        issue = args.issues[0]
        raise SkillRefused(
            f"{root.name}/renders/{path.name}: it is no JSON object: {issue.message}",
            [Issue(issue.pointer, "tool_schema", issue.code, issue.message)],
        )
    return args.value


def _refuse_hidden(where: str, texts: Mapping[str, Any]) -> None:
    """Refuse what a reviewer cannot see, and a model reads: the way of smuggled instructions."""
    found = {
        f"{one.pointer} ({one.rule})"
        for one in guard_content(texts)
        if (one.kind, one.rule) in SERIOUS
    }
    if found:
        raise SkillRefused(f"{where}: characters that nobody sees, at {', '.join(sorted(found))}")

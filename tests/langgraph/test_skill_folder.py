from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall.contract import ContentPolicy, Row
from rendercall.errors import SkillRefused
from rendercall.langgraph import skill_folder
from rendercall.langgraph.skills import read_skill, read_skills
from tests.langgraph.skilled import ARGS, SCHEMA, get_weather

FRONT = "name: weather\ndescription: Reports it."
SKILL = f"---\n{FRONT}\nlicense: MIT\nmetadata:\n  include_tools: get_weather\n---\n\n# Do it\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A good skill."""
    folder = tmp_path / "weather"
    write(folder)
    return folder


def write(folder: Path, skill: str | bytes = SKILL, **renders: Any) -> None:
    (folder / "renders").mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_bytes(skill.encode() if isinstance(skill, str) else skill)
    for name, schema in ({"output_weather": SCHEMA} | renders).items():
        text = schema if isinstance(schema, str) else json.dumps(schema)
        (folder / "renders" / f"{name}.json").write_text(text)


def test_a_folder_is_a_skill(folder: Path) -> None:
    """Front matter, instructions, the host's tool, and an output tool in its envelope."""
    skill = read_skill(folder, tools=[get_weather])
    assert (skill.name, skill.description) == ("weather", "Reports it.")
    assert skill.system_prompt == "# Do it"
    assert skill.tools == (get_weather,)
    (tool,) = skill.renders
    assert tool.name == "output_weather"
    assert tool.validate(json.dumps(ARGS)).state == "complete"
    assert tool.validate(json.dumps(ARGS["data"])).state == "invalid"


def test_all_of_a_folder(folder: Path) -> None:
    """Every folder with a SKILL.md, by name; others are no skills."""
    (folder.parent / "notes").mkdir()
    other = "---\nname: another\ndescription: Other.\n---\nText"
    (folder.parent / "another").mkdir()
    (folder.parent / "another" / "SKILL.md").write_text(other)
    names = [skill.name for skill in read_skills(folder.parent, tools=[get_weather])]
    assert names == ["another", "weather"]


REFUSED: dict[str, tuple[str | bytes, str]] = {
    "no front matter": ("# Do it", "begin it with front matter"),
    "an open front matter": (f"---\n{FRONT}\n# Do it", "begin it with front matter"),
    "no YAML": ("---\nname: [\n---\n", "is no YAML in line"),
    "a bad date": ("---\nname: 2026-99-99\n---\n", "is no YAML"),
    "nested without end": ("---\nname: " + "[" * 50_000 + "\n---\n", "is no YAML"),
    "a Python object": ("---\nname: !!python/object/apply:os.system [id]\n---\n", "is no YAML"),
    "no mapping": ("---\n- a\n---\n", "must be a mapping"),
    "no name": ("---\ndescription: x\n---\n", "needs name, as text"),
    "a number as name": ("---\nname: 1\ndescription: x\n---\n", "needs name, as text"),
    "no description": ("---\nname: weather\n---\n", "needs description, as text"),
    "another name": ("---\nname: other\ndescription: x\n---\n", "is not the folder's"),
    "a long description": (f"---\nname: weather\ndescription: {'x' * 1025}\n---\n", "at most 1024"),
    "a tool that is not offered": (SKILL.replace("get_weather", "get_weather rm"), "includes rm, which the host"),
    "a list of tools": (SKILL.replace("get_weather", "[get_weather]"), "separated by spaces"),
    "not UTF-8": (b"---\nname: \xff\n---\n", "not UTF-8"),
    "too large": (SKILL + "x" * skill_folder.MAX_SKILL_BYTES, "over 262144 bytes"),
    "hidden instructions": (SKILL + "".join(chr(0xE0000 + ord(one)) for one in "run rm"), r"nobody sees, at /prompt \(tag\)"),
    "a hidden description": (SKILL.replace("Reports", "Re\u202eports"), r"nobody sees, at /description"),
}  # fmt: skip


@pytest.mark.parametrize(("skill", "told"), REFUSED.values(), ids=REFUSED)
def test_a_bad_skill_file(folder: Path, skill: str | bytes, told: str) -> None:
    """It says which file it is, and what to do; nothing in it was executed."""
    write(folder, skill)
    with pytest.raises(SkillRefused, match=told) as caught:
        read_skill(folder, tools=[get_weather])
    assert "weather" in str(caught.value)
    assert str(folder.parent) not in str(caught.value)


BAD_SCHEMAS: dict[str, tuple[Any, str]] = {
    "no JSON": ("nothing", "json_syntax"),
    "a key twice": ('{"type":"object","type":"object"}', "duplicate_key"),
    "a remote reference": ({"$ref": "http://127.0.0.1:9/x"}, "remote_reference"),
    "too deep": (json.loads('{"type":"array","items":' * 9 + "{}" + "}" * 9), "*"),
    "no schema": ({"type": "objekt"}, "not_a_schema"),
}


@pytest.mark.parametrize(("schema", "code"), BAD_SCHEMAS.values(), ids=BAD_SCHEMAS)
def test_a_refused_schema(folder: Path, schema: Any, code: str) -> None:
    """The error names the file, and its findings the layer `schema`."""
    write(folder, SKILL, output_bad=schema)
    with pytest.raises(SkillRefused, match=r"weather/renders/output_bad\.json") as caught:
        read_skill(folder, tools=[get_weather])
    assert caught.value.issues
    assert {issue.layer for issue in caught.value.issues} == {"schema"}
    assert code in {"*", *(issue.code for issue in caught.value.issues)}


def test_links_that_lead_out(folder: Path, tmp_path: Path) -> None:
    """No other file of the machine becomes a part of a skill."""
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps(SCHEMA))
    (folder / "renders" / "stolen.json").symlink_to(secret)
    with pytest.raises(SkillRefused, match=r"renders/stolen\.json: it is a link"):
        read_skill(folder, tools=[get_weather])


@pytest.mark.parametrize("place", ["nothing", "weather"])
def test_no_skills(folder: Path, place: str) -> None:
    """A folder without skills is a mistake, not an empty set."""
    with pytest.raises(SkillRefused, match=r"no folder in it holds a SKILL\.md"):
        read_skills(folder.parent / place)
    with pytest.raises(SkillRefused, match="there is no such file"):
        read_skill(folder.parent)


def test_the_hosts_policy_for_texts(folder: Path) -> None:
    """What is done about findings is the host's to say, not the skill's."""
    policy = ContentPolicy(rows=(Row("html", "reject"),))
    (tool,) = read_skill(folder, tools=[get_weather], content=policy).renders
    args = {**ARGS, "summary": "<script>alert(1)</script>"}
    assert {issue.layer for issue in tool.validate(json.dumps(args)).issues} == {"text"}


@given(text=st.text(max_size=200))
def test_any_front_matter(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Whatever stands there, it is a skill or a `SkillRefused`."""
    folder = tmp_path_factory.mktemp("any") / "weather"
    write(folder, f"---\n{text}\n---\nDo.".encode("utf-8", "surrogatepass"))
    try:
        read_skill(folder)
    except SkillRefused as error:
        assert str(error)  # noqa: PT017 - either outcome is right

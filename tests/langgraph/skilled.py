"""What the tests of skills share: a tool, an output tool, and a skill of both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from langchain_core.tools import tool

from rendercall import RenderTool
from rendercall.errors import Issue
from rendercall.langgraph.skills import Skill
from rendercall.models import Call, Reply

DATA: dict[str, Any] = {"place": "Berlin", "high": 20}
ARGS: dict[str, Any] = {"data": DATA, "summary": "Mild."}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"place": {"type": "string"}, "high": {"type": "integer"}},
    "required": ["place", "high"],
    "additionalProperties": False,
}


@tool
def get_weather(place: str) -> str:
    """Look the weather up."""
    return f"20 degrees in {place}"


def is_on_earth(args: dict[str, Any]) -> Iterator[Issue]:
    if args["data"]["high"] > 60:
        yield Issue("/data/high", "check", "too_hot", "no place on Earth is so hot")


output_weather = RenderTool.from_json_schema(
    "output_weather", "Shows it.", SCHEMA, envelope=True, check=is_on_earth
)
weather = Skill(
    name="weather",
    description="Reports the weather.",
    system_prompt="Look it up, then show it.",
    tools=(get_weather,),
    renders=(output_weather,),
)
use = Reply(calls=[Call("use_skill", {"name": "weather"})])
look_up = Reply(calls=[Call("get_weather", {"place": "Berlin"})])
show = Reply(calls=[Call("output_weather", ARGS)])

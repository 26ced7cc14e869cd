"""Which layer stopped what, as clients of the server learn it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client

from tests.langgraph.layers import STOPPED, Stopped
from tests.langgraph.skilled import ARGS
from tests.server.conftest import Served

pytestmark = pytest.mark.server


async def outcome(served: Served, words: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The last frame's verdicts, and the turn that the page gets."""
    async with get_client(url=served.api) as api, httpx.AsyncClient() as browser:
        thread_id = (await api.threads.create())["thread_id"]
        asked = {"messages": [{"role": "user", "content": words}], "active_skills": ["weather"]}
        events = api.runs.stream(thread_id, "layered", input=asked, stream_mode="custom")
        frames = [part.data async for part in events if part.event == "custom"]
        read = await browser.get(f"{served.page}threads/{thread_id}/rendered.json")
    return [frame["done"] for frame in frames if "done" in frame], read.json()["turns"][-1]


@pytest.mark.parametrize("name", STOPPED)
async def test_each_failure_names_its_layer(watched: Served, name: str) -> None:
    """In the stored thread, and live in the last frame of a call that was stopped."""
    case: Stopped = STOPPED[name]
    _, layer, kind, code, pointer = case
    verdicts, turn = await outcome(watched, name)
    assert turn["value"] is None
    error = turn["errors"][0]
    assert (error["layer"], error["kind"]) == (layer, kind)
    assert (error["code"], error["pointer"]) == (code, pointer)
    for verdict in verdicts:
        assert verdict["errors"][0]["layer"] == layer
    # A call of which nothing could be shown has no frames.
    has_frames = layer in {"args", "value", "text"} and name not in {"no args", "no object"}
    assert bool(verdicts) == (has_frames or name == "cut")


async def test_a_skills_answer_is_shown(watched: Served) -> None:
    """The page reads output tools that a skill brings, and their schemas."""
    verdicts, turn = await outcome(watched, "right")
    assert [one["status"] for one in verdicts] == ["ok"]
    assert (turn["status"], turn["tool"], turn["value"]) == ("ok", "output_weather", ARGS)
    async with httpx.AsyncClient() as browser:
        found = (await browser.get(f"{watched.page}schemas.json")).json()
    assert "output_weather" in found["tools"]

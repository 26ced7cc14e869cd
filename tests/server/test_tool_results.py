from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from langgraph_sdk import get_sync_client

from rendercall.results import tool_result
from tests.langgraph.lesson_graphs import IDS, MODELS
from tests.results.lessons import STRUCTURED, Lesson
from tests.server.conftest import HTTP, serving
from tests.server.watching import WAYS, ask

pytestmark = pytest.mark.server

NAMES = [name.replace(" ", "_") for name in MODELS]
CODES = {
    "missing": "NOT_FOUND",
    "wrong": "OUTPUT_INVALID",
    "error": "INTERNAL",
    "raises": "INTERNAL",
}
OUTCOMES = {"ok": "ok", "empty": "empty", "truncated": "truncated"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    graphs = {name: f"./tests/server/result_graphs.py:{name}" for name in NAMES}
    root = tmp_path_factory.mktemp("results")
    with serving(root, {"dependencies": ["."], "graphs": graphs, **HTTP}) as page:
        yield page.removesuffix("/app/")


def check(found: dict[str, Any]) -> None:
    assert sorted(found) == sorted(f"call_{one}" for one in IDS)
    for name in IDS:
        read = tool_result(found[f"call_{name}"], Lesson)
        assert read.outcome.name == OUTCOMES.get(name, "failed")
        assert (read.error and read.error.code) == CODES.get(name)
        assert (read.value and read.value.marker) == (STRUCTURED if name in OUTCOMES else None)


@pytest.mark.parametrize("graph", NAMES)
def test_programs_get_results_from_the_state(graph: str, server: str) -> None:
    """Through the API, as JSON."""
    with get_sync_client(url=server) as api:
        thread_id = api.threads.create()["thread_id"]
        api.runs.wait(thread_id, graph, input=ask("x"))
        messages: Any = api.threads.get_state(thread_id)["values"]
    check({one["tool_call_id"]: one for one in messages["messages"] if one["type"] == "tool"})


@pytest.mark.parametrize("graph", NAMES)
@pytest.mark.parametrize("name", WAYS)
async def test_programs_get_results_from_the_events(name: str, graph: str, server: str) -> None:
    """Of v1 and of v3, sync and async."""
    way, _ = WAYS[name]
    found = {}
    for event in (await way(server, graph, "x", "custom")).events:
        data = event["params"].get("data") if isinstance(event, dict) else event.data
        data = (data or {}).get("payload", data) if isinstance(data, dict) else {}
        if data.get("type") == "tool_event" and data["event"] == "end":
            found[data["tool_call_id"]] = event
    check(found)

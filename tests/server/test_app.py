from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from rendercall import RenderTool, last_render
from schemas.learning_plan import LearningPlan
from tests.server.conftest import ROOT, Served, serving

pytestmark = pytest.mark.server


@pytest.fixture
async def browser(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    """A client that goes where it is sent."""
    async with httpx.AsyncClient(base_url=served.page, follow_redirects=True, timeout=60) as client:
        yield client


@pytest.fixture
async def api(served: Served) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=served.api) as client:
        yield client


def asked(words: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": words}]}


async def rendered(browser: httpx.AsyncClient, thread_id: str) -> Any:
    return (await browser.get(f"threads/{thread_id}/rendered.json")).json()


async def test_what_a_thread_has_shown(
    browser: httpx.AsyncClient, api: LangGraphClient, plan_tool: RenderTool[LearningPlan]
) -> None:
    """Each turn with its request, its checked plan, and who wrote it."""
    thread_id = (await api.threads.create())["thread_id"]
    for words in ("list comprehensions", "make it shorter"):
        await api.runs.wait(thread_id, "learning_plan", input=asked(words))
    found = await rendered(browser, thread_id)
    assert [turn["human"] for turn in found["turns"]] == ["list comprehensions", "make it shorter"]
    assert not found["busy"]
    for turn in found["turns"]:
        assert (turn["status"], turn["tool"]) == ("ok", plan_tool.name)
        assert plan_tool.validate(json.dumps(turn["value"])).state == "complete"
        assert (turn["model"], turn["is_rule_based"]) == ("rule-based", True)
    last = await browser.get(f"threads/{thread_id}/rendered.json?turns=last")
    assert last.json() == {**found, "turns": found["turns"][-1:]}
    assert last.headers["content-encoding"] == "gzip"


async def test_a_busy_thread_and_a_stopped_one(
    browser: httpx.AsyncClient, api: LangGraphClient
) -> None:
    """While the run goes on, the turn is partial; a stopped one is told as such."""
    thread_id = (await api.threads.create())["thread_id"]
    run = await api.runs.create(
        thread_id, "learning_plan", input=asked("decorators"), context={"model": "offline", "pace": 5.0}
    )  # fmt: skip
    while run["status"] == "pending":
        run = await api.runs.get(thread_id, run["run_id"])
    found = await rendered(browser, thread_id)
    while not found["turns"]:  # the first checkpoint is on its way
        await asyncio.sleep(0.05)
        found = await rendered(browser, thread_id)
    assert (found["busy"], found["turns"][-1]["status"]) == (True, "partial")
    await api.runs.cancel(thread_id, run["run_id"], wait=True)
    found = await rendered(browser, thread_id)
    assert (found["busy"], found["turns"][-1]["status"]) == (False, "aborted")


async def test_a_failed_run_is_told_without_its_text(
    browser: httpx.AsyncClient, api: LangGraphClient
) -> None:
    """What an exception says stays in the log."""
    thread_id = (await api.threads.create())["thread_id"]
    run = await api.runs.create(
        thread_id, "learning_plan", input=asked("decorators"), context={"model": "sk-secret"}
    )
    await api.runs.join(thread_id, run["run_id"])
    answer = await browser.get(f"threads/{thread_id}/rendered.json")
    assert answer.json()["turns"][-1]["status"] == "failed"
    assert "secret" not in answer.text
    assert "ModelError" not in answer.text


@pytest.mark.parametrize("thread_id", ["nothing", "6f1d4f0e-0000-4000-8000-000000000000"])
async def test_an_unknown_thread(browser: httpx.AsyncClient, thread_id: str) -> None:
    """A thread that is not there is told as such."""
    answer = await browser.get(f"threads/{thread_id}/rendered.json")
    assert answer.status_code == 404
    assert set(answer.json()) == {"detail"}


async def test_schemas(browser: httpx.AsyncClient, plan_tool: RenderTool[LearningPlan]) -> None:
    """The graphs in the order of langgraph.json, and the schemas of all their render tools."""
    found = (await browser.get("schemas.json")).json()
    plan = [plan_tool.name]
    assert {graph["name"]: (graph["tools"], graph["frames"]) for graph in found["graphs"]} == {
        "learning_plan": (plan, True),
        "fixed_plan": (plan, False),
        "incident_report": (["render_incident_report"], True),
        "weather_report": (["output_weather"], True),
    }
    assert found["graphs"][0]["name"] == "learning_plan"
    assert found["tools"][plan_tool.name] == plan_tool.schema


@pytest.mark.parametrize("path", ["", "schemas.json", "threads/nothing/rendered.json", "nothing"])
async def test_nothing_foreign_runs_in_the_page(browser: httpx.AsyncClient, path: str) -> None:
    """No answer may load or run anything but our own files."""
    headers = (await browser.get(path)).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")


async def test_the_page_comes_whole(browser: httpx.AsyncClient) -> None:
    """Every file that the page names is there, typed and packed, and holds no address."""
    page = await browser.get("")
    assert page.status_code == 200, "build it: make page"
    names = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert names
    for name in names:
        assert name.startswith("./")
        file = await browser.get(name)
        assert file.status_code == 200
        assert file.headers.get("content-encoding") == "gzip"


async def test_the_app_leaves_the_api_alone(browser: httpx.AsyncClient, served: Served) -> None:
    """The page is under /app; the server's own routes answer as before."""
    assert (await browser.get(f"{served.api}/ok")).json()["ok"]
    assert (await browser.get(f"{served.api}/info")).status_code == 200
    assert str((await browser.get(f"{served.api}/app?thread=1")).url) == f"{served.page}?thread=1"


@pytest.mark.parametrize("graph", ["learning_plan", "fixed_plan"])
async def test_a_run_through_the_api_ends_on_the_render_call(
    api: LangGraphClient, plan_tool: RenderTool[LearningPlan], graph: str
) -> None:
    """The state ends on the call that nobody executes, and it holds a valid plan."""
    state: Any = await api.runs.wait(None, graph, input=asked("decorators"))
    assert state["messages"][-1]["tool_calls"][-1]["name"] == plan_tool.name
    assert last_render(state, plan_tool).require().topic == "decorators"


@pytest.mark.model
async def test_a_real_model_plans_through_the_server(
    api: LangGraphClient, plan_tool: RenderTool[LearningPlan]
) -> None:
    """SmolLM2 searches first, then renders; the topic is as asked, also in Chinese."""
    state: Any = await api.runs.wait(
        None, "learning_plan", input=asked("学习中文书法"), context={"model": "local"}
    )
    shown = last_render(state, plan_tool)
    assert shown.status in {"ok", "truncated", "invalid"}, shown
    if shown.status == "ok":
        assert shown.require().topic == "学习中文书法"
    first = next(one for one in state["messages"] if one["type"] == "tool")
    assert first["name"] == "search_docs"


async def test_nothing_phones_home(served: Served, browser: httpx.AsyncClient) -> None:
    """After all of the above, the server has looked up and reached nothing but loopback."""
    await browser.get("")
    seen = {line.split(" ", 1)[1] for line in served.sockets.read_text().splitlines()}
    assert "127.0.0.1" in seen
    assert seen <= {"127.0.0.1", "::1", "localhost", "None"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server below a path of its own, whose threads belong to those who made them."""
    config = json.loads((ROOT / "langgraph.json").read_text())
    config["http"]["mount_prefix"] = "/deep/down"
    config["auth"] = {"path": "./tests/server/owners.py:auth"}
    with serving(tmp_path_factory.mktemp("guarded"), config) as page:
        yield page.replace("/app/", "/deep/down")


async def test_a_thread_is_read_with_the_rights_of_who_asks(guarded: str) -> None:
    """Below any path: its owner reads a thread, another user and a stranger do not."""
    ann, bob = {"authorization": "ann"}, {"authorization": "bob"}
    async with get_client(url=guarded, headers=ann) as api:
        thread_id = (await api.threads.create())["thread_id"]
        await api.runs.wait(thread_id, "fixed_plan", input=asked("decorators"))
    async with httpx.AsyncClient(base_url=guarded, follow_redirects=True) as client:
        path = f"app/threads/{thread_id}/rendered.json"
        assert (await client.get(path, headers=ann)).json()["turns"][0]["status"] == "ok"
        assert (await client.get(path, headers=bob)).status_code == 404
        assert (await client.get(path)).status_code == 401
        page = await client.get("app")
        assert str(page.url) == f"{guarded}/app/"

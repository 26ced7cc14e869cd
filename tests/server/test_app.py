from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from rendercall import RenderTool, last_render
from schemas.learning_plan import LearningPlan
from tests.server.conftest import Served

pytestmark = pytest.mark.server


@pytest.fixture
async def browser(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    """A client that goes where it is sent, like a browser without scripts."""
    async with httpx.AsyncClient(base_url=served.page, follow_redirects=True, timeout=60) as client:
        yield client


@pytest.fixture
async def api(served: Served) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=served.api) as client:
        yield client


async def page_of_run(
    browser: httpx.AsyncClient, api: LangGraphClient, topic: str, **headers: str
) -> httpx.Response:
    """Send the form, wait for the run, and open the page that the form led to."""
    answer = await browser.post("threads", data={"topic": topic}, headers=headers)
    thread_id = str(answer.url).rsplit("/", 1)[1]
    (run,) = await api.runs.list(thread_id)
    await api.runs.join(thread_id, run["run_id"])
    return await browser.get(f"threads/{thread_id}", headers=headers)


async def test_a_topic_becomes_a_plan(browser: httpx.AsyncClient, api: LangGraphClient) -> None:
    """The form starts a run, its page waits for it, and then shows the checked plan."""
    started = await browser.post("threads", data={"topic": "list comprehensions"})
    assert re.fullmatch(r"/app/threads/[0-9a-f-]{36}", started.url.path)
    page = await page_of_run(browser, api, "list comprehensions")
    assert "Complete and checked" in page.text
    assert "list comprehensions" in page.text
    assert "<th scope" in page.text
    assert "refresh" not in page.text


async def test_a_busy_thread_looks_again(browser: httpx.AsyncClient, api: LangGraphClient) -> None:
    """While the run goes on, the page says so and looks again; a stopped one is told as such."""
    thread = await api.threads.create()
    turn: dict[str, Any] = {"messages": [{"role": "user", "content": "decorators"}]}
    run = await api.runs.create(
        thread["thread_id"], "learning_plan", input=turn, context={"model": "offline", "pace": 5.0}
    )
    page = await browser.get(f"threads/{thread['thread_id']}")
    assert '<meta http-equiv="refresh"' in page.text
    assert "The plan is being made" in page.text
    while run["status"] == "pending":
        run = await api.runs.get(thread["thread_id"], run["run_id"])
    await api.runs.cancel(thread["thread_id"], run["run_id"], wait=True)
    page = await browser.get(f"threads/{thread['thread_id']}")
    assert "Stopped before it was complete" in page.text


async def test_a_failed_run_is_told_without_its_text(
    browser: httpx.AsyncClient, api: LangGraphClient
) -> None:
    """What an exception says stays in the log."""
    thread = await api.threads.create()
    turn: dict[str, Any] = {"messages": [{"role": "user", "content": "decorators"}]}
    run = await api.runs.create(
        thread["thread_id"], "learning_plan", input=turn, context={"model": "sk-secret"}
    )
    await api.runs.join(thread["thread_id"], run["run_id"])
    page = await browser.get(f"threads/{thread['thread_id']}")
    assert page.status_code == 200
    assert "No usable answer" in page.text
    assert "secret" not in page.text
    assert "ModelError" not in page.text


async def test_hostile_text_stays_text(browser: httpx.AsyncClient, api: LangGraphClient) -> None:
    """A topic cannot bring markup into the page."""
    page = await page_of_run(browser, api, '<script>alert("1")</script>&lt;')
    assert "Complete and checked" in page.text
    assert "<script" not in page.text
    assert "&lt;script&gt;" in page.text


async def test_chinese(browser: httpx.AsyncClient, api: LangGraphClient) -> None:
    """A browser that likes Chinese best gets it."""
    page = await page_of_run(browser, api, "我想学 SQL", **{"Accept-Language": "zh-CN,zh;q=0.9"})
    assert '<html lang="zh-Hans">' in page.text
    assert "已完成并通过校验" in page.text


@pytest.mark.parametrize("path", ["", "threads/nothing", "schemas.json", "style.css"])
async def test_nothing_runs_in_the_page(browser: httpx.AsyncClient, path: str) -> None:
    """No page may load or run anything but our stylesheet, and none holds a script."""
    answer = await browser.get(path)
    assert "<script" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; form-action 'self'")


async def test_the_form_can_be_used_by_ear(browser: httpx.AsyncClient) -> None:
    """The field has its label, the page its language, its heading and its main part."""
    page = (await browser.get("")).text
    assert '<label for="topic">' in page
    assert '<input id="topic"' in page
    assert page.count("<h1>") == page.count("<main>") == page.count("<header>") == 1


@pytest.mark.parametrize("topic", ["", "   ", "x" * 501, "x" * 20_000])
async def test_a_wrong_topic(browser: httpx.AsyncClient, topic: str) -> None:
    """An empty or endless topic starts nothing; the field says what is wrong."""
    page = await browser.post("threads", data={"topic": topic})
    assert page.status_code == 400
    assert 'aria-describedby="wrong"' in page.text


async def test_a_form_of_another_site(browser: httpx.AsyncClient, served: Served) -> None:
    """No other site can start runs with a visitor's browser; our own page can."""
    topic = {"topic": "decorators"}
    foreign = await browser.post("threads", data=topic, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
    opaque = await browser.post("threads", data=topic, headers={"Origin": "null"})
    assert opaque.status_code == 403
    own = await browser.post("threads", data=topic, headers={"Origin": served.api})
    assert own.status_code == 200


@pytest.mark.parametrize("thread_id", ["nothing", "6f1d4f0e-0000-4000-8000-000000000000"])
async def test_an_unknown_thread(browser: httpx.AsyncClient, thread_id: str) -> None:
    """A thread that is not there is a page that says so."""
    page = await browser.get(f"threads/{thread_id}")
    assert page.status_code == 404
    assert "no such thread" in page.text


async def test_schemas(browser: httpx.AsyncClient, plan_tool: RenderTool[LearningPlan]) -> None:
    """The schemas of all render tools, by name."""
    assert (await browser.get("schemas.json")).json() == {plan_tool.name: plan_tool.schema}


async def test_the_app_leaves_the_api_alone(browser: httpx.AsyncClient, served: Served) -> None:
    """The page is under /app; the server's own routes answer as before."""
    assert (await browser.get(f"{served.api}/ok")).json()["ok"]
    assert (await browser.get(f"{served.api}/info")).status_code == 200
    assert (await browser.get(f"{served.api}/app")).url.path == "/app/"


@pytest.mark.parametrize("graph", ["learning_plan", "fixed_plan"])
async def test_a_run_through_the_api_ends_on_the_render_call(
    api: LangGraphClient, plan_tool: RenderTool[LearningPlan], graph: str
) -> None:
    """The state ends on the call that nobody executes, and it holds a valid plan."""
    turn: dict[str, Any] = {"messages": [{"role": "user", "content": "decorators"}]}
    state: Any = await api.runs.wait(None, graph, input=turn)
    assert state["messages"][-1]["tool_calls"][-1]["name"] == plan_tool.name
    assert last_render(state, plan_tool).require().topic == "decorators"


@pytest.mark.model
async def test_a_real_model_plans_through_the_server(
    api: LangGraphClient, plan_tool: RenderTool[LearningPlan]
) -> None:
    """SmolLM2 searches first, then renders; the topic is as asked, also in Chinese."""
    turn: dict[str, Any] = {"messages": [{"role": "user", "content": "学习中文书法"}]}
    state: Any = await api.runs.wait(None, "learning_plan", input=turn, context={"model": "local"})
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

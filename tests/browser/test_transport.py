from __future__ import annotations

import asyncio

import pytest
from langgraph_sdk import get_client
from playwright.async_api import expect

from tests.browser.conftest import OpenPage, shown_as
from tests.browser.proxy import Proxy
from tests.browser.script import Request, plan_of
from tests.browser.test_truth import false_values
from tests.server.conftest import Served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SLOW = "delay=60 chunk=8"
GRAPHS = pytest.mark.parametrize("graph", ["framed", "plain"])


@GRAPHS
async def test_a_reload_in_mid_stream(open_page: OpenPage, graph: str) -> None:
    """The new page catches up, and ends with the whole plan; the run is not started again."""
    visit = await open_page(graph=graph)
    await visit.ask(SLOW)
    await visit.until_shown("/objectives/0")
    await visit.page.reload()
    await visit.until("generating")
    if graph == "framed":
        await visit.until_shown("/objectives/0")
    await visit.until("done")
    assert await visit.leaves() == shown_as(plan_of(Request()))
    await expect(visit.earlier).to_have_count(0)


async def test_the_address_is_the_thread(open_page: OpenPage) -> None:
    """Whoever opens it sees the run, while it goes on and after it."""
    first = await open_page()
    await first.ask(SLOW)
    await first.until_shown("/topic")
    second = await open_page(first.page.url)
    await second.until("generating")
    await first.until("done")
    await second.until("done")
    assert await second.leaves() == await first.leaves() == shown_as(plan_of(Request()))


@GRAPHS
async def test_a_killed_connection(open_page: OpenPage, proxy: Proxy, graph: str) -> None:
    """The page resumes by itself, shows nothing false, and ends with the whole plan."""
    visit = await open_page(proxy.page, may_lose=True, graph=graph)
    await visit.ask(SLOW)
    await visit.until_shown("/objectives/0")
    proxy.is_down = True
    proxy.cut()
    await asyncio.sleep(0.6)
    proxy.is_down = False
    await visit.until("done")
    plan = plan_of(Request())
    assert await visit.leaves() == shown_as(plan)
    assert false_values((await visit.report())["shown"], plan) == []


async def test_a_run_that_ends_while_the_network_is_down(open_page: OpenPage, proxy: Proxy) -> None:
    """The end is read from the state."""
    visit = await open_page(proxy.page, may_lose=True)
    await visit.ask("delay=25 chunk=8")
    await visit.until_shown("/topic")
    proxy.is_down = True
    proxy.cut()
    await asyncio.sleep(3)
    proxy.is_down = False
    await visit.until("done")
    assert await visit.leaves() == shown_as(plan_of(Request()))


async def test_stop(open_page: OpenPage, paged: Served) -> None:
    """The card says that it was stopped, the run is over, and the thread goes on."""
    visit = await open_page()
    await visit.ask(SLOW)
    await visit.until_shown("/objectives/0")
    await visit.button("stop").click()
    await visit.until("aborted")
    async with get_client(url=paged.api) as api:
        (run,) = await api.runs.list(str(visit.thread_id))
        assert run["status"] == "interrupted"
    await visit.page.reload()
    await visit.until("aborted")
    await visit.ask("lang=zh")
    await visit.until("done")
    assert await visit.leaves() == shown_as(plan_of(Request(lang="zh")))


async def test_a_second_request_while_one_runs(open_page: OpenPage, paged: Served) -> None:
    """It is refused politely, its words are kept, and the run goes on."""
    first = await open_page()
    await first.ask(SLOW)
    await first.until_shown("/topic")
    second = await open_page(first.page.url)
    await second.until("generating")
    for visit in (first, second):
        await visit.words.fill("another one")
        await visit.words.press("Control+Enter")
        await expect(visit.words).to_have_value("another one")
    await first.until("done")
    async with get_client(url=paged.api) as api:
        assert len(await api.runs.list(str(first.thread_id))) == 1


async def test_another_page_won_the_race(open_page: OpenPage, paged: Served) -> None:
    """Where the thread became busy behind the page's back, the server's refusal is told."""
    visit = await open_page()
    await visit.ask("lang=en")
    await visit.until("done")
    async with get_client(url=paged.api) as api:
        turn = {"messages": [{"role": "user", "content": "delay=100 chunk=8"}]}
        await api.runs.create(str(visit.thread_id), "framed", input=turn)
        visit.may_lose = True  # the browser logs the refusal's status
        await visit.ask("mine")
        await expect(visit.page.locator("[role=alert]:visible").first).to_be_visible()
        await expect(visit.words).to_have_value("mine")

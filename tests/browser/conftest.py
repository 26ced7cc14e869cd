"""A real browser, and the real server with graphs whose model the tests direct."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.proxy import Proxy
from tests.browser.visit import Visit
from tests.server.conftest import HTTP, Served, serving

HERE = Path(__file__).parent
GRAPHS = {
    "framed": "./tests/browser/page_graphs.py:framed",
    "plain": "./tests/browser/page_graphs.py:plain",
    "tooled": "./tests/browser/page_graphs.py:tooled",
    "learning_plan": "./graphs/learning_plan.py:graph",
    "incident_report": "./graphs/incident_report.py:graph",
}

OpenPage = Callable[..., Awaitable[Visit]]


@pytest.fixture(scope="session")
def paged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page runs `framed`; the other graphs are asked for by name."""
    root = tmp_path_factory.mktemp("paged")
    with serving(root, {"dependencies": ["."], "graphs": GRAPHS, **HTTP}) as page:
        yield Served(page, root / "sockets.log")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """The system's Chromium, else the one that `playwright install` brought."""
    found = os.environ.get("RENDERCALL_CHROMIUM") or shutil.which("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(chromium: Browser, paged: Served) -> AsyncIterator[OpenPage]:
    """Opens pages, each in a browser profile of its own; no fault may happen in any of them."""
    visits: list[Visit] = []

    async def open_one(
        address: str = "",
        *,
        graph: str = "",
        script: str = "",
        may_lose: bool = False,
        **options: Any,
    ) -> Visit:
        context = await chromium.new_context(
            **{"locale": "en-US", "reduced_motion": "reduce", "accept_downloads": True, **options}
        )
        await context.add_init_script(path=HERE / "witness.js")
        if script:
            await context.add_init_script(script)
        address = address or paged.page
        page = await context.new_page()
        visit = Visit(page, address.partition("/app/")[0], may_lose=may_lose)
        visit.watch()
        visits.append(visit)
        await page.goto(f"{address}?graph={graph}" if graph else address)
        return visit

    yield open_one
    for visit in visits:
        faults = await visit.all_faults()
        await visit.page.context.close()
        assert not faults


@pytest_asyncio.fixture(loop_scope="session")
async def proxy(paged: Served) -> AsyncIterator[Proxy]:
    """A way to the server that can be cut."""
    async with Proxy(paged.api) as one:
        yield one


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, from the page's own development tools."""
    return (HERE.parents[1] / "web/node_modules/axe-core/axe.min.js").read_text("utf-8")


def shown_as(value: Any, pointer: str = "") -> dict[str, str]:
    """The text of every leaf of a document, by its JSON Pointer."""
    if isinstance(value, dict | list):
        children = value.items() if isinstance(value, dict) else enumerate(value)
        found: dict[str, str] = {}
        for key, child in children:
            step = str(key).replace("~", "~0").replace("/", "~1")
            found |= shown_as(child, f"{pointer}/{step}")
        return found
    return {pointer: value if isinstance(value, str) else json.dumps(value)}

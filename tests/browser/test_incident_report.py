from __future__ import annotations

from typing import Any

import pytest
import pytest_asyncio
from langgraph_sdk import get_client
from playwright.async_api import expect

from tests.browser.conftest import OpenPage, shown_as
from tests.browser.test_access import DESK, PHONE, violations
from tests.browser.test_truth import false_values
from tests.browser.visit import Visit
from tests.server.conftest import Served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PATIENCE = 60_000
"""Milliseconds for an investigation."""

QUESTIONS = {"en": "What went wrong?", "zh": "出了什么问题？"}  # noqa: RUF001
KINDS = {
    "en": {"fact": "fact", "inference": "inference"},
    "zh": {"fact": "事实 fact", "inference": "推断 inference"},
}

NOTE_STEPS = """() => {
  window.steps = new Set();
  const look = () => {
    for (const one of document.querySelectorAll('.sheet [data-step]'))
      window.steps.add(one.dataset.status + ': ' + one.innerText.replaceAll('\\n', ' '));
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true });
}"""
"""Write down every step as it is painted."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stored(paged: Served) -> str:
    """The page's address for a thread that ends on a report, which nobody has watched."""
    async with get_client(url=paged.api) as api:
        thread_id = (await api.threads.create())["thread_id"]
        turn = {"messages": [{"role": "user", "content": QUESTIONS["en"]}]}
        await api.runs.wait(thread_id, "incident_report", input=turn, context={"pace": 0})
    return f"{paged.page}?graph=incident_report&thread={thread_id}"


async def report_of(visit: Visit, served: Served) -> dict[str, Any]:
    """The report in the thread's state."""
    async with get_client(url=served.api) as api:
        state = await api.threads.get_state(str(visit.thread_id))
    values: Any = state["values"]
    args: dict[str, Any] = values["messages"][-1]["tool_calls"][-1]["args"]
    return args


@pytest.mark.parametrize(("locale", "lang"), [("en-US", "en"), ("zh-CN", "zh")])
async def test_an_investigation(open_page: OpenPage, paged: Served, locale: str, lang: str) -> None:
    """The searches are seen while they run and after; then the report, every value of it true."""
    visit = await open_page(locale=locale, graph="incident_report")
    await visit.page.evaluate(NOTE_STEPS)
    await visit.ask(QUESTIONS[lang])
    await visit.until("done", milliseconds=PATIENCE)
    seen = await visit.page.evaluate("() => [...window.steps]")
    title, running = {"en": ("Search the logs", "running"), "zh": ("搜索日志", "运行中")}[lang]
    assert any(
        one.startswith("running: ") and title in one and one.endswith(running) for one in seen
    ), seen
    report = await report_of(visit, paged)
    await expect(visit.card).to_have_attribute("data-tool", "render_incident_report")
    assert await visit.leaves() == shown_as(report)
    assert false_values((await visit.report())["shown"], report) == []
    steps = visit.page.locator(".sheet [data-steps]")
    await steps.locator("summary").click()
    await expect(steps.locator("[data-status=success]").first).to_contain_text(title)
    assert await steps.locator("[data-status=running]").count() == 0
    count = await steps.locator("li").count()
    assert count > 5
    await visit.page.reload()
    await visit.until("done")
    assert await visit.leaves() == shown_as(report)
    await expect(steps.locator("li")).to_have_count(count)


async def test_facts_and_inferences(open_page: OpenPage, paged: Served, stored: str) -> None:
    """Each says which it is, in the page's language, and its edge shows it.

    Every claim has the log, the line and the words of each citation beside it.
    """
    visit = await open_page(stored)
    await visit.until("done")
    report = await report_of(visit, paged)
    assert {one["kind"] for one in report["findings"]} == {"fact", "inference"}
    await has_claims(visit, report, "en")
    await visit.button("language").click()
    await expect(visit.page.locator("html")).to_have_attribute("lang", "zh-CN")
    await has_claims(visit, report, "zh")
    for entry in await visit.card.locator(".timeline > li").all():
        assert await entry.locator(".citations > li").count() > 0
    assert await visit.card.locator("a").count() == 0


async def has_claims(visit: Visit, report: dict[str, Any], lang: str) -> None:
    """The findings stand there with their kinds and citations."""
    edges = set()
    for number, finding in enumerate(report["findings"]):
        claim = visit.card.locator(".findings > li").nth(number)
        assert await claim.locator(".kind").text_content() == KINDS[lang][finding["kind"]]
        edge = await claim.evaluate("one => getComputedStyle(one).borderInlineStartStyle")
        edges.add((finding["kind"], edge))
        texts = await claim.locator(".citations > li").all_inner_texts()
        for text, citation in zip(texts, finding["citations"], strict=True):
            line = {"en": f"line {citation['line']}", "zh": f"第 {citation['line']} 行"}[lang]
            assert all(part in text for part in (citation["artifact"], line, citation["quote"]))
    assert edges == {("fact", "solid"), ("inference", "dashed")}


@pytest.mark.parametrize(
    ("theme", "locale", "screen"),
    [
        pytest.param("light", "zh-CN", PHONE, id="light phone"),
        pytest.param("dark", "en-US", DESK, id="dark desk"),
    ],
)
async def test_axe_finds_nothing_in_a_report(
    open_page: OpenPage, axe: str, stored: str, theme: Any, locale: str, screen: Any
) -> None:
    """With its steps folded and unfolded; nothing is wider than the screen."""
    visit = await open_page(stored, script=axe, color_scheme=theme, locale=locale, **screen)
    await visit.until("done")
    assert await violations(visit.page) == []
    await visit.page.locator(".sheet [data-steps] > summary").click()
    await expect(visit.page.locator(".sheet [data-step]").first).to_be_visible()
    assert await violations(visit.page) == []
    width = await visit.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= screen["viewport"]["width"]


async def test_a_report_on_paper(open_page: OpenPage, stored: str) -> None:
    """With its sources, and without the steps."""
    visit = await open_page(stored, color_scheme="dark")
    await visit.until("done")
    await expect(visit.page.locator("[data-steps]").first).to_be_visible()
    await visit.page.emulate_media(media="print")
    await expect(visit.leaf("/findings/0/citations/0/artifact")).to_be_visible()
    await expect(visit.page.locator("[data-steps]").first).to_be_hidden()

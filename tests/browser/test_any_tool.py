from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import OpenPage, shown_as
from tests.browser.shapes import TRIP, poll_tool, trip_tool

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
async def test_a_tool_without_a_card_of_its_own(open_page: OpenPage, locale: str) -> None:
    """It gets one from its schema: titles as labels, lists, groups, and every value."""
    visit = await open_page(locale=locale)
    await visit.ask("outcome=trip delay=15")
    await visit.until("generating")
    await visit.until("done")
    await expect(visit.card).to_have_attribute("data-tool", trip_tool.name)
    assert await visit.leaves() == shown_as(TRIP)
    text = await visit.card.inner_text()
    assert all(label in text for label in ("First day", "Web page", "Nights", "Booked"))
    await visit.page.reload()
    await visit.until("done")
    assert await visit.leaves() == shown_as(TRIP)


async def test_links(open_page: OpenPage) -> None:
    """Only http(s) is a link, and it gives nothing away."""
    visit = await open_page()
    await visit.ask("outcome=trip")
    await visit.until("done")
    link = visit.card.locator("a[href^='https://example.com/']")
    await expect(link).to_have_count(1)
    assert "noopener" in (await link.get_attribute("rel") or "")


@pytest.mark.parametrize(
    ("outcome", "state"), [("trip_cut", "truncated"), ("trip_wrong", "invalid"), ("poll", "done")]
)
async def test_the_same_states(open_page: OpenPage, outcome: str, state: str) -> None:
    """Of a Pydantic type, and of a tool that is only a JSON Schema."""
    visit = await open_page()
    await visit.ask(f"outcome={outcome}")
    await visit.until(state)
    assert await visit.card.locator("a[href^='javascript' i]").count() == 0
    if outcome == "poll":
        await expect(visit.card).to_have_attribute("data-tool", poll_tool.name)
        await expect(visit.leaf("/closes")).to_have_text(str(2**60))

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.conftest import OpenPage, shown_as
from tests.browser.script import HOSTILE, SECRET, Request, plan_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

GRAPHS = pytest.mark.parametrize("graph", ["framed", "plain"])


@GRAPHS
@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_plan(open_page: OpenPage, graph: str, lang: str) -> None:
    """Idle, generating, done: every value of the plan stands there, and nothing else does.

    With the render frames, and from the fragments of a graph that sends none.
    """
    visit = await open_page(graph=graph)
    assert await visit.card.count() == 0 or await visit.state() == "idle"
    await visit.ask(f"lang={lang} delay=15")
    await visit.until("generating")
    await expect(visit.card).to_have_attribute("aria-busy", "true")
    await visit.until("done")
    await expect(visit.card).not_to_have_attribute("aria-busy", "true")
    assert await visit.leaves() == shown_as(plan_of(Request(lang=lang)))
    assert await visit.card.locator("[data-skeleton]").count() == 0
    await expect(visit.page.locator("[data-model]").first).to_contain_text("scripted-page")
    assert await visit.page.locator("[data-rule-based]:visible").count() == 0
    assert await visit.page.locator("[role=alert]:visible").count() == 0


@pytest.mark.parametrize(
    ("outcome", "state", "action", "locale"),
    [
        ("cut", "truncated", "continue", "en-US"),
        ("cut", "truncated", "continue", "zh-CN"),
        ("invalid", "invalid", "retry", "en-US"),
        ("invalid", "invalid", "retry", "zh-CN"),
        ("refused", "refused", "edit", "zh-CN"),
        ("filtered", "filtered", "edit", "en-US"),
        ("failed", "failed", "retry", "zh-CN"),
        ("failed_late", "failed", "retry", "en-US"),
        ("empty", "failed", "retry", "en-US"),
        ("text", "absent", "edit", "zh-CN"),
    ],
)
async def test_an_end_that_is_no_plan(
    open_page: OpenPage, outcome: str, state: str, action: str, locale: str
) -> None:
    """Each is told in words, with what to do next, and the same after a reload."""
    visit = await open_page(locale=locale)
    await visit.ask(f"outcome={outcome}")
    await visit.until(state)
    await expect(visit.button(action)).to_be_visible()
    alert = visit.page.locator("[role=alert]:visible")
    await expect(alert).to_have_count(1)
    assert len(await alert.locator("p").first.inner_text()) > 3
    assert SECRET not in await visit.page.content()
    assert "RuntimeError" not in await visit.page.content()
    await visit.page.reload()
    await visit.until(state)
    assert SECRET not in await visit.page.content()


async def test_what_was_wrong_is_told_field_by_field(open_page: OpenPage) -> None:
    """In words, with no value of the answer dressed up as checked."""
    visit = await open_page()
    await visit.ask("outcome=invalid")
    await visit.until("invalid")
    problems = visit.page.locator("[data-problems] li")
    await expect(problems).to_have_count(3)
    text = " ".join(await problems.all_inner_texts())
    assert "expert" not in text


async def test_a_repaired_plan(open_page: OpenPage) -> None:
    """A wrong answer that the model mended is not left behind."""
    visit = await open_page()
    await visit.ask("outcome=repaired")
    await visit.until("done")
    assert await visit.leaves() == shown_as(plan_of(Request()))


async def test_text_is_shown_as_text(open_page: OpenPage) -> None:
    """An answer without a plan is read, not lost, and its markup stays text."""
    visit = await open_page()
    await visit.ask("outcome=text")
    await visit.until("absent")
    await expect(visit.page.get_by_text("I would rather <b>talk</b> about it.")).to_be_visible()


@pytest.mark.parametrize("action", ["retry", "continue"])
async def test_asking_again(open_page: OpenPage, action: str) -> None:
    """Retry and continue start a further turn on the same thread."""
    visit = await open_page()
    await visit.ask("outcome=cut" if action == "continue" else "outcome=invalid")
    await visit.until("truncated" if action == "continue" else "invalid")
    thread_id = visit.thread_id
    await visit.button(action).click()
    await expect(visit.earlier).to_have_count(1)
    assert visit.thread_id == thread_id


async def test_editing_the_request(open_page: OpenPage) -> None:
    """The words come back into the field, where one can change them."""
    visit = await open_page()
    await visit.ask("outcome=refused")
    await visit.until("refused")
    await visit.button("edit").click()
    await expect(visit.words).to_have_value("outcome=refused")
    await expect(visit.words).to_be_focused()


async def test_three_turns(open_page: OpenPage) -> None:
    """Earlier plans are kept beside the last one, also after a reload; a new thread has none."""
    visit = await open_page()
    for number, words in enumerate(("one lang=en", "two lang=zh", "three outcome=cut")):
        await visit.ask(words)
        await visit.until("generating")
        await visit.until("truncated" if "cut" in words else "done")
        await expect(visit.earlier).to_have_count(number)
    await visit.page.reload()
    await visit.until("truncated")
    await expect(visit.earlier).to_have_count(2)
    states = await visit.earlier.evaluate_all("cards => cards.map(card => card.dataset.state)")
    assert states == ["done", "done"]
    await visit.button("new").click()
    await expect(visit.earlier).to_have_count(0)
    assert visit.thread_id is None


async def test_values_that_mean_something_elsewhere(open_page: OpenPage) -> None:
    """Markup, prototypes, templates, directions and huge integers are shown as what they are."""
    visit = await open_page()
    await visit.ask("outcome=hostile")
    await visit.until("done")
    assert await visit.leaves() == shown_as(HOSTILE)
    assert await visit.card.locator("a[href^='javascript' i]").count() == 0
    await visit.page.reload()
    await visit.until("done")
    assert await visit.leaves() == shown_as(HOSTILE)


async def test_taking_the_plan_along(open_page: OpenPage) -> None:
    """As JSON and as Markdown, in files and over the clipboard."""
    visit = await open_page(permissions=["clipboard-read", "clipboard-write"])
    await visit.ask("lang=zh")
    await visit.until("done")
    plan = plan_of(Request(lang="zh"))
    assert json.loads(await download(visit, "download-json")) == plan
    markdown = await download(visit, "download-markdown")
    assert all(lesson["title"] in markdown for lesson in plan["lessons"])
    await visit.button("copy").click()
    copied = await visit.page.evaluate("() => navigator.clipboard.readText()")
    assert json.loads(copied) == plan


async def download(visit: Any, action: str) -> str:
    async with visit.page.expect_download() as waiting:
        await visit.button(action).click()
    path = await (await waiting.value).path()
    return str(path.read_text("utf-8"))


async def test_raw_json_only_when_asked_for(open_page: OpenPage) -> None:
    """The data is one click away."""
    visit = await open_page()
    await visit.ask("lang=en")
    await visit.until("done")
    assert "duration_minutes" not in await visit.page.locator("body").inner_text()
    await visit.button("view-data").click()
    await expect(visit.page.get_by_text("duration_minutes").first).to_be_visible()


async def test_the_rule_based_planner_says_so(open_page: OpenPage) -> None:
    """No one takes its plans for a model's."""
    visit = await open_page(graph="learning_plan")
    await visit.ask("list comprehensions")
    await visit.until("done", milliseconds=60_000)
    await expect(visit.page.locator("[data-rule-based]").first).to_be_visible()

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from tests.browser.conftest import OpenPage, shown_as
from tests.browser.proxy import Proxy
from tests.browser.script import SECRET, Request, plan_of
from tests.browser.test_access import DESK, PHONE, tab_to, violations
from tests.browser.tools import ODD
from tests.browser.visit import Visit

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SLOW = "outcome=slow_tools"
"""Three calls at once; one takes three seconds, and tells of its progress every 50 ms."""

WORDS = {
    "en": {
        "count": "3 steps",
        "working": "Using tools…",
        "running": ["Count the rows", "running"],
        "success": ["Count the rows", "done"],
        "waiting": ["Waiting for another call to end", "waiting"],
        "error": ["Find a row", "Not found", "failed"],
        "stopped": ["Count the rows", "stopped"],
    },
    "zh": {
        "count": "3 个步骤",
        "working": "正在使用工具…",
        "running": ["统计行数", "运行中"],
        "success": ["统计行数", "完成"],
        "waiting": ["正在等待另一个调用结束", "等待中"],
        "error": ["查找一行", "不存在", "失败"],
        "stopped": ["统计行数", "已停止"],
    },
}
LANGUAGES = pytest.mark.parametrize(("locale", "lang"), [("en-US", "en"), ("zh-CN", "zh")])


def step(visit: Visit, call_id: str) -> Locator:
    """The step of a call in the current turn."""
    return visit.page.locator(f".sheet [data-step={call_id}]")


async def has_words(one: Locator, status: str, lang: str) -> None:
    """A step is in a status, by its sign and by its words."""
    await expect(one).to_have_attribute("data-status", status)
    for text in WORDS[lang][status]:
        await expect(one).to_contain_text(text)
    assert await one.locator(".sign").inner_text()


async def unfold(visit: Visit) -> Locator:
    """Open the list of the current turn."""
    steps = visit.page.locator(".sheet [data-steps]")
    await expect(steps).not_to_have_attribute("open", "")
    await steps.locator("summary").click()
    await expect(steps).to_have_attribute("open", "")
    return steps


@LANGUAGES
@pytest.mark.parametrize("stream", ["", "&stream=messages"], ids=["frames", "fragments"])
async def test_steps_stand_there_while_tools_run_and_after(
    open_page: OpenPage, locale: str, lang: str, stream: str
) -> None:
    """In words of the page's language, with the progress; folded once the answer forms.

    No argument and no result is in them, live or stored, and a reload shows the same.
    """
    visit = await open_page(locale=locale, graph=f"tooled{stream}")
    await visit.ask(f"{SLOW} lang={lang}")
    steps = visit.page.locator(".sheet [data-steps]")
    await expect(steps).to_have_attribute("open", "")
    await has_words(step(visit, "count"), "running", lang)
    await expect(step(visit, "count")).to_contain_text(re.compile(r"\d+( of |/)60"))
    await has_words(step(visit, "find"), "error", lang)
    await has_words(step(visit, "odd"), "waiting", lang)
    await expect(visit.page.locator(".strip")).to_contain_text(WORDS[lang]["working"])
    await visit.until("done")
    assert await visit.leaves() == shown_as(plan_of(Request(lang=lang)))
    await expect(steps.locator("summary")).to_contain_text(WORDS[lang]["count"])
    for reload in (False, True):
        if reload:
            await visit.page.reload()
            await visit.until("done")
        steps = await unfold(visit)
        await expect(steps.locator("li")).to_have_count(3)
        await has_words(step(visit, "count"), "success", lang)
        await has_words(step(visit, "find"), "error", lang)
        await expect(step(visit, "odd")).to_contain_text(ODD)
        assert SECRET not in await visit.page.content()


async def test_a_step_changes_its_language(open_page: OpenPage) -> None:
    """At once, also while it runs."""
    visit = await open_page(graph="tooled")
    await visit.ask(SLOW)
    await has_words(step(visit, "count"), "running", "en")
    await visit.button("language").click()
    await has_words(step(visit, "count"), "running", "zh")
    await visit.until("done")


async def test_a_hostile_label_stays_text(open_page: OpenPage) -> None:
    """No element, no link, no code; the end of the test checks what the browser has noted."""
    visit = await open_page(graph="tooled")
    await visit.ask("outcome=tools")
    await visit.until("done")
    steps = await unfold(visit)
    await expect(step(visit, "odd").locator("bdi").first).to_have_text(ODD)
    assert await steps.locator("a, img, script").count() == 0


async def test_a_reload_and_a_late_joiner_double_no_step(open_page: OpenPage) -> None:
    """What the stream replays is known already."""
    first = await open_page(graph="tooled")
    await first.ask(SLOW)
    await has_words(step(first, "count"), "running", "en")
    second = await open_page(first.page.url)
    await has_words(step(second, "count"), "running", "en")
    await first.page.reload()
    for visit in (first, second):
        await expect(visit.page.locator(".sheet [data-step]")).to_have_count(3)
        await visit.until("done")
        await expect(visit.page.locator(".sheet [data-step]")).to_have_count(3)


async def test_a_killed_connection_doubles_no_step(open_page: OpenPage, proxy: Proxy) -> None:
    """Nor is a step left running."""
    visit = await open_page(proxy.page, may_lose=True, graph="tooled")
    await visit.ask(SLOW)
    await has_words(step(visit, "count"), "running", "en")
    proxy.is_down = True
    proxy.cut()
    await asyncio.sleep(0.6)
    proxy.is_down = False
    await visit.until("done")
    await unfold(visit)
    await has_words(step(visit, "count"), "success", "en")
    await expect(visit.page.locator(".sheet [data-step]")).to_have_count(3)


@LANGUAGES
async def test_a_stopped_step(open_page: OpenPage, locale: str, lang: str) -> None:
    """It runs no longer, and is no success."""
    visit = await open_page(locale=locale, graph="tooled")
    await visit.ask(SLOW)
    await has_words(step(visit, "count"), "running", lang)
    await visit.button("stop").click()
    await visit.until("aborted")
    await unfold(visit)
    await has_words(step(visit, "count"), "stopped", lang)


async def test_steps_stay_with_their_turn(open_page: OpenPage) -> None:
    """Those of an earlier turn are folded up with its card; a turn without tools has none."""
    visit = await open_page(graph="tooled")
    await visit.ask("outcome=tools")
    await visit.until("done")
    await visit.ask("lang=zh")
    await expect(visit.earlier).to_have_count(1)
    await visit.until("done")
    await expect(visit.page.locator(".sheet [data-steps]")).to_have_count(0)
    await visit.page.locator(".earlier > summary").click()
    await expect(visit.page.locator(".earlier [data-steps] > summary")).to_contain_text("3 steps")


async def test_what_is_said_aloud_of_steps(open_page: OpenPage) -> None:
    """That a step lasts; none of its sixty tellings of progress."""
    visit = await open_page(graph="tooled")
    await visit.page.evaluate(
        "() => { const status = document.querySelector('[role=status]');"
        " window.said = []; new MutationObserver(() => window.said.push(status.textContent))"
        ".observe(status, {childList: true, characterData: true, subtree: true}); }"
    )
    await visit.ask(SLOW)
    await visit.until("done")
    said = [text for text in await visit.page.evaluate("() => window.said") if text.strip()]
    assert "Count the rows: running" in said
    assert len(said) == len(set(said)) <= 5, said
    assert not any("60" in text for text in said)


@pytest.mark.parametrize(
    ("theme", "locale", "screen"),
    [
        pytest.param("light", "en-US", DESK, id="light desk"),
        pytest.param("dark", "zh-CN", PHONE, id="dark phone"),
    ],
)
async def test_axe_finds_nothing_in_steps(
    open_page: OpenPage, axe: str, theme: Any, locale: str, screen: Any
) -> None:
    """While they run, folded, unfolded, and in an earlier turn; nothing is too wide."""
    visit = await open_page(script=axe, graph="tooled", color_scheme=theme, locale=locale, **screen)
    await visit.ask(SLOW)
    await expect(step(visit, "count")).to_have_attribute("data-status", "running")
    assert await violations(visit.page) == []
    await visit.until("done")
    assert await violations(visit.page) == []
    await unfold(visit)
    assert await violations(visit.page) == []
    width = await visit.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= screen["viewport"]["width"]
    await visit.ask("outcome=cut")
    await visit.until("truncated")
    await visit.page.locator(".earlier > summary").click()
    assert await violations(visit.page) == []


async def test_steps_by_keyboard(open_page: OpenPage) -> None:
    """Folded and unfolded with Enter, while they run and after; it stays as one leaves it."""
    visit = await open_page(graph="tooled", **DESK)
    await visit.ask(SLOW)
    steps = visit.page.locator(".sheet [data-steps]")
    await has_words(step(visit, "count"), "running", "en")
    await tab_to(visit, "[data-steps] > summary")
    await visit.page.keyboard.press("Enter")
    await expect(steps).not_to_have_attribute("open", "")
    await expect(steps.locator("summary")).to_contain_text("Count the rows")
    await expect(steps.locator("summary")).to_contain_text("1 failed")
    await visit.page.keyboard.press("Enter")
    await expect(steps).to_have_attribute("open", "")
    await visit.until("done")
    await expect(steps).to_have_attribute("open", "")


async def test_steps_move_no_value(open_page: OpenPage) -> None:
    """They fold before there is anything to read below them."""
    visit = await open_page(graph="tooled", **DESK)
    await visit.page.evaluate(
        "() => { window.tops = new Set(); const look = () => {"
        " const leaf = document.querySelector('[data-path=\"/topic\"]');"
        " if (leaf) window.tops.add(Math.round(leaf.getBoundingClientRect().top));"
        " requestAnimationFrame(look); }; look(); }"
    )
    await visit.ask("outcome=tools delay=15")
    await visit.until("done")
    assert len(await visit.page.evaluate("() => [...window.tops]")) == 1


async def test_steps_without_motion(open_page: OpenPage) -> None:
    """Nothing moves for those who want it so."""
    visit = await open_page(graph="tooled", reduced_motion="reduce")
    await visit.ask(SLOW)
    await has_words(step(visit, "count"), "running", "en")
    running = await visit.page.evaluate(
        "() => document.getAnimations().filter(one => one.playState === 'running').length"
    )
    assert running == 0
    await visit.until("done")

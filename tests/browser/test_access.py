from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import OpenPage, shown_as
from tests.browser.script import Request, plan_of
from tests.browser.visit import Visit

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}


async def violations(page: Page) -> list[str]:
    """What axe finds, by rule and place."""
    found: dict[str, Any] = await page.evaluate(
        "() => axe.run(document, {resultTypes: ['violations']})"
    )
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found["violations"]]


@pytest.mark.parametrize(
    ("theme", "locale", "screen"),
    [
        pytest.param("light", "en-US", DESK, id="light desk"),
        pytest.param("dark", "zh-CN", DESK, id="dark desk"),
        pytest.param("light", "zh-CN", PHONE, id="light phone"),
        pytest.param("dark", "en-US", PHONE, id="dark phone"),
    ],
)
async def test_axe_finds_nothing(
    open_page: OpenPage, axe: str, theme: Any, locale: str, screen: Any
) -> None:
    """Before, in mid-stream, at the end of a plan, and beside an earlier one that was cut off."""
    visit = await open_page(script=axe, color_scheme=theme, locale=locale, **screen)
    assert await violations(visit.page) == []
    await visit.ask("outcome=cut")
    await visit.until("truncated")
    assert await violations(visit.page) == []
    await visit.ask("delay=60 chunk=8")
    await visit.until_shown("/objectives/1")
    assert await violations(visit.page) == []
    await visit.until("done")
    assert await violations(visit.page) == []


@pytest.mark.parametrize("outcome", ["invalid", "failed", "refused", "text", "trip"])
async def test_axe_finds_nothing_at_other_ends(open_page: OpenPage, axe: str, outcome: str) -> None:
    """However the turn ends."""
    visit = await open_page(script=axe)
    await visit.ask(f"outcome={outcome}")
    await expect(visit.card).not_to_have_attribute("data-state", "generating")
    await expect(visit.card).not_to_have_attribute("data-state", "idle")
    assert await violations(visit.page) == []


async def test_what_is_said_aloud(open_page: OpenPage) -> None:
    """One status, at the start and the end; no live region in the card, which says it is busy."""
    visit = await open_page()
    status = visit.page.locator("[role=status]")
    await expect(status).to_have_count(1)
    await visit.page.evaluate(
        "() => { const status = document.querySelector('[role=status]');"
        " window.said = []; new MutationObserver(() => window.said.push(status.textContent))"
        ".observe(status, {childList: true, characterData: true, subtree: true}); }"
    )
    await visit.ask("delay=20")
    await visit.until("generating")
    live = "[aria-live]:not([aria-live=off]), [role=status], [role=log], [role=alert]"
    assert await visit.card.locator(live).count() == 0
    await visit.until("done")
    said = [text for text in await visit.page.evaluate("() => window.said") if text.strip()]
    assert 2 <= len(said) <= 4, said


async def test_by_keyboard_alone(open_page: OpenPage) -> None:
    """Ask, stop, ask again, change theme and language; focus is always to be seen."""
    visit = await open_page(**DESK)
    await tab_to(visit, "textarea[name=request]")
    await visit.page.keyboard.type("delay=60 chunk=8")
    await tab_to(visit, "[data-action=send]")
    await visit.page.keyboard.press("Enter")
    await visit.until_shown("/topic")
    await tab_to(visit, "[data-action=stop]")
    await visit.page.keyboard.press("Enter")
    await visit.until("aborted")
    await tab_to(visit, "[data-action=theme]")
    await visit.page.keyboard.press("Enter")
    await is_set(visit, "en", "dark")
    await tab_to(visit, "[data-action=language]")
    await visit.page.keyboard.press("Enter")
    await is_set(visit, "zh-CN", "dark")
    await tab_to(visit, "textarea[name=request]")
    await visit.page.keyboard.type("lang=zh")
    await visit.page.keyboard.press("Control+Enter")
    await visit.until("done")


async def tab_to(visit: Visit, selector: str) -> None:
    """Press Tab until the element has the focus; each stop shows it."""
    for _ in range(40):
        if await visit.page.evaluate("one => document.activeElement?.matches(one)", selector):
            assert await visit.page.evaluate(
                "() => { const style = getComputedStyle(document.activeElement);"
                " return style.outlineStyle !== 'none' || style.boxShadow !== 'none'; }"
            )
            return
        await visit.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {selector}")


async def is_set(visit: Visit, lang: str, theme: str) -> None:
    """Wait until the page is in a language and a theme."""
    root = visit.page.locator("html")
    await expect(root).to_have_attribute("lang", lang)
    await expect(root).to_have_attribute("data-theme", theme)


@pytest.mark.parametrize(
    ("locale", "lang", "theme"),
    [("en-GB", "en", "dark"), ("zh-TW", "zh-CN", "light"), ("fr-FR", "en", "light")],
)
async def test_the_first_choice_is_the_browsers(
    open_page: OpenPage, locale: str, lang: str, theme: Any
) -> None:
    """Language and theme, until one chooses; then the choice is remembered."""
    visit = await open_page(locale=locale, color_scheme=theme)
    await is_set(visit, lang, theme)
    await visit.button("language").click()
    await visit.button("theme").click()
    changed = ("en" if lang == "zh-CN" else "zh-CN", "dark" if theme == "light" else "light")
    await is_set(visit, *changed)
    await visit.page.reload()
    await expect(visit.words).to_be_visible()
    await is_set(visit, *changed)


async def test_a_phone_shows_everything(open_page: OpenPage) -> None:
    """Nothing is wider than the screen, and fingers can hit the buttons."""
    visit = await open_page(**PHONE)
    await visit.ask("outcome=hostile")
    await visit.until("done")
    width = await visit.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 360
    small = await visit.page.evaluate(
        "() => [...document.querySelectorAll('button')].filter(one => one.checkVisibility())"
        ".map(one => [one.dataset.action, one.getBoundingClientRect()])"
        ".filter(([, box]) => box.height < 24 || box.width < 24).map(([name]) => name)"
    )
    assert small == []


async def test_print(open_page: OpenPage) -> None:
    """The plan alone, dark on white, whatever the theme."""
    visit = await open_page(color_scheme="dark")
    await visit.ask("lang=zh")
    await visit.until("done")
    await visit.page.emulate_media(media="print")
    for leaf in shown_as(plan_of(Request(lang="zh"))):
        await expect(visit.leaf(leaf)).to_be_visible()
    await expect(visit.words).to_be_hidden()
    assert await visit.page.locator("button:visible").count() == 0
    colour = await visit.leaf("/topic").evaluate("leaf => getComputedStyle(leaf).color")
    assert max(int(part) for part in colour.strip("rgba()").split(",")[:3]) < 100


async def test_no_layout_jump(open_page: OpenPage) -> None:
    """What is shown stays where it is while the rest arrives."""
    visit = await open_page(**DESK)
    await visit.ask("delay=20 chunk=6")
    await visit.until_shown("/topic")
    await visit.page.evaluate(
        "() => { window.moved = 0; new PerformanceObserver(list => {"
        " for (const one of list.getEntries()) window.moved += one.value; })"
        ".observe({type: 'layout-shift'}); }"
    )
    await visit.until("done")
    assert await visit.page.evaluate("() => window.moved") < 0.1


async def test_reduced_motion(open_page: OpenPage) -> None:
    """Nothing moves for those who want it so."""
    visit = await open_page(reduced_motion="reduce")
    await visit.ask("delay=60 chunk=8")
    await visit.until_shown("/topic")
    running = await visit.page.evaluate(
        "() => document.getAnimations().filter(one => one.playState === 'running').length"
    )
    assert running == 0
    await visit.until("done")

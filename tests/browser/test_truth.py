from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import OpenPage, shown_as
from tests.browser.script import OUTCOMES, Request, plan_of
from tests.browser.shapes import TRIP

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def false_values(shown: list[Any], *finals: Any) -> list[Any]:
    """What was painted and is no value of any final document, nor the beginning of an open string."""
    tables = [shown_as(one) for one in finals]
    return [
        entry
        for entry in shown
        if not any(is_true(*entry, table) for table in tables)
    ]  # fmt: skip


def is_true(pointer: str, text: str, is_open: bool, final: dict[str, str]) -> bool:
    if pointer not in final:
        return False
    return final[pointer].startswith(text) if is_open else final[pointer] == text


@pytest.mark.parametrize("graph", ["framed", "plain"])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("chunk", [1, 3, 7])
async def test_no_false_value_is_ever_painted(
    open_page: OpenPage, graph: str, lang: str, chunk: int
) -> None:
    """No half number, no half enum, no key before its value; strings grow, and say so."""
    visit = await open_page(graph=graph)
    await visit.ask(f"lang={lang} chunk={chunk} delay={chunk * 3}")
    await visit.until("done")
    shown = (await visit.report())["shown"]
    plan = plan_of(Request(lang=lang))
    assert false_values(shown, plan) == []
    assert sum(is_open for _, _, is_open in shown) > 2, "it was seen while it grew"
    assert {pointer for pointer, _, _ in shown} == set(shown_as(plan))


@pytest.mark.parametrize("graph", ["framed", "plain"])
async def test_any_tool_is_as_true(open_page: OpenPage, graph: str) -> None:
    """The card that is made of a JSON Schema keeps the same rules."""
    visit = await open_page(graph=graph)
    await visit.ask("outcome=trip chunk=1 delay=4")
    await visit.until("done")
    shown = (await visit.report())["shown"]
    assert false_values(shown, TRIP) == []
    assert {pointer for pointer, _, _ in shown} == set(shown_as(TRIP))


@pytest.mark.parametrize("outcome", ["cut", "invalid", "repaired"])
async def test_what_is_not_shown_in_the_end_was_true_too(open_page: OpenPage, outcome: str) -> None:
    """A cut or wrong call never shows what the model did not write."""
    visit = await open_page()
    await visit.ask(f"outcome={outcome} chunk=1 delay=3")
    await visit.until({"cut": "truncated", "invalid": "invalid", "repaired": "done"}[outcome])
    plan = plan_of(Request())
    wrong = OUTCOMES["invalid"](Request(), 0).calls[0].args
    shown = (await visit.report())["shown"]
    assert false_values(shown, plan, wrong) == []
    if outcome == "cut":
        assert "/lessons/1/duration_minutes" not in await visit.leaves()

from __future__ import annotations

import os

import pytest

from tests.browser.conftest import OpenPage, shown_as
from tests.browser.payloads import PAYLOADS
from tests.browser.script import Request, plan_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

A_PLAN = 300 if not os.environ.get("RENDERCALL_CORPORA") else 700
"""Attacks in one plan."""

RUNS = [(kind, start) for kind, texts in PAYLOADS.items() for start in range(0, len(texts), A_PLAN)]


@pytest.mark.parametrize(("kind", "start"), RUNS)
async def test_attacks_stay_text(open_page: OpenPage, kind: str, start: int) -> None:
    """As titles of a streamed plan: nothing runs, nothing is loaded, and each is shown as it is.

    The end of every test checks what `witness.js` and the browser have noted: script
    attempts, blocked or not, dialogs, errors, and loads from elsewhere.
    """
    visit = await open_page()
    directive = f"payloads={kind}:{start}:{A_PLAN}"
    await visit.ask(f"{directive} chunk=100 delay=1")
    await visit.until("done", milliseconds=60_000)
    shown = await visit.leaves()
    written = shown_as(plan_of(Request.read(directive)))
    assert shown == {pointer: text.replace("\0", "\ufffd") for pointer, text in written.items()}
    elements = await visit.card.evaluate(
        "card => [...new Set([...card.querySelectorAll('*')].map(one => one.localName))]"
    )
    assert not {"script", "iframe", "object", "embed", "img", "link", "base", "form"} & set(
        elements
    )
    assert await visit.card.locator("a[href]").count() == 0

"""What a page does, as Chromium sees it: scripts that try to run, and requests.

Scripts of the page are forbidden by its policy, so that each attempt is a violation to count;
only what this module itself injects runs.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, Route, sync_playwright

__all__ = ["Effects", "Viewer", "viewer"]

ADDRESS = "http://sink.test/"
POLICY = "script-src 'none'; object-src 'none'; report-sample"
WITNESS = """
window.attempts = [];
document.addEventListener('securitypolicyviolation', e =>
    window.attempts.push(e.effectiveDirective + ' ' + (e.sample || e.blockedURI)));
for (const name of ['alert', 'confirm', 'prompt', 'open', 'print'])
    window[name] = () => { window.attempts.push(name); };
"""
TOUCH = """
() => { for (const element of document.querySelectorAll('#all *')) {
    for (const name of ['mouseover', 'mouseenter', 'focus', 'error', 'load', 'toggle', 'animationstart'])
        element.dispatchEvent(new Event(name));
    const link = element.closest('a');
    if (!link || !/^(https?|mailto):/.test(link.href)) element.click?.();
} }
"""
READ = """
() => ({
    attempts: window.attempts,
    texts: [...document.querySelectorAll('#all > div')].map(one => one.textContent),
    elements: [...document.querySelectorAll('#all > div *')].map(one => one.localName),
    dangers: [...document.querySelectorAll('#all > div [href], #all > div [src]')]
        .map(one => one.getAttribute('href') ?? one.getAttribute('src')),
})
"""


@dataclass
class Effects:
    """What showing some pieces of HTML did.

    Attributes:
        attempts: scripts that tried to run, and dialogs.
        requests: addresses that were asked for, the page's own not counted.
        texts: the text of each piece.
        elements: the names of all elements in the pieces.
        dangers: addresses of links and images.
    """

    attempts: list[str]
    requests: list[str]
    texts: list[str]
    elements: list[str]
    dangers: list[str] = field(default_factory=list)


class Viewer:
    """Shows HTML in a page without a network."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._document = ""
        self._requests: list[str] = []
        page.add_init_script(WITNESS)
        page.route("**/*", self._answer)

    def _answer(self, route: Route) -> None:
        if route.request.url == ADDRESS:
            headers = {"Content-Security-Policy": POLICY}
            route.fulfill(body=self._document, content_type="text/html", headers=headers)
        else:
            self._requests.append(route.request.url)
            route.abort()

    def show(self, pieces: Sequence[str]) -> Effects:
        """Parse the pieces as a page has them, touch everything, and look."""
        shown = "".join(f"<div>{piece}</div>" for piece in pieces)
        self._document = f'<!doctype html><meta charset="utf-8"><body><div id="all">{shown}</div>'
        self._requests = []
        self._page.goto(ADDRESS)
        self._page.evaluate(TOUCH)
        self._page.wait_for_timeout(20)
        found: dict[str, Any] = self._page.evaluate(READ)
        return Effects(requests=self._requests, **found)


@contextmanager
def viewer() -> Iterator[Viewer]:
    """The system's Chromium, else the one that `playwright install` brought."""
    found = os.environ.get("RENDERCALL_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield Viewer(browser.new_page())
        browser.close()

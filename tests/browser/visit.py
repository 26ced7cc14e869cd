"""A page in a browser, as a person uses it, and as the page's contract with its tests says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Locator, Page, Request, expect

__all__ = ["Visit"]

PATIENCE = 20_000
"""Milliseconds that a run may take."""


@dataclass
class Visit:
    """One open page.

    Attributes:
        page: the browser's page.
        origin: where it may load from.
        faults: what must not happen: errors, dialogs, loads from elsewhere.
        may_lose: whether the network may fail in this test.
    """

    page: Page
    origin: str
    faults: list[str] = field(default_factory=list)
    may_lose: bool = False

    def watch(self) -> None:
        """Write down faults from now on."""
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("console", self._on_console)
        self.page.on("dialog", self._on_dialog)
        self.page.on("popup", lambda popup: self.faults.append(f"popup: {popup.url}"))
        self.page.on("request", self._on_request)

    def _on_console(self, message: Any) -> None:
        lost = self.may_lose and re.search(r"ERR_|Failed to load", message.text)
        if message.type in {"error", "warning"} and not lost:
            self.faults.append(f"console: {message.text}")

    async def _on_dialog(self, dialog: Any) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        await dialog.dismiss()

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self.origin, "data:", "blob:")):
            self.faults.append(f"request: {request.url}")

    @property
    def card(self) -> Locator:
        """The card of the current turn."""
        return self.page.locator("article[data-card]:not([data-earlier])")

    @property
    def earlier(self) -> Locator:
        """The cards of earlier turns."""
        return self.page.locator("article[data-card][data-earlier]")

    @property
    def words(self) -> Locator:
        """Where the request is typed."""
        return self.page.locator("form[data-testid=request] textarea[name=request]")

    def button(self, action: str) -> Locator:
        """The button for an action, wherever it is."""
        return self.page.locator(f"[data-action={action}]:visible").first

    def leaf(self, pointer: str) -> Locator:
        """A shown value of the current card."""
        return self.card.locator(f"[data-path='{pointer}']")

    @property
    def thread_id(self) -> str | None:
        """The thread in the page's address."""
        return parse_qs(urlsplit(self.page.url).query).get("thread", [None])[0]

    async def ask(self, words: str) -> None:
        """Type a request and send it."""
        await self.words.fill(words)
        await self.button("send").click()

    async def until(self, state: str, milliseconds: float = PATIENCE) -> None:
        """Wait for the current card to be in a state."""
        await expect(self.card).to_have_attribute("data-state", state, timeout=milliseconds)

    async def until_shown(self, pointer: str) -> None:
        """Wait for a value to stand in the current card."""
        await expect(self.leaf(pointer)).to_be_visible(timeout=PATIENCE)

    async def state(self) -> str | None:
        """The state of the current card."""
        return await self.card.get_attribute("data-state")

    async def leaves(self) -> dict[str, str]:
        """Every shown value of the current card by its pointer."""
        found: dict[str, str] = await self.card.evaluate(
            "card => Object.fromEntries([...card.querySelectorAll('[data-path]')]"
            ".map(leaf => [leaf.dataset.path, leaf.textContent]))"
        )
        return found

    async def report(self) -> dict[str, Any]:
        """What `witness.js` has written down."""
        found: dict[str, Any] = await self.page.evaluate("() => window.witness.report()")
        return found

    async def all_faults(self) -> list[str]:
        """Everything that must not have happened."""
        report = await self.report()
        return [*self.faults, *report["broken"], *report["calls"]]

"""One watched run of the page: a server, a browser, and what both have noted."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from rendercall.cli.serve import free_port

__all__ = ["Run", "watched_run"]

ROOT = Path(__file__).parents[1]


@dataclass
class Run:
    """What a run has shown.

    Attributes:
        sent: time and characters sent so far, a fragment each.
        paints: time, JSON Pointer, length of the text, and whether it was open.
        renders: changes of the card in each animation frame that had one.
        bodies: bytes of each response body after the request was sent, by its path.
    """

    sent: list[tuple[float, int]]
    paints: list[tuple[float, str, int, bool]]
    renders: list[int]
    bodies: dict[str, int]


def watched_run(words: str) -> Run:
    """Serve the graph, open the page, send the words, and wait for the end."""
    with tempfile.TemporaryDirectory() as folder, _serving(Path(folder)) as address:
        with sync_playwright() as playwright:
            found = os.environ.get("RENDERCALL_CHROMIUM") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=found)
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.add_init_script(path=Path(__file__).parent / "page_watch.js")
            bodies = _count_bodies(page)
            page.goto(address)
            page.wait_for_selector("textarea[name=request]")
            page.wait_for_load_state("networkidle")
            bodies.clear()
            page.fill("textarea[name=request]", words)
            page.click("[data-action=send]")
            page.wait_for_selector("article[data-card][data-state=done]", timeout=60_000)
            page.wait_for_timeout(500)
            noted = page.evaluate("() => window.noted")
            browser.close()
        lines = Path(folder, "sent.jsonl").read_text().splitlines()
    sent = [tuple(json.loads(line)) for line in lines]
    paints = [tuple(one) for one in noted["paints"]]
    return Run(sent, paints, noted["perFrame"], dict(bodies))


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    """The server in a process of its own; gives the page's address."""
    (folder / "benchmarks").symlink_to(ROOT / "benchmarks")
    graphs = {"timed": "./benchmarks/page_graph.py:graph"}
    config = {"dependencies": ["."], "graphs": graphs, "http": {"app": "rendercall.server.app:app"}}
    (folder / "langgraph.json").write_text(json.dumps(config))
    port = str(free_port("127.0.0.1", 20_240))
    process = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "rendercall.cli", "serve", "--port", port],
        cwd=folder, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        yield process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def _count_bodies(page: Page) -> dict[str, int]:
    """Bytes of every response body as it comes over the wire, by the path of its address."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    names: dict[str, str] = {}
    bodies: dict[str, int] = {}

    def began(event: Any) -> None:
        address: str = event["request"]["url"]
        names[event["requestId"]] = address.partition("?")[0].partition("://")[2].partition("/")[2]

    def came(event: Any) -> None:
        name = names.get(event["requestId"], "")
        bodies[name] = bodies.get(name, 0) + (event["encodedDataLength"] or event["dataLength"])

    devtools.on("Network.requestWillBeSent", began)
    devtools.on("Network.dataReceived", came)
    return bodies

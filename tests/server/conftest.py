"""Embedded servers for all tests, started as a user starts them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Served:
    """A running server.

    Attributes:
        page: the address that it printed.
        sockets: what its process looked up or connected to, one a line.
    """

    page: str
    sockets: Path

    @property
    def api(self) -> str:
        """The address of LangGraph's own routes."""
        return self.page.removesuffix("/app/")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(root: Path, langgraph_json: dict[str, Any]) -> Iterator[str]:
    """`rendercall serve` in a directory of its own; gives the address that it printed."""
    (root / "langgraph.json").write_text(json.dumps(langgraph_json))
    for room in ("graphs", "schemas", "tests"):
        (root / room).symlink_to(ROOT / room)
    # What is under test stays first: the checkout, or the wheel that `tests/wheel.py` installed.
    paths = (str(Path(__file__).parent / "watch_sockets"), os.environ.get("PYTHONPATH"), str(ROOT))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "RENDERCALL_MODEL": "offline",
        "RENDERCALL_SOCKET_LOG": str(root / "sockets.log"),
        "XDG_CACHE_HOME": str(root / "cache"),
    }
    command = [sys.executable, "-m", "rendercall.cli", "serve", "--port", str(free_port())]
    with (root / "stderr.log").open("w") as stderr:
        process = subprocess.Popen(
            command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True
        )
    assert process.stdout is not None
    printed = process.stdout.readline().strip()
    assert printed.startswith("http://"), (root / "stderr.log").read_text()
    yield printed
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 0, "Ctrl-C stops the server cleanly"


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The project itself, with the rule-based planner."""
    root = tmp_path_factory.mktemp("served")
    with serving(root, json.loads((ROOT / "langgraph.json").read_text())) as page:
        yield Served(page, root / "sockets.log")


@pytest.fixture(scope="session")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The graphs of `watched_graphs`, whose model plays scripts."""
    root = tmp_path_factory.mktemp("watched")
    names = ("root", "slow", "child", "inside")
    graphs = {name: f"./tests/server/watched_graphs.py:{name}" for name in names}
    graphs["layered"] = "./tests/server/layered_graphs.py:layered"
    with serving(root, {"dependencies": ["."], "graphs": graphs, **HTTP}) as page:
        yield Served(page, root / "sockets.log")


HTTP = {"http": {"app": "rendercall.server.app:app"}}

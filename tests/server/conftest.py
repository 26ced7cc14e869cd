"""One embedded server for all tests of the page, started as a user starts it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`rendercall serve` with the rule-based planner, in a directory of its own."""
    root = tmp_path_factory.mktemp("served")
    shutil.copy(ROOT / "langgraph.json", root)
    for room in ("graphs", "schemas", "rendercall"):
        (root / room).symlink_to(ROOT / room)
    sockets = root / "sockets.log"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent / "watch_sockets"), str(ROOT))),
        "RENDERCALL_MODEL": "offline",
        "RENDERCALL_SOCKET_LOG": str(sockets),
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
    yield Served(printed, sockets)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 0, "Ctrl-C stops the server cleanly"

"""The embedded LangGraph server, in this process. Needs the extra `serve`."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rendercall.errors import import_extra

__all__ = ["free_port", "port_is_free", "serve"]

_QUIET = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LOG_LEVEL": "WARNING",
}
"""Nothing phones home, and only warnings are logged."""

_JOBS = 10
"""Runs at a time. The server's own default is 1, so that a second run would wait."""

_GRACE_SECONDS = 3
"""How long open streams may go on after Ctrl-C."""

_TAKEN = ("store", "auth", "http", "env", "checkpointer", "webhooks", "ui", "ui_config")
"""The keys of langgraph.json that the server takes, next to `graphs`."""


def port_is_free(host: str, port: int) -> bool:
    """Whether a server can listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port(host: str, first: int = 2024) -> int:
    """The first free port from 2024 on, where LangGraph's clients look for a server."""
    return next(port for port in range(first, 65_536) if port_is_free(host, port))


def serve(root: Path, host: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Serve the project until Ctrl-C; the working directory must be its root.

    Args:
        root: the project's directory, which is on the import path.
        host: where to listen.
        port: same.
        on_ready: called once with the address, from another thread, when the server answers.

    Raises:
        MissingExtra: the server is not installed.
    """
    os.environ.update(_QUIET, LOG_COLOR=str(sys.stdout.isatty()))
    for module in ("langgraph_cli", "fastapi"):
        import_extra(module, "serve")
    config = import_extra("langgraph_cli.config", "serve").validate_config_file(
        root / "langgraph.json"
    )
    run_server = import_extra("langgraph_api.cli", "serve").run_server
    logging.getLogger("langgraph_api.cli").setLevel(logging.WARNING)  # its welcome
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    waiter = threading.Thread(target=_when_ready, args=(address, on_ready), daemon=True)
    waiter.start()
    run_server(
        host,
        port,
        reload=False,
        graphs=config.get("graphs"),
        n_jobs_per_worker=_JOBS,
        open_browser=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        **_options(config),
    )


def _options(config: dict[str, Any]) -> dict[str, Any]:
    return {key: config[key] for key in _TAKEN if config.get(key)}


def _when_ready(address: str, on_ready: Callable[[str], None]) -> None:
    while True:
        try:
            with urllib.request.urlopen(f"{address}/ok", timeout=1) as answer:  # noqa: S310 - our own
                if answer.status == 200:  # noqa: PLR2004 - OK
                    break
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.1)
    on_ready(address)

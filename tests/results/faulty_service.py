"""A loopback service that fails by a schedule: the path says how each attempt of a call goes."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

__all__ = ["PASSWORD", "FaultyService"]

PASSWORD = "hunter2-of-the-service"


class FaultyService:
    """Answers `/<call>/<step>,<step>,…`: the n-th attempt of a call goes by the n-th step.

    Steps: a status; `429:<ms>` and `503:<ms>` with `retry-after-ms`, `429:<s>000` with
    `Retry-After` in seconds; `hang`; `reset`; `200`. The
    last step repeats.

    Attributes:
        arrivals: for each call, when its attempts came, in seconds.
    """

    def __init__(self) -> None:
        self.arrivals: dict[str, list[float]] = defaultdict(list)
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._listener = _Listener(("127.0.0.1", 0), _Handler)
        self._listener.service = self
        self._thread = threading.Thread(
            target=self._listener.serve_forever, kwargs={"poll_interval": 0.01}
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._listener.shutdown()
        self._listener.server_close()
        self._thread.join()

    def step(self, path: str) -> str:
        _, call, steps = path.split("/", 2)
        with self._lock:
            self.arrivals[call].append(time.monotonic())
            attempt = len(self.arrivals[call])
        planned = steps.split(",")
        return planned[min(attempt, len(planned)) - 1]


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    service: FaultyService

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is the point."""


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it
        """Says nothing."""

    def do_GET(self) -> None:
        service = self.server.service  # type: ignore[attr-defined]
        step, _, wait = service.step(self.path).partition(":")
        if step == "hang":
            service.closing.wait(5)
            return
        if step == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        body = f'{{"password": "{PASSWORD}"}}'.encode()
        self.send_response(int(step))
        if wait.endswith("000"):
            self.send_header("Retry-After", wait.removesuffix("000"))
        elif wait:
            self.send_header("retry-after-ms", wait)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

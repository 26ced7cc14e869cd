"""Writes down every address that the server's process looks up or connects to.

Put on the path of the process by `tests/server/conftest.py`. Python's own sockets are seen by
an audit hook; uvloop makes its sockets in C, so its loop is wrapped.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import uvloop

_LOG = Path(os.environ["RENDERCALL_SOCKET_LOG"])


def _write(what: str, address: object) -> None:
    with _LOG.open("a", encoding="utf-8") as log:
        log.write(f"{what} {address}\n")


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.connect":
        _write(event, args[1][0] if isinstance(args[1], tuple) else args[1])
    elif event == "socket.getaddrinfo":
        _write(event, args[0])


def _wrap(name: str) -> None:
    original = getattr(uvloop.Loop, name)

    async def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        host = kwargs.get("host", args[0 if name == "getaddrinfo" else 1] if args else None)
        _write(f"uvloop.{name}", host)
        return await original(self, *args, **kwargs)

    setattr(uvloop.Loop, name, wrapped)


sys.addaudithook(_audit)
for _name in ("getaddrinfo", "create_connection"):
    _wrap(_name)
_write("watching", "127.0.0.1")

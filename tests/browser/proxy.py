"""A TCP proxy on loopback whose connections can be cut, as a network cuts them."""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

__all__ = ["Proxy"]


class Proxy:
    """Passes bytes both ways until it is told not to.

    Args:
        target: the server's address.

    Attributes:
        received: bytes that the server has sent through it.
        is_down: whether new connections are refused.
    """

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname or "", parts.port or 80)
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.received = 0
        self.is_down = False

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def page(self) -> str:
        """The page's address through the proxy."""
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/app/"

    def cut(self) -> None:
        """Reset every open connection."""
        for writer in self._writers:
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_down:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with contextlib.suppress(OSError):
            there, back = await asyncio.open_connection(*self._target)
            self._writers |= {writer, back}
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer, counts=True))
        self._tasks.discard(task)

    async def _pass(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, counts: bool = False
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65_536):
                self.received += len(data) * counts
                sink.write(data)
                await sink.drain()
        self._writers.discard(sink)
        sink.close()

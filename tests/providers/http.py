"""The loopback server that all providers share: a script of answers, JSON and SSE."""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, cast

from .rules.refusal import Refusal

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Answer", "Call", "Disconnect", "Event", "ProviderServer", "Script", "pieces"]

Call: TypeAlias = tuple[str, str, str]
"""One call of a scripted answer: tool name, raw argument text, call id."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model says to one accepted request.

    Attributes:
        text: the text before the calls; empty: none.
        calls: the calls, in order.
        finish_reason: in the provider's own words; None: what the provider says when all went
            well; a tuple: each in its own event, so that `()` sends none and two send both.
        refusal: the model's refusal, where the provider has a place for it.
        reasoning: the reasoning, in the provider's own form with a signature; empty: none.
        http_error: a status and a body sent instead of an answer.
        chunk: how many characters a streamed event carries.
        delay: seconds before each streamed event.
    """

    text: str = ""
    calls: Sequence[Call] = ()
    finish_reason: str | tuple[str, ...] | None = None
    refusal: str = ""
    reasoning: str = ""
    http_error: tuple[int, Any] | None = None
    chunk: int = 7
    delay: float = 0.0

    def reasons(self, default: str) -> tuple[str, ...]:
        """The finish reasons to send, `default` where the script names none."""
        if self.finish_reason is None:
            return (default,)
        return (self.finish_reason,) if isinstance(self.finish_reason, str) else self.finish_reason


Script: TypeAlias = Sequence[Answer] | Callable[[dict[str, Any]], Answer]
"""The answers in order, or a function from the request's body to its answer."""


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event, and how many characters of the answer it carries."""

    data: Any
    name: str = ""
    characters: int = 0

    def encode(self) -> bytes:
        """The event on the wire; a `str` is sent as it is, all else as JSON."""
        text = self.data if isinstance(self.data, str) else json.dumps(self.data)
        return (
            f"event: {self.name}\n" if self.name else ""
        ).encode() + f"data: {text}\n\n".encode()


@dataclass(frozen=True, slots=True)
class Disconnect:
    """A client that hung up in mid-stream.

    Attributes:
        request: the place in `ProviderServer.requests`.
        sent: how many characters of text, reasoning and arguments were sent before.
        total: how many the whole answer has.
    """

    request: int
    sent: int
    total: int


def pieces(text: str, size: int) -> Iterator[str]:
    """The text in pieces of `size` characters, the last one shorter."""
    for start in range(0, len(text), size):
        yield text[start : start + size]


class ProviderServer:
    """An imitation of one provider: refuses by its rules, otherwise answers from the script.

    Use as a context manager; leaving it raises what went wrong inside a handler. A refused
    request takes no answer from the script. A request beyond its end gets status 418.

    Attributes:
        requests: the bodies of all requests, refused ones included, in order.
        paths: the path of each.
        refusals: the refusals given, in order.
        disconnects: the clients that hung up in mid-stream.
        hung_up: set with the first of them, to wait for.
        failures: what went wrong inside a handler.
    """

    prefix: ClassVar[str] = ""
    """The path between host and endpoint, part of `base_url`."""

    def __init__(self, script: Script = ()) -> None:
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.refusals: list[Refusal] = []
        self.disconnects: list[Disconnect] = []
        self.hung_up = threading.Event()
        self._script = script
        self._answered = 0
        self.failures: list[BaseException] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._listener = _Listener(self)
        self._thread = threading.Thread(
            target=self._listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._listener.shutdown()
        self._listener.server_close()
        self._thread.join()
        if self.failures and error is None:
            raise AssertionError("the imitation server failed") from self.failures[0]

    @property
    def base_url(self) -> str:
        """The address that clients are given."""
        return f"http://127.0.0.1:{self._listener.server_address[1]}{self.prefix}"

    def check(self, path: str, request: dict[str, Any]) -> Refusal | None:
        """The provider's rules on a request."""
        raise NotImplementedError

    def streams(self, path: str, request: dict[str, Any]) -> bool:  # noqa: ARG002 - Gemini's says it
        """Whether the request asks for server-sent events."""
        return bool(request.get("stream"))

    def body(self, request: dict[str, Any], answer: Answer) -> dict[str, Any]:
        """The whole answer as one JSON body."""
        raise NotImplementedError

    def events(self, request: dict[str, Any], answer: Answer) -> Iterator[Event]:
        """The answer as server-sent events."""
        raise NotImplementedError

    def accept(self, path: str, request: dict[str, Any]) -> tuple[int, Answer | Refusal]:
        """Writes the request down; its place among all, and the refusal or the next answer."""
        with self._lock:
            self.requests.append(request)
            self.paths.append(path)
            number = len(self.requests) - 1
            refusal = self.check(path, request)
            if refusal:
                self.refusals.append(refusal)
                return number, refusal
            if callable(self._script):
                return number, self._script(request)
            if self._answered == len(self._script):
                text = f"the script has {self._answered} answers, and this request asks for another"
                return number, Refusal(418, {"error": {"message": text}}, text)
            self._answered += 1
            return number, self._script[self._answered - 1]

    def send(self, handler: _Handler, number: int, answer: Answer) -> None:
        """Streams the answer; writes down a client that hangs up before its end."""
        events = list(self.events(self.requests[number], answer))
        total, sent = sum(event.characters for event in events), 0
        for event in events:
            if self._closing.is_set() or not handler.write_event(event.encode(), answer.delay):
                self.disconnects.append(Disconnect(number, sent, total))
                self.hung_up.set()
                return
            sent += event.characters


class _Listener(ThreadingHTTPServer):
    """Daemon threads that are joined all the same, so that nothing outlives a test."""

    daemon_threads = True

    def __init__(self, provider: ProviderServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.provider = provider
        self._workers: list[threading.Thread] = []

    def process_request(self, request: Any, client_address: Any) -> None:
        worker = threading.Thread(
            target=self.process_request_thread, args=(request, client_address), daemon=True
        )
        self._workers.append(worker)
        worker.start()

    def server_close(self) -> None:
        super().server_close()
        for worker in self._workers:
            worker.join(5)


class _Handler(BaseHTTPRequestHandler):
    """One request a connection: HTTP/1.0 closes it after the answer."""

    timeout = 5

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it
        """Says nothing: the test reads `ProviderServer.requests`."""

    def do_POST(self) -> None:
        provider = cast("_Listener", self.server).provider
        try:
            length = int(self.headers.get("content-length", 0))
            request = json.loads(self.rfile.read(length))
            number, answer = provider.accept(self.path, request)
            if isinstance(answer, Refusal):
                self._json(answer.status, answer.body)
            elif answer.http_error:
                self._json(*answer.http_error)
            elif provider.streams(self.path, request):
                self._head(200, "text/event-stream")
                provider.send(self, number, answer)
            else:
                self._json(200, provider.body(request, answer))
        except ConnectionError:
            pass  # the client went away before its answer: nobody to tell
        except Exception as error:  # noqa: BLE001 - raised on leaving the server's context
            provider.failures.append(error)
            self._json(418, {"error": {"message": f"the imitation server failed: {error!r}"}})

    def write_event(self, data: bytes, delay: float) -> bool:
        """Waits, then writes; false where the client hung up first."""
        readable, _, _ = select.select([self.connection], [], [], delay)
        try:
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                return False
            self.wfile.write(data)
        except ConnectionError:
            return False
        return True

    def _json(self, status: int, body: Any) -> None:
        data = json.dumps(body).encode()
        self._head(status, "application/json", len(data))
        self.wfile.write(data)

    def _head(self, status: int, kind: str, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        if length is not None:
            self.send_header("content-length", str(length))
        self.end_headers()

from __future__ import annotations

import asyncio
import errno
import socket
import subprocess
from datetime import UTC, datetime
from typing import Any
from urllib.error import URLError

import anthropic
import httpx
import openai
import pytest
import requests
from langchain_core import exceptions as lc
from langchain_core.tools import ToolException
from langgraph.errors import GraphInterrupt
from mcp.shared.exceptions import McpError
from mcp.types import ErrorData
from pydantic import TypeAdapter, ValidationError

from rendercall.results import CODES, ToolError, ToolFailed, error_of
from rendercall.results.error_mapping import passes_through
from rendercall.results.http_status import retry_after_ms

REQUEST = httpx.Request("GET", "http://127.0.0.1/")
SECRET = "password=hunter2-in-the-text"


def http(status: int, **headers: str) -> Exception:
    response = httpx.Response(status, request=REQUEST, headers=headers)
    return httpx.HTTPStatusError(SECRET, request=REQUEST, response=response)


def provider(module: Any, name: str, status: int, **headers: str) -> Exception:
    # Both clients come with their own copy of httpx's classes, of which only attributes count.
    response = httpx.Response(status, request=REQUEST, headers=headers)
    body = {"error": {"message": SECRET}}
    return getattr(module, name)(SECRET, response=response, body=body)  # type: ignore[no-any-return]


def quota() -> Exception:
    response = httpx.Response(429, request=REQUEST)
    body = {"code": "insufficient_quota", "message": SECRET}
    return openai.RateLimitError(SECRET, response=response, body=body)  # type: ignore[arg-type]


def invalid() -> Exception:
    try:
        TypeAdapter(int).validate_python(SECRET)
    except ValidationError as error:
        return error
    raise AssertionError


TABLE: dict[str, tuple[BaseException, str, bool]] = {
    "400": (http(400), "INVALID_ARGUMENT", False),
    "401": (http(401), "UNAUTHENTICATED", False),
    "402": (http(402), "QUOTA_EXHAUSTED", False),
    "403": (http(403), "FORBIDDEN", False),
    "404": (http(404), "NOT_FOUND", False),
    "405": (http(405), "UNSUPPORTED", False),
    "408": (http(408), "TIMEOUT", True),
    "409": (http(409), "CONFLICT", False),
    "410": (http(410), "NOT_FOUND", False),
    "412": (http(412), "FAILED_PRECONDITION", False),
    "413": (http(413), "TOO_LARGE", False),
    "418": (http(418), "INTERNAL", False),
    "422": (http(422), "INVALID_ARGUMENT", False),
    "428": (http(428), "FAILED_PRECONDITION", False),
    "429": (http(429), "RATE_LIMITED", True),
    "499": (http(499), "CANCELLED", False),
    "500": (http(500), "INTERNAL", False),
    "501": (http(501), "UNSUPPORTED", False),
    "502": (http(502), "UNAVAILABLE", True),
    "503": (http(503), "UNAVAILABLE", True),
    "503, do not retry": (http(503, **{"x-should-retry": "false"}), "UNAVAILABLE", False),
    "504": (http(504), "TIMEOUT", True),
    "httpx timeout": (httpx.ReadTimeout(SECRET), "TIMEOUT", True),
    "httpx connect": (httpx.ConnectError(SECRET), "UNAVAILABLE", True),
    "httpx reset": (httpx.RemoteProtocolError(SECRET), "UNAVAILABLE", True),
    "httpx protocol": (httpx.UnsupportedProtocol(SECRET), "INVALID_ARGUMENT", False),
    "openai 401": (provider(openai, "AuthenticationError", 401), "UNAUTHENTICATED", False),
    "openai 429": (provider(openai, "RateLimitError", 429), "RATE_LIMITED", True),
    "openai quota": (quota(), "QUOTA_EXHAUSTED", False),
    "openai 400": (provider(openai, "BadRequestError", 400), "INVALID_ARGUMENT", False),
    "openai timeout": (openai.APITimeoutError(REQUEST), "TIMEOUT", True),  # type: ignore[arg-type]
    "openai connection": (openai.APIConnectionError(request=REQUEST), "UNAVAILABLE", True),  # type: ignore[arg-type]
    "anthropic 403": (provider(anthropic, "PermissionDeniedError", 403), "FORBIDDEN", False),
    "anthropic overloaded": (provider(anthropic, "APIStatusError", 529), "UNAVAILABLE", True),
    "anthropic timeout": (anthropic.APITimeoutError(REQUEST), "TIMEOUT", True),  # type: ignore[arg-type]
    "langchain rate": (lc.ModelRateLimitError(SECRET), "RATE_LIMITED", True),
    "langchain auth": (lc.ModelAuthenticationError(SECRET), "UNAUTHENTICATED", False),
    "langchain overflow": (lc.ContextOverflowError(SECRET), "TOO_LARGE", False),
    "langchain parser": (lc.OutputParserException(SECRET), "OUTPUT_INVALID", False),
    "langchain tool": (ToolException(SECRET), "INTERNAL", False),
    "timeout": (TimeoutError(SECRET), "TIMEOUT", True),
    "reset": (ConnectionResetError(SECRET), "UNAVAILABLE", True),
    "refused": (ConnectionRefusedError(SECRET), "UNAVAILABLE", True),
    "name lookup": (socket.gaierror(socket.EAI_AGAIN, SECRET), "UNAVAILABLE", True),
    "urllib refused": (URLError(ConnectionRefusedError(SECRET)), "UNAVAILABLE", True),
    "urllib timeout": (URLError(TimeoutError(SECRET)), "TIMEOUT", True),
    "urllib unknown": (URLError(SECRET), "INTERNAL", False),
    "requests reset": (requests.ConnectionError(SECRET), "UNAVAILABLE", True),
    "requests cut": (requests.exceptions.ChunkedEncodingError(SECRET), "UNAVAILABLE", True),
    "requests certificate": (requests.exceptions.SSLError(SECRET), "FAILED_PRECONDITION", False),
    "a command": (subprocess.TimeoutExpired(SECRET, 3), "TIMEOUT", True),
    "permission": (PermissionError(SECRET), "FORBIDDEN", False),
    "no file": (FileNotFoundError(SECRET), "NOT_FOUND", False),
    "disk full": (OSError(errno.ENOSPC, SECRET), "QUOTA_EXHAUSTED", False),
    "read-only": (OSError(errno.EROFS, SECRET), "FORBIDDEN", False),
    "unknown os error": (OSError(errno.EIO, SECRET), "INTERNAL", False),
    "not implemented": (NotImplementedError(SECRET), "UNSUPPORTED", False),
    "pydantic": (invalid(), "INVALID_ARGUMENT", False),
    "cancelled": (asyncio.CancelledError(SECRET), "CANCELLED", False),
    "mcp params": (McpError(ErrorData(code=-32602, message=SECRET)), "INVALID_ARGUMENT", False),
    "mcp unknown": (McpError(ErrorData(code=-32000, message=SECRET)), "INTERNAL", False),
    "ours": (ToolFailed("CONFLICT"), "CONFLICT", False),
    "a group of one kind": (ExceptionGroup(SECRET, [TimeoutError(), ExceptionGroup("x", [TimeoutError()])]), "TIMEOUT", True),
    "a group of several": (ExceptionGroup(SECRET, [TimeoutError(), KeyError()]), "INTERNAL", False),
    "unknown": (RuntimeError(SECRET), "INTERNAL", False),
}  # fmt: skip


@pytest.mark.parametrize(("error", "code", "retryable"), TABLE.values(), ids=TABLE)
def test_exceptions_by_their_kind(error: BaseException, code: str, retryable: bool) -> None:
    """The code of the table, and not a word of the exception's text."""
    told = error_of(error)
    assert (told.code, told.retryable) == (code, retryable)
    assert SECRET not in told.text()
    assert ToolError.from_json(told.as_json()) == told


def test_every_code_has_words_and_only_three_may_be_tried_again() -> None:
    """Anything else would be tried for nothing, or do harm."""
    assert {code for code, row in CODES.items() if row.retryable} == {
        "RATE_LIMITED",
        "TIMEOUT",
        "UNAVAILABLE",
    }
    assert all(row.message.endswith((".", "shown.")) for row in CODES.values())


NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after-ms": "250"}, 250),
        ({"retry-after-ms": "250", "retry-after": "9"}, 250),
        ({"retry-after": "2"}, 2000),
        ({"retry-after": "0.5"}, 500),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:07 GMT"}, 7000),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
    ids=str,
)
def test_how_long_a_service_asks_to_wait(headers: dict[str, str], expected: int | None) -> None:
    """In milliseconds, seconds or as a date; nonsense is no answer."""
    assert retry_after_ms(headers, NOW) == expected
    if expected and "Nov" not in str(headers):
        assert error_of(http(429, **headers)).retry_after_ms == expected


def test_langgraphs_own_stops_are_no_failures() -> None:
    """An interrupt waits for a human."""
    assert passes_through(GraphInterrupt())
    assert not passes_through(RuntimeError())

"""Exceptions of others as failures of ours: by kind alone, never by what they say.

An exception's own text may hold a password, a query or a path, so it goes nowhere. Classes of
optional packages are known by name: nothing is imported for it.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from rendercall.contract.pydantic_errors import UNKNOWN, schema_issue
from rendercall.errors import Issue, SchemaRefused
from rendercall.results.error_codes import Code
from rendercall.results.http_status import error_of_status, status_of
from rendercall.results.tool_error import ToolError, ToolFailed

__all__ = ["argument_issues", "error_of", "passes_through"]

_FIRST: Mapping[str, Code] = {
    "langchain_core.ContextOverflowError": "TOO_LARGE",
}
"""Classes that say more than the status that comes with them."""

_CLASSES: Mapping[str, Code] = {
    "httpx.TimeoutException": "TIMEOUT",
    "httpx.UnsupportedProtocol": "INVALID_ARGUMENT",
    "httpx.InvalidURL": "INVALID_ARGUMENT",
    "httpx.TransportError": "UNAVAILABLE",
    "httpx2.TimeoutException": "TIMEOUT",
    "httpx2.UnsupportedProtocol": "INVALID_ARGUMENT",
    "httpx2.InvalidURL": "INVALID_ARGUMENT",
    "httpx2.TransportError": "UNAVAILABLE",
    "requests.Timeout": "TIMEOUT",
    "requests.SSLError": "FAILED_PRECONDITION",
    "requests.ConnectionError": "UNAVAILABLE",
    "requests.ChunkedEncodingError": "UNAVAILABLE",
    "openai.APITimeoutError": "TIMEOUT",
    "openai.APIConnectionError": "UNAVAILABLE",
    "openai.ContentFilterFinishReasonError": "OUTPUT_REJECTED",
    "openai.LengthFinishReasonError": "TOO_LARGE",
    "anthropic.APITimeoutError": "TIMEOUT",
    "anthropic.APIConnectionError": "UNAVAILABLE",
    "langchain_core.ModelAuthenticationError": "UNAUTHENTICATED",
    "langchain_core.ModelPermissionDeniedError": "FORBIDDEN",
    "langchain_core.ModelInvalidRequestError": "INVALID_ARGUMENT",
    "langchain_core.ModelNotFoundError": "NOT_FOUND",
    "langchain_core.ModelRateLimitError": "RATE_LIMITED",
    "langchain_core.ModelAPIError": "UNAVAILABLE",
    "langchain_core.ModelConnectionError": "UNAVAILABLE",
    "langchain_core.ModelTimeoutError": "TIMEOUT",
    "langchain_core.ModelRefusalError": "OUTPUT_REJECTED",
    "langchain_core.OutputParserException": "OUTPUT_INVALID",
    "asyncio.CancelledError": "CANCELLED",
    "concurrent.CancelledError": "CANCELLED",
    "ssl.SSLCertVerificationError": "FAILED_PRECONDITION",
    "subprocess.TimeoutExpired": "TIMEOUT",
    "builtins.TimeoutError": "TIMEOUT",
    "builtins.ConnectionError": "UNAVAILABLE",
    "builtins.PermissionError": "FORBIDDEN",
    "builtins.FileNotFoundError": "NOT_FOUND",
    "builtins.FileExistsError": "CONFLICT",
    "builtins.IsADirectoryError": "INVALID_ARGUMENT",
    "builtins.NotADirectoryError": "INVALID_ARGUMENT",
    "builtins.NotImplementedError": "UNSUPPORTED",
}
"""By top package and class name; the first class of an exception's bases that is here counts."""

_ERRNO: Mapping[int, Code] = {
    errno.ENOSPC: "QUOTA_EXHAUSTED",
    errno.EDQUOT: "QUOTA_EXHAUSTED",
    errno.EROFS: "FORBIDDEN",
    errno.EFBIG: "TOO_LARGE",
    errno.ENAMETOOLONG: "INVALID_ARGUMENT",
    errno.EBUSY: "UNAVAILABLE",
    errno.EMFILE: "UNAVAILABLE",
    errno.ENFILE: "UNAVAILABLE",
    errno.EHOSTUNREACH: "UNAVAILABLE",
    errno.ENETUNREACH: "UNAVAILABLE",
    errno.ENETDOWN: "UNAVAILABLE",
}
"""For an OSError whose class says nothing."""

_MCP: Mapping[int, Code] = {
    -32602: "INVALID_ARGUMENT",
    -32601: "UNSUPPORTED",
    -32002: "NOT_FOUND",
    408: "TIMEOUT",
}
"""JSON-RPC codes of the Model Context Protocol's `McpError`."""


def error_of(error: BaseException) -> ToolError:
    """The failure that an exception stands for; one that nobody knows is INTERNAL.

    A group of exceptions is its failure if all are of one code, else INTERNAL.
    """
    if isinstance(error, ToolFailed):
        return error.error
    if isinstance(error, BaseExceptionGroup):
        inner = [error_of(one) for one in error.exceptions]
        return inner[0] if len({one.code for one in inner}) == 1 else ToolError("INTERNAL")
    names = _names(error)
    for name in names:
        if name in _FIRST:
            return ToolError(_FIRST[name])
    status = status_of(error)
    if status is not None:
        return error_of_status(status, error)
    return _by_class(error, names)


def _by_class(error: BaseException, names: list[str]) -> ToolError:
    refused = getattr(error, "source", error)  # langgraph's ToolInvocationError has one
    if isinstance(refused, ValidationError):
        return ToolError("INVALID_ARGUMENT", issues=argument_issues(refused))
    if isinstance(error, SchemaRefused):
        return ToolError("SCHEMA_REJECTED", issues=error.issues)
    for name in names:
        if name in _CLASSES:
            return ToolError(_CLASSES[name])
    if "mcp.McpError" in names:
        told: Any = getattr(error, "error", None)
        return ToolError(_MCP.get(getattr(told, "code", 0), "INTERNAL"))
    reason = getattr(error, "reason", None)  # urllib's URLError wraps what happened
    if isinstance(error, OSError) and isinstance(reason, OSError):
        return error_of(reason)
    if isinstance(error, OSError) and (error.errno or 0) in _ERRNO:
        return ToolError(_ERRNO[error.errno or 0])
    if {"socket.gaierror", "socket.herror"} & set(names):
        return ToolError("UNAVAILABLE")
    return ToolError("INTERNAL")


def argument_issues(error: ValidationError) -> tuple[Issue, ...]:
    """What is wrong with a call's arguments, with JSON Pointers and no value."""
    details = error.errors(include_url=False, include_context=False)
    document = details[0]["input"] if details and not details[0]["loc"] else UNKNOWN
    return tuple(schema_issue(document, one) for one in details)


def passes_through(error: BaseException) -> bool:
    """Whether an exception is no failure but LangGraph's own way to stop or wait."""
    waits = getattr(error, "_langgraph_invalid_resume", False) is True
    return waits or "langgraph.GraphBubbleUp" in _names(error)


def _names(error: BaseException) -> list[str]:
    return [f"{one.__module__.partition('.')[0]}.{one.__name__}" for one in type(error).__mro__]

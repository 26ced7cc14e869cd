"""What an HTTP answer says about a failure, whichever client brought it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from rendercall.results.error_codes import Code
from rendercall.results.tool_error import ToolError

__all__ = ["error_of_status", "retry_after_ms", "status_of"]

_CODES: Mapping[int, Code] = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    402: "QUOTA_EXHAUSTED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "UNSUPPORTED",
    408: "TIMEOUT",
    409: "CONFLICT",
    410: "NOT_FOUND",
    412: "FAILED_PRECONDITION",
    413: "TOO_LARGE",
    422: "INVALID_ARGUMENT",
    428: "FAILED_PRECONDITION",
    429: "RATE_LIMITED",
    499: "CANCELLED",
    501: "UNSUPPORTED",
    502: "UNAVAILABLE",
    503: "UNAVAILABLE",
    504: "TIMEOUT",
    529: "UNAVAILABLE",  # Anthropic: overloaded_error
}
"""Any other status is INTERNAL, 500 too: nobody knows what was done."""


def status_of(error: BaseException) -> int | None:
    """The status of the answer that an exception is about.

    httpx, requests: `response.status_code`; openai, anthropic: `status_code`; urllib: `code`;
    aiohttp: `status`.
    """
    held = getattr(error, "response", None)
    found = getattr(error, "status_code", None) or getattr(held, "status_code", None)
    if found is None and type(error).__module__.partition(".")[0] in {"urllib", "aiohttp"}:
        found = getattr(error, "status", None) or getattr(error, "code", None)
    return found if isinstance(found, int) and 400 <= found < 600 else None  # noqa: PLR2004 - HTTP's


def error_of_status(status: int, error: BaseException) -> ToolError:
    """The failure that a status stands for.

    Args:
        status: 400 to 599.
        error: the exception, for its headers and its provider's own code.
    """
    code = _CODES.get(status, "INTERNAL")
    if code == "RATE_LIMITED" and getattr(error, "code", None) == "insufficient_quota":
        code = "QUOTA_EXHAUSTED"  # OpenAI: no waiting helps
    headers = _headers(error)
    refused = str(headers.get("x-should-retry", "")).lower() == "false"
    wait = retry_after_ms(headers) if code in {"RATE_LIMITED", "UNAVAILABLE", "TIMEOUT"} else None
    return ToolError(code, retryable=False if refused else None, retry_after_ms=wait)


def retry_after_ms(headers: Mapping[str, Any], now: datetime | None = None) -> int | None:
    """Milliseconds to wait at least; None where the service does not say.

    `retry-after-ms` (OpenAI, Azure), else `Retry-After` in seconds or as a date (RFC 9110,
    10.2.3).

    Args:
        headers: of the answer; names in any case where the mapping is a client's own.
        now: the time; that of the clock by default.
    """
    exact, usual = headers.get("retry-after-ms"), headers.get("retry-after")
    milliseconds = _number(exact)
    if milliseconds is None and usual is not None:
        seconds = _number(usual)
        if seconds is None:
            seconds = _seconds_until(str(usual), now or datetime.now(UTC))
        milliseconds = None if seconds is None else seconds * 1000
    return None if milliseconds is None else math.ceil(milliseconds)


def _number(text: object) -> float | None:
    try:
        value = float(str(text))
    except ValueError:
        return None
    return value if 0 <= value < math.inf else None


def _seconds_until(date: str, now: datetime) -> float | None:
    try:
        then = parsedate_to_datetime(date)
    except ValueError:
        return None
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - now).total_seconds())


def _headers(error: BaseException) -> Mapping[str, Any]:
    held = getattr(error, "response", None)
    found = getattr(held, "headers", None) or getattr(error, "headers", None) or {}
    return {str(key).lower(): value for key, value in found.items()}

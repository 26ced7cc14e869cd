"""Cursors that cannot be made up, and that fit one tool, one question and one thread.

A cursor is text that the model carries back. It is signed (HMAC-SHA-256) over the tool, its
other arguments and the thread, so one of another question, tool or thread is refused. It hides
nothing: what it holds can be read.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import os
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from secrets import token_bytes
from typing import Any

from rendercall.results.current_call import CurrentCall, current_call
from rendercall.results.tool_error import ToolFailed

__all__ = ["KEY_VARIABLE", "Cursors"]

KEY_VARIABLE = "RENDERCALL_CURSOR_KEY"
"""Environment variable with the key, for cursors that outlive a process or go to another."""

_LIFETIME = 900
_SIGNATURE = 16
"""Bytes; 128 bits cannot be guessed (RFC 2104, section 5)."""


class Cursors:
    """Makes and opens the cursors of the call that is running.

    ```python
    cursors = Cursors()
    position = cursors.open(cursor) or {"offset": 0}
    next_cursor = cursors.seal({"offset": 50})
    ```

    Args:
        argument: the tool's argument that takes the cursor; every other one is bound.
        key: the secret; the environment's `RENDERCALL_CURSOR_KEY` by default, else one that
            is made for this process.
        lifetime: seconds.
        clock: seconds since 1970.
    """

    def __init__(
        self,
        argument: str = "cursor",
        *,
        key: bytes | None = None,
        lifetime: int = _LIFETIME,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._argument = argument
        self._key = key or os.environ.get(KEY_VARIABLE, "").encode() or _process_key
        self._lifetime = lifetime
        self._clock = clock

    def seal(self, position: Mapping[str, Any]) -> str:
        """A cursor for a position.

        Args:
            position: small plain JSON, e.g. `{"offset": 50}`; no secret.
        """
        body = {"p": dict(position), "e": int(self._clock()) + self._lifetime}
        payload = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
        return f"{_text(payload)}~{_text(self._signature(payload))}"

    def open(self, cursor: str | None) -> dict[str, Any] | None:
        """The position of a cursor; None where there is no cursor.

        Raises:
            ToolFailed: INVALID_ARGUMENT: it is none of ours, of another tool, question or
                thread, or too old.
        """
        if not cursor:
            return None
        head, _, tail = cursor.partition("~")
        try:
            payload, signature = _bytes(head), _bytes(tail)
        except (binascii.Error, ValueError):
            payload, signature = b"", b""
        if not hmac.compare_digest(signature, self._signature(payload)):
            raise _refused("belongs to no earlier call with the same arguments")
        body = json.loads(payload)
        if body["e"] < self._clock():
            raise _refused("is too old")
        position: dict[str, Any] = body["p"]
        return position

    def _signature(self, payload: bytes) -> bytes:
        bound = _bound(current_call(), self._argument)
        return hmac.digest(self._key, bound + b"\0" + payload, sha256)[:_SIGNATURE]


def _bound(call: CurrentCall, argument: str) -> bytes:
    others = {key: one for key, one in call.args.items() if key != argument and one is not None}
    whole = [call.tool, others, call.thread_id, call.owner]
    return json.dumps(whole, sort_keys=True, default=str).encode()


def _refused(why: str) -> ToolFailed:
    message = f"The cursor {why}. Call again without a cursor, from the beginning."
    return ToolFailed("INVALID_ARGUMENT", message)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


_process_key = token_bytes(32)

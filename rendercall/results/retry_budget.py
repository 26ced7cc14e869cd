"""How many retries the calls of one tool may make together: where most fail, more make it worse.

As in the standard mode of AWS's SDKs: a retry takes a token out of a bucket, and successes fill it
again. Where it is empty, calls fail at once, as they would have failed later.
"""

from __future__ import annotations

import math
from threading import Lock

__all__ = ["RetryBudget"]

_COST = 5
"""Tokens of a retry; a call that succeeds at once earns one."""


class RetryBudget:
    """The retries that are left; shared by threads and event loops.

    Args:
        retries: how many there are at most; None is no bound.
    """

    def __init__(self, retries: int | None) -> None:
        self._most = math.inf if retries is None else retries * _COST
        self._left = self._most
        self._lock = Lock()

    def __deepcopy__(self, memo: object) -> RetryBudget:
        """Copies of a tool call the same service."""
        return self

    def take(self) -> bool:
        """Take one retry; whether there was one."""
        with self._lock:
            if self._left < _COST:
                return False
            self._left -= _COST
            return True

    def succeeded(self, retries: int) -> None:
        """A call has succeeded: what it took comes back, or a little where it took nothing."""
        with self._lock:
            self._left = min(self._most, self._left + max(1, retries * _COST))

"""Call ids that every provider takes, each once in a request."""

from __future__ import annotations

import re
from hashlib import sha256

__all__ = ["RequestIds"]

_LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,40}")
"""Anthropic: "String should match pattern '^[a-zA-Z0-9_-]+$'" (tailcallhq/forgecode#1142).
OpenAI: "Expected a string with maximum length 40" (vercel/ai#5171)."""


class RequestIds:
    """Gives the ids of one request's calls, in order.

    A legal id that is new stays as it is. A second one of a name is replaced: Anthropic
    refuses it ("`tool_use` ids must be unique", trycua/cua#524), and langchain-openai leaves
    the second call of that id out of a Responses request, but not its output.
    """

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def take(self, call_id: str) -> str:
        """The id to send for a call; the same for the same history."""
        chosen, times = call_id, 0
        while chosen in self._seen or not _LEGAL.fullmatch(chosen):
            chosen = f"call_{sha256(f'{times} {call_id}'.encode()).hexdigest()[:24]}"
            times += 1
        self._seen.add(chosen)
        return chosen

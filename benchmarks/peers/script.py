"""What every adapter is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from langchain_core.tools import BaseTool, tool
from pydantic import BaseModel

from rendercall.models import Reply

__all__ = ["CAP", "Capped", "Ended", "Quiz", "Script", "adapter", "ordinary_tools"]

CAP = 55
"""Model calls after which a run is stopped: no cell needs more than four, and the largest
limit of a peer's own is 50 (pydantic-ai's `request_limit`)."""


class Capped(Exception):  # noqa: N818 - it is no error of a peer's
    """The run did not end."""


class Quiz(BaseModel):
    """A quiz: the second thing that can be rendered."""

    q: int


@dataclass
class Script:
    """What the model answers; the last reply repeats, up to the cap.

    Attributes:
        replies: the answers, in order.
        stream: whether the model streams, to somebody who watches.
        calls: how often it was asked.
    """

    replies: Sequence[Reply]
    stream: bool
    calls: int = field(default=0, init=False)

    def next(self, *_: Any) -> Reply:
        """The next answer.

        Raises:
            Capped: there were too many.
        """
        self.calls += 1
        if self.calls > CAP:
            raise Capped
        return self.replies[min(self.calls, len(self.replies)) - 1]


@dataclass(frozen=True)
class Ended:
    """How a run ended, as its caller sees it.

    Attributes:
        value: the structured answer as JSON data; None where there is none.
        error: the exception's or the status's name; None where nothing says that it failed.
    """

    value: Any = None
    error: str | None = None


def adapter(module: str, function: str) -> Any:
    """A peer's adapter; None where its package is not installed."""
    try:
        return getattr(import_module(f"benchmarks.peers.{module}"), function)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith(("benchmarks", "rendercall", "tests", "schemas")):
            raise
        return None


def ordinary_tools() -> list[BaseTool]:
    """The ordinary tools of the routing table."""

    @tool
    def search_docs(query: str) -> str:
        """Search the documentation."""
        return f"hits for {query}"

    @tool
    def count_words(text: str) -> int:
        """Count words."""
        return len(text.split())

    return [search_docs, count_words]

"""A walk over the pages of somebody else's list, with an end in every case."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, TypeAlias

from rendercall.results.output_check import plain_json

__all__ = ["Page", "Stop", "WalkBounds", "Walked", "awalk", "walk"]

Stop: TypeAlias = Literal[
    "end", "max_items", "max_bytes", "max_pages", "max_seconds", "max_cost",
    "repeated_cursor", "empty_page",
]  # fmt: skip
"""Why a walk ended: `end` is the end of the list; all else leaves something out."""

MAX_SEEN = 64
"""Cursors that are remembered from one walk to the next that goes on from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkBounds:
    """What a walk may take.

    Attributes:
        max_items: records in all.
        max_bytes: of the records as JSON.
        max_pages: requests.
        max_seconds: of the whole walk; no request begins after it.
        max_cost: of the pages' own costs, in whatever unit they have; None is no limit.
    """

    max_items: int = 500
    max_bytes: int = 262_144
    max_pages: int = 10
    max_seconds: float = 30.0
    max_cost: float | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        items: the records.
        next: the cursor of the next page; None or "" on the last one.
        total: how many records there are, where the service says so.
        cost: what the page cost.
    """

    items: Sequence[Any]
    next: str | None = None
    total: int | None = None
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk brought.

    Attributes:
        items: the records, each once.
        stop: why it ended.
        position: where to go on, for `walk(start=…)`: the service's `cursor`, how many of its
            records to `skip`, and marks of the cursors that were `seen`; None at the end of the
            list, and where the service leads nowhere (`repeated_cursor`, `empty_page`).
        total: how many records there are, where the service says so.
        pages: how many were asked for.
        cost: what they cost.
    """

    items: list[Any]
    stop: Stop
    position: Mapping[str, Any] | None
    total: int | None
    pages: int
    cost: float

    @property
    def is_complete(self) -> bool:
        """Whether the list was walked to its end."""
        return self.stop == "end"


def walk(
    fetch: Callable[[str | None], Page],
    *,
    start: Mapping[str, Any] | None = None,
    bounds: WalkBounds | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Walked:
    """Ask for page after page until the list or a bound ends.

    Args:
        fetch: takes a cursor, None for the first page, and gives the page.
        start: the `position` of an earlier walk.
        bounds: what the walk may take.
        clock: seconds; monotonic.
    """
    course = _Course(start, bounds or WalkBounds(), clock)
    while course.stop is None:
        course.take(fetch(course.cursor))
    return course.walked()


async def awalk(
    fetch: Callable[[str | None], Awaitable[Page]],
    *,
    start: Mapping[str, Any] | None = None,
    bounds: WalkBounds | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Walked:
    """As `walk`, asynchronously."""
    course = _Course(start, bounds or WalkBounds(), clock)
    while course.stop is None:
        course.take(await fetch(course.cursor))
    return course.walked()


@dataclass(slots=True)
class _Course:
    """A walk under way."""

    start: Mapping[str, Any] | None
    bounds: WalkBounds
    clock: Callable[[], float]
    cursor: str | None = None
    skip: int = 0
    items: list[Any] = field(default_factory=list[Any])
    size: int = 0
    pages: int = 0
    cost: float = 0.0
    total: int | None = None
    stop: Stop | None = None
    seen: list[str] = field(default_factory=list[str])
    began: float = 0.0

    def __post_init__(self) -> None:
        held = self.start or {}
        self.cursor, self.skip = held.get("cursor"), int(held.get("skip", 0))
        self.seen = [*held.get("seen", ())]
        self.began = self.clock()

    def take(self, page: Page) -> None:
        """Add a page, and decide whether the walk ends with it."""
        self.pages += 1
        self.cost += page.cost
        self.total = page.total if page.total is not None else self.total
        for item in page.items[self.skip :]:
            self.stop = self._no_room(item)
            if self.stop:
                return
            self.skip += 1
        self._turn(page)

    def _no_room(self, item: Any) -> Stop | None:
        """The bound that a record would break; the first one is always taken."""
        size = len(json.dumps(plain_json(item), ensure_ascii=False).encode())
        if len(self.items) >= self.bounds.max_items:
            return "max_items"
        if self.items and self.size + size > self.bounds.max_bytes:
            return "max_bytes"
        self.items.append(item)
        self.size += size
        return None

    def _turn(self, page: Page) -> None:
        """Go to the next page, or say why not."""
        following = page.next or None
        if following is None:
            self.stop = "end"
            return
        mark = _mark(following)
        if mark in self.seen or following == self.cursor:
            self.stop = "repeated_cursor"
            return
        if not page.items:
            self.stop = "empty_page"
            return
        self.seen.append(mark)
        self.cursor, self.skip = following, 0
        bounds = self.bounds
        if self.pages >= bounds.max_pages:
            self.stop = "max_pages"
        elif self.clock() - self.began >= bounds.max_seconds:
            self.stop = "max_seconds"
        elif bounds.max_cost is not None and self.cost >= bounds.max_cost:
            self.stop = "max_cost"

    def walked(self) -> Walked:
        ends = self.stop in {"end", "repeated_cursor", "empty_page"}
        here = {"cursor": self.cursor, "skip": self.skip, "seen": self.seen[-MAX_SEEN:]}
        position = None if ends else here
        assert self.stop is not None  # noqa: S101 - the loop ran until it was set
        return Walked(self.items, self.stop, position, self.total, self.pages, self.cost)


def _mark(cursor: str) -> str:
    """A short mark of a cursor: positions travel through the model, and must stay short."""
    return sha256(cursor.encode()).hexdigest()[:8]

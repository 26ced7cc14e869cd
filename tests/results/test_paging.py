from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from rendercall.results import (
    Cursors,
    Page,
    ToolFailed,
    ToolResult,
    WalkBounds,
    Walked,
    awalk,
    fit,
    structured_tool,
    walk,
)
from rendercall.results.current_call import CurrentCall, running

LOG = [
    {
        "ts": f"2026-11-30T12:{n // 60 % 60:02}:{n % 60:02}Z", "level": "ERROR" if n % 50 == 0 else "INFO",
        "service": "checkout", "request_id": f"{n:08x}", "message": f"GET /orders/{n} answered in {n % 97} ms",
        "host": f"ip-10-0-{n % 255}-{n % 13}", "noise": "x" * 40,
    }
    for n in range(9_500)
]  # fmt: skip


def search_tool() -> Any:
    cursors = Cursors()

    @structured_tool(output={"type": "object"})
    def search(query: str, cursor: str | None = None) -> ToolResult:
        """Search."""
        del query
        start = (cursors.open(cursor) or {"start": 0})["start"]
        part = fit(LOG, fields=["ts", "level", "message", "request_id"], max_items=200, start=start)
        found = {"rows": part.rows}
        if not part.is_truncated:
            return ToolResult(part.text(), found)
        following = {"cursor": cursors.seal({"start": part.next_start})}
        return ToolResult.truncated(
            part.text(),
            found,
            next=following,
            covered=part.covered,
            total=part.total,
            reason=part.reason,
        )

    return search


def call(tool: Any, thread: str = "t1", user: str = "u1", **args: Any) -> Any:
    config = {"configurable": {"thread_id": thread, "langgraph_auth_user_id": user}}
    return tool.invoke({"type": "tool_call", "name": tool.name, "id": "c", "args": args}, config)


def test_two_megabytes_become_32_kilobytes_with_totals_and_a_way_on() -> None:
    """And walking all pages by the cursors gives every record once."""
    assert len(json.dumps(LOG)) > 2_000_000
    search, seen, cursor = search_tool(), [], None
    pages = 0
    while pages < 1_000:
        pages += 1
        message = call(search, query="orders", cursor=cursor)
        assert len(message.text.encode()) <= 32_768
        told = message.artifact.get("truncated")
        rows = message.artifact["structured"]["rows"]
        if told:
            assert told["total"] == 9_500
            assert told["covered"] == {
                "unit": "records",
                "first": len(seen) + 1,
                "last": len(seen) + len(rows),
            }
            assert f"records {len(seen) + 1:,}-{len(seen) + len(rows):,} of 9,500" in message.text
            assert f"cursor={told['next']['cursor']!r}" in message.text
        seen += [row["request_id"] for row in rows]
        if not told:
            break
        cursor = told["next"]["cursor"]
    assert seen == [row["request_id"] for row in LOG]
    assert pages > 10


def test_a_cursor_fits_one_tool_question_thread_and_time() -> None:
    """Anything else is refused, with what to do."""
    search, other = search_tool(), search_tool().model_copy(update={"name": "search_more"})
    cursor = call(search, query="orders").artifact["truncated"]["next"]["cursor"]
    assert call(search, query="orders", cursor=cursor).status == "success"
    body, _, signature = cursor.partition("~")
    wrong: list[tuple[Any, dict[str, Any]]] = [
        (other, {"query": "orders", "cursor": cursor}),
        (search, {"query": "other", "cursor": cursor}),
        (search, {"query": "orders", "cursor": cursor, "thread": "t2"}),
        (search, {"query": "orders", "cursor": cursor, "user": "u2"}),
        (search, {"query": "orders", "cursor": "nonsense"}),
        (search, {"query": "orders", "cursor": f"{body[:-2]}AA~{signature}"}),
        (search, {"query": "orders", "cursor": f"{body}~"}),
        (search, {"query": "orders", "cursor": f"{body}~é"}),
    ]
    for tool, args in wrong:
        message = call(tool, **args)
        assert message.artifact["error"]["code"] == "INVALID_ARGUMENT"
        assert "Call again without a cursor" in message.text


def test_a_cursor_grows_old() -> None:
    """After its lifetime it is refused."""
    now = [1_000.0]
    cursors = Cursors(key=b"k", lifetime=60, clock=lambda: now[0])
    with running(CurrentCall("t", {"q": 1})):
        cursor = cursors.seal({"at": 5})
        assert cursors.open(cursor) == {"at": 5}
        now[0] += 61
        with pytest.raises(ToolFailed, match="too old"):
            cursors.open(cursor)
        with pytest.raises(ToolFailed):
            Cursors(key=b"other").open(cursor)


class Service:
    """Pages of a list, cursors being offsets."""

    def __init__(self, size: int | None, page: int = 7, cost: float = 1.0) -> None:
        self.size, self.page, self.cost, self.asked = size, page, cost, 0

    def __call__(self, cursor: str | None) -> Page:
        self.asked += 1
        start = int(cursor or 0)
        stop = start + self.page if self.size is None else min(start + self.page, self.size)
        following = str(stop) if self.size is None or stop < self.size else None
        return Page([{"n": n} for n in range(start, stop)], following, self.size, self.cost)


@pytest.mark.parametrize("size", [0, 1, 6, 7, 8, 100])
@pytest.mark.parametrize(
    "bounds",
    [
        WalkBounds(max_items=5),
        WalkBounds(max_items=10),
        WalkBounds(max_bytes=40),
        WalkBounds(max_pages=2),
        WalkBounds(max_cost=1.0),
    ],
    ids=str,
)
def test_walks_that_go_on_give_every_record_once(size: int, bounds: WalkBounds) -> None:
    """Whatever bound ended each of them, also in the middle of a page."""
    service, seen, position = Service(size), [], None
    for _ in range(200):
        walked = walk(service, start=position, bounds=bounds)
        seen += [item["n"] for item in walked.items]
        position = walked.position
        if walked.is_complete:
            break
        assert position is not None
        position = json.loads(json.dumps(position))
    assert seen == list(range(size))


def ticks() -> Iterator[float]:
    yield from count(0.0, 1.0)


ENDLESS: dict[str, WalkBounds] = {
    "max_items": WalkBounds(max_items=50, max_pages=10**9, max_seconds=1e9),
    "max_bytes": WalkBounds(max_bytes=1_000, max_items=10**9, max_pages=10**9, max_seconds=1e9),
    "max_pages": WalkBounds(max_pages=9, max_items=10**9, max_seconds=1e9),
    "max_seconds": WalkBounds(max_seconds=20.0, max_items=10**9, max_pages=10**9),
    "max_cost": WalkBounds(max_cost=30.0, max_items=10**9, max_pages=10**9, max_seconds=1e9),
}


@pytest.mark.parametrize("bound", ENDLESS)
async def test_a_list_that_grows_for_ever_is_ended_by_each_bound(bound: str) -> None:
    """Sync and async; the walk says which, and how to go on."""
    clock, service = ticks(), Service(None)

    async def fetch(cursor: str | None) -> Page:
        return service(cursor)

    walked = walk(Service(None), bounds=ENDLESS[bound], clock=lambda: next(clock))
    clock = ticks()
    assert await awalk(fetch, bounds=ENDLESS[bound], clock=lambda: next(clock)) == walked
    assert walked.stop == bound
    assert walked.position is not None
    assert service.asked < 200


def test_a_cursor_that_comes_again_ends_the_walk() -> None:
    """At once, in a ring, and in a ring that is longer than one walk."""
    ring = {None: "a", "a": "b", "b": "c", "c": "a"}
    again = walk(lambda cursor: Page([cursor], "a"))
    assert (again.stop, again.items, again.position) == ("repeated_cursor", [None, "a"], None)
    whole = walk(lambda cursor: Page([cursor], ring[cursor]))
    assert (whole.stop, whole.items) == ("repeated_cursor", [None, "a", "b", "c"])
    seen: list[Any] = []
    walked: Walked | None = None
    for _ in range(10):
        start = walked.position if walked else None
        walked = walk(
            lambda cursor: Page([cursor], ring[cursor]), start=start, bounds=WalkBounds(max_pages=1)
        )
        seen += walked.items
        if walked.position is None:
            break
    assert (walked and walked.stop, seen) == ("repeated_cursor", [None, "a", "b", "c"])


def test_an_empty_page_with_a_cursor_ends_the_walk() -> None:
    """It could go on for ever without a record."""
    walked = walk(lambda cursor: Page([], f"{cursor}x"))
    assert (walked.stop, walked.is_complete, walked.pages) == ("empty_page", False, 1)


def test_fitting_is_declared_and_the_same_each_time() -> None:
    """Fields, counts, repeats and shortened values, told in the text."""
    rows = [{"a": n // 2, "b": "y" * 50, "secret": n} for n in range(30)]
    part = fit(rows, fields=["b", "a"], max_items=10, max_value=20)
    assert part == fit(rows, fields=["b", "a"], max_items=10, max_value=20)
    assert [list(row) for row in part.rows] == [["b", "a"]] * 10
    assert (part.total, part.first, part.last, part.repeats, part.cut, part.reason) == (
        30,
        1,
        20,
        10,
        10,
        "max_items",
    )
    assert (
        part.declaration()
        == "(rows 1-20 of 30; fields: b, a; repeats left out: 10; values shortened: 10)"
    )
    assert part.rows[0]["b"] == "y" * 20 + "… (+30 characters)"
    rest = fit(rows, fields=["b", "a"], max_items=10, max_value=20, start=part.next_start)
    assert (rest.first, rest.last, rest.is_truncated) == (21, 30, False)
    assert "secret" not in part.text()


@pytest.mark.parametrize("width", [1, 40, 400])
def test_a_single_row_that_is_too_large_still_fits(width: int) -> None:
    """Its values are shortened, and the walk goes on behind it."""
    rows = [{f"k{n}": "é" * 5_000 for n in range(width)} for _ in range(3)]
    start = 0
    for _ in range(3):
        part = fit(rows, start=start, unique=False)
        assert len(part.text().encode()) <= 32_768
        assert part.next_start > start
        start = part.next_start
        if not part.is_truncated:
            break
    assert start == 3


def test_nothing_fits_too() -> None:
    """No rows, and a start behind the end."""
    assert fit([]).declaration() == "(rows 0-0 of 0)"
    assert not fit([{"a": 1}], start=1).rows

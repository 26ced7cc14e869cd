from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.memory import InMemoryStore

from rendercall.results import (
    ArtifactRef,
    ArtifactStore,
    FileArtifacts,
    StoreArtifacts,
    ToolFailed,
    read_lines,
)
from rendercall.results.artifacts import BLOCK, artifact_id
from rendercall.results.generated import GeneratedSummary

DATA = b"".join(b"line %06d \xc3\xa9\n" % n for n in range(1, 12_001))
KINDS = ["file", "store"]


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ArtifactStore:
    return (
        FileArtifacts(tmp_path / "made")
        if request.param == "file"
        else StoreArtifacts(InMemoryStore())
    )


def test_what_is_saved_is_found_by_its_hash(store: ArtifactStore) -> None:
    """The same bytes have the same id; the reference is small and plain JSON."""
    ref = store.put("user:a", DATA, "text/plain", name="app.log", summary="12,000 lines")
    assert ref == store.put("user:a", DATA, "text/plain", name="app.log", summary="12,000 lines")
    assert ref.id == artifact_id(DATA)
    assert (
        store.find("user:a", ref.id)
        == ref
        == ArtifactRef.from_json(json.loads(json.dumps(ref.as_json())))
    )
    assert store.read("user:a", ref.id) == DATA
    assert store.read("user:a", store.put("user:a", b"", "text/plain").id) == b""


@pytest.mark.parametrize(
    ("start", "stop"),
    [(0, 10), (10, 10), (BLOCK - 3, BLOCK + 3), (0, BLOCK), (BLOCK, 2 * BLOCK), (5, None), (len(DATA) - 2, len(DATA) + 9), (len(DATA) + 5, None), (20, 10)],
)  # fmt: skip
def test_ranges(store: ArtifactStore, start: int, stop: int | None) -> None:
    """As a slice gives them, also over the edge of a block."""
    ref = store.put("user:a", DATA, "text/plain")
    assert store.read("user:a", ref.id, start, stop) == DATA[start:stop]


def test_nobody_reads_another_owners(store: ArtifactStore) -> None:
    """Not even by the hash, and no id leads out of the store."""
    ref = store.put("user:a", DATA, "text/plain")
    for owner, artifact in (
        ("user:b", ref.id),
        ("user:a", artifact_id(b"other")),
        ("user:a", "../../etc/passwd"),
        ("user:a", "sha256-" + "../" * 21 + "x"),
    ):
        with pytest.raises(ToolFailed, match="NOT_FOUND"):
            store.read(owner, artifact)
    assert store.put("../../b", b"x", "text/plain").size == 1


def test_damage_is_seen(tmp_path: Path) -> None:
    """The whole is checked by its hash."""
    files = FileArtifacts(tmp_path)
    ref = files.put("user:a", DATA, "text/plain")
    next(tmp_path.rglob(ref.id)).write_bytes(DATA[:-1] + b"!")
    with pytest.raises(ToolFailed, match="DATA_LOSS"):
        files.read("user:a", ref.id)
    memory = InMemoryStore()
    stored = StoreArtifacts(memory)
    ref = stored.put("user:a", DATA, "text/plain")
    namespace: Any = memory.list_namespaces()[0]
    memory.delete(namespace, f"{ref.id}-1")
    with pytest.raises(ToolFailed, match="DATA_LOSS"):
        stored.read("user:a", ref.id)


def test_lines_by_number(store: ArtifactStore) -> None:
    """With the range, the total and the next one; walking them gives each once."""
    ref = store.put("user:a", DATA, "text/plain")
    some = read_lines(store, "user:a", ref.id, first=4_000, count=3)
    assert some.numbered() == "4000: line 004000 é\n4001: line 004001 é\n4002: line 004002 é"
    assert (some.covered.first, some.covered.last, some.total, some.next_line) == (
        4_000,
        4_002,
        12_000,
        4_003,
    )
    seen: list[str] = []
    following: int | None = 1
    while following:
        part = read_lines(store, "user:a", ref.id, first=following, count=5_000, max_bytes=50_000)
        seen += part.lines
        following = part.next_line
    assert "\n".join([*seen, ""]).encode() == DATA
    for wrong in (0, 12_001):
        with pytest.raises(ToolFailed, match="lines 1 to 12,000"):
            read_lines(store, "user:a", ref.id, first=wrong)


@given(
    st.lists(st.text("ab\u00e9", max_size=12), max_size=12), st.integers(1, 5), st.integers(1, 20)
)
def test_any_lines_come_back(lines: list[str], count: int, room: int) -> None:
    """However they are asked for; a line that is too long is cut, and does not stop the walk."""
    store = StoreArtifacts(InMemoryStore())
    ref = store.put("o", "\n".join(lines).encode(), "text/plain")
    expected = "\n".join(lines).encode().split(b"\n")
    expected = expected[:-1] if expected[-1] == b"" else expected
    seen: list[str] = []
    following: int | None = 1 if expected else None
    while following:
        part = read_lines(store, "o", ref.id, first=following, count=count, max_bytes=room)
        seen += part.lines
        following = part.next_line
    assert [one[:1] for one in seen] == [
        one.decode()[:1] if room > 1 else one[:1].decode("utf-8", "replace") for one in expected
    ]


def test_a_summary_of_a_model_is_marked_as_one() -> None:
    """With its source, what was read, and what was not."""
    made = GeneratedSummary(
        text="Mostly timeouts.",
        source="sha256-ab",
        records_analysed=500,
        left_out="records 501-20,311",
        model="small",
    )
    assert made.as_json()["generated"] is True
    assert "500 records of sha256-ab; not read: records 501-20,311" in made.for_model()

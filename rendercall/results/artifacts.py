"""Large results by reference: saved under the hash of what they hold, read in ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Protocol

from rendercall.results.outcome import Covered
from rendercall.results.tool_error import ToolFailed

__all__ = [
    "ArtifactRef",
    "ArtifactStore",
    "Lines",
    "artifact_id",
    "check_id",
    "check_whole",
    "owner_key",
    "read_lines",
]

_PREFIX = "sha256-"
_HEX = 64
BLOCK = 65_536
"""Bytes that are read or stored at a time."""


@dataclass(frozen=True, slots=True)
class ArtifactRef:
    """What a message carries instead of a large result.

    Attributes:
        id: `sha256-` and the hash of the bytes, in hex.
        media_type: e.g. `application/jsonl`.
        size: bytes.
        name: for people; no path.
        summary: what is in it, in a sentence.
    """

    id: str
    media_type: str
    size: int
    name: str = ""
    summary: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> ArtifactRef:
        """Read `as_json`."""
        return cls(**told)


class ArtifactStore(Protocol):
    """Where artifacts are kept, each owner's apart: nobody reads another's, not even by its hash.

    The owner is `current_call().owner`, which a client cannot choose.
    """

    def put(
        self, owner: str, data: bytes, media_type: str, *, name: str = "", summary: str = ""
    ) -> ArtifactRef:
        """Save bytes; the same ones have the same id."""
        ...

    def find(self, owner: str, artifact: str) -> ArtifactRef:
        """What is known of an artifact.

        Raises:
            ToolFailed: NOT_FOUND, also where it is another owner's.
        """
        ...

    def read(self, owner: str, artifact: str, start: int = 0, stop: int | None = None) -> bytes:
        """Bytes from `start` up to, not including, `stop`; the whole is checked by its hash.

        Raises:
            ToolFailed: NOT_FOUND; DATA_LOSS where the whole is not what was saved.
        """
        ...


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines of an artifact.

    Attributes:
        lines: their text, without line ends.
        first: the number of the first one, from 1.
        total: lines in the whole artifact.
    """

    lines: list[str]
    first: int
    total: int

    @property
    def covered(self) -> Covered:
        """The range."""
        return Covered(self.first, self.first + len(self.lines) - 1, "lines")

    @property
    def next_line(self) -> int | None:
        """The number of the first line that is not here; None at the end."""
        following = self.first + len(self.lines)
        return following if following <= self.total else None

    def numbered(self) -> str:
        """For the model: each line behind its number."""
        return "\n".join(f"{self.first + at}: {line}" for at, line in enumerate(self.lines))


def read_lines(
    store: ArtifactStore,
    owner: str,
    artifact: str,
    *,
    first: int = 1,
    count: int = 200,
    max_bytes: int = 30_000,
) -> Lines:
    """Read lines by number.

    Args:
        store: where it is.
        owner: whose it is.
        artifact: its id.
        first: number of the first line, from 1.
        count: lines at most.
        max_bytes: of text; at least one line is given, cut where it is longer.

    Raises:
        ToolFailed: NOT_FOUND; INVALID_ARGUMENT where there is no such line.
    """
    size = store.find(owner, artifact).size
    lines: list[str] = []
    used = number = 0
    full = False
    for raw in _raw_lines(store, owner, artifact, size):
        number += 1
        if number < first or full:
            continue
        room = max_bytes - used
        if len(lines) >= count or (lines and len(raw) > room):
            full = True
            continue
        lines.append(raw[:room].decode("utf-8", "replace"))
        used += len(raw)
    if first < 1 or (not lines and number):
        raise ToolFailed("INVALID_ARGUMENT", f"There are lines 1 to {number:,}.")
    return Lines(lines, first, number)


def _raw_lines(store: ArtifactStore, owner: str, artifact: str, size: int) -> Iterator[bytes]:
    rest = b""
    for start in range(0, size, BLOCK):
        *whole, rest = (rest + store.read(owner, artifact, start, start + BLOCK)).split(b"\n")
        yield from whole
    if rest:
        yield rest


def owner_key(owner: str) -> str:
    """An owner's name, hashed: it may hold anything, and file systems and namespaces do not."""
    return sha256(owner.encode()).hexdigest()[:32]


def artifact_id(data: bytes) -> str:
    """The id of bytes."""
    return _PREFIX + sha256(data).hexdigest()


def check_id(artifact: str) -> str:
    """An id that is one: it becomes part of a path or a key.

    Raises:
        ToolFailed: NOT_FOUND.
    """
    digits = artifact.removeprefix(_PREFIX)
    if artifact == digits or len(digits) != _HEX or not set(digits) <= set("0123456789abcdef"):
        raise ToolFailed("NOT_FOUND", "There is no artifact with this id.")
    return artifact


def check_whole(artifact: str, data: bytes) -> bytes:
    """Bytes that are what was saved.

    Raises:
        ToolFailed: DATA_LOSS.
    """
    if artifact_id(data) != artifact:
        raise ToolFailed("DATA_LOSS")
    return data

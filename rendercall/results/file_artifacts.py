"""Artifacts in a directory: one file each, and what is known of it beside it."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from rendercall.results.artifacts import ArtifactRef, artifact_id, check_id, check_whole, owner_key
from rendercall.results.tool_error import ToolFailed

__all__ = ["FileArtifacts"]


class FileArtifacts:
    """An `ArtifactStore` on disk.

    Args:
        root: the directory; it is made where it is missing.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = Path(root)

    def put(
        self, owner: str, data: bytes, media_type: str, *, name: str = "", summary: str = ""
    ) -> ArtifactRef:
        """Save bytes, and only then what is known of them; a half-written file is never found."""
        ref = ArtifactRef(artifact_id(data), media_type, len(data), name, summary)
        place = self._place(owner, ref.id)
        _write(place, data)
        _write(place.with_suffix(".json"), json.dumps(ref.as_json()).encode())
        return ref

    def find(self, owner: str, artifact: str) -> ArtifactRef:
        """What is known of an artifact."""
        try:
            told = self._place(owner, artifact).with_suffix(".json").read_bytes()
        except FileNotFoundError:
            raise ToolFailed("NOT_FOUND", "There is no artifact with this id.") from None
        return ArtifactRef.from_json(json.loads(told))

    def read(self, owner: str, artifact: str, start: int = 0, stop: int | None = None) -> bytes:
        """A range of its bytes, or the whole, checked."""
        size = self.find(owner, artifact).size
        with self._place(owner, artifact).open("rb") as file:
            file.seek(start)
            data = file.read() if stop is None else file.read(max(0, stop - start))
        return check_whole(artifact, data) if not start and len(data) >= size else data

    def _place(self, owner: str, artifact: str) -> Path:
        return self._root / owner_key(owner) / check_id(artifact)


def _write(path: Path, data: bytes) -> None:
    """Write a file so that it is there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(made).replace(path)

"""Artifacts in LangGraph's store, in blocks, so that a range is read without the whole."""

from __future__ import annotations

import base64
from typing import Any, Protocol

from rendercall.results.artifacts import (
    BLOCK,
    ArtifactRef,
    artifact_id,
    check_id,
    check_whole,
    owner_key,
)
from rendercall.results.tool_error import ToolFailed

__all__ = ["KeyValueStore", "StoreArtifacts"]


class KeyValueStore(Protocol):
    """What is needed of a `langgraph.store.base.BaseStore`."""

    def put(
        self, namespace: tuple[str, ...], key: str, value: dict[str, Any], index: Any = ...
    ) -> None:
        """Save an object."""
        ...

    def get(self, namespace: tuple[str, ...], key: str) -> Any:
        """The item with the object as its `value`; None where there is none."""
        ...


class StoreArtifacts:
    """An `ArtifactStore` in a store of LangGraph; it goes where the threads go.

    In an async node, call it through `asyncio.to_thread`.

    Args:
        store: `runtime.store`, or one's own.
        namespace: of all artifacts; each owner has one below.
    """

    def __init__(self, store: KeyValueStore, namespace: tuple[str, ...] = ("artifacts",)) -> None:
        self._store = store
        self._namespace = namespace

    def put(
        self, owner: str, data: bytes, media_type: str, *, name: str = "", summary: str = ""
    ) -> ArtifactRef:
        """Save the blocks, and only then what is known of them."""
        ref = ArtifactRef(artifact_id(data), media_type, len(data), name, summary)
        for start in range(0, len(data), BLOCK):
            text = base64.b64encode(data[start : start + BLOCK]).decode()
            self._put(owner, f"{ref.id}-{start // BLOCK}", {"data": text})
        self._put(owner, ref.id, ref.as_json())
        return ref

    def find(self, owner: str, artifact: str) -> ArtifactRef:
        """What is known of an artifact."""
        item = self._store.get(self._below(owner), check_id(artifact))
        if item is None:
            raise ToolFailed("NOT_FOUND", "There is no artifact with this id.")
        return ArtifactRef.from_json(item.value)

    def read(self, owner: str, artifact: str, start: int = 0, stop: int | None = None) -> bytes:
        """A range of its bytes, or the whole, checked."""
        size = self.find(owner, artifact).size
        end = size if stop is None else min(stop, size)
        numbers = range(start // BLOCK, -(-end // BLOCK))
        data = b"".join(self._block(owner, artifact, number) for number in numbers)
        if not start and end == size:
            return check_whole(artifact, data)
        behind = numbers.start * BLOCK
        return data[start - behind : end - behind]

    def _block(self, owner: str, artifact: str, number: int) -> bytes:
        item = self._store.get(self._below(owner), f"{artifact}-{number}")
        if item is None:
            raise ToolFailed("DATA_LOSS")
        return base64.b64decode(item.value["data"])

    def _put(self, owner: str, key: str, value: dict[str, Any]) -> None:
        self._store.put(self._below(owner), key, value, index=False)

    def _below(self, owner: str) -> tuple[str, ...]:
        return (*self._namespace, owner_key(owner))

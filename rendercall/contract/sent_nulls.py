"""Nulls that say that an optional key is not there, because the schema sent made it required.

A provider's strict mode knows no optional keys: each is required there, and null is added to
what it may be. So a null in such a place is taken back out before the answer is checked. Where
the tool's own schema takes null, null stays null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from rendercall.contract.args import Notice, Path, pointer
from rendercall.contract.schema_places import Place, SchemaPlaces

__all__ = ["SentNulls"]

Schema: TypeAlias = dict[str, Any]

_TOLD = "null stood for a key that may be left out: it has its default, or is left out"


class SentNulls:
    """Which nulls of an answer mean absence.

    Args:
        schema: the schema that was sent, its root's union apart.
        nullable: the schemas in it of the keys that null was added to, each with the key's own
            schema, by `id`.
        with_defaults: whether null stands for the own schema's `default`, where it has one.
            Pydantic fills its defaults itself; JSON Schema's are only told.

    Attributes:
        root: the place of the whole answer.
    """

    def __init__(
        self,
        schema: Schema,
        nullable: Mapping[int, tuple[Schema, Schema]],
        *,
        with_defaults: bool,
    ) -> None:
        self._places = SchemaPlaces(schema)
        self._nullable = nullable
        self._with_defaults = with_defaults
        self.root = self._places.root

    def inside(self, place: Place, key: str | int) -> Place:
        """The place of a member or item."""
        return self._places.inside(place, key)

    def is_absent(self, place: Place, key: str | int, members: Any) -> bool:
        """Whether null under a key of an object says that the key is not there.

        Args:
            place: of the object.
            key: the key.
            members: the object's members, or those that have arrived.
        """
        return self._own(place, key, members) is not None

    def may_be_absent(self, place: Place, key: str | int) -> bool:
        """The same for some object there, whatever its members."""
        parts = [part for part in place.parts if key in part.get("properties", ())]
        return any(id(part["properties"][key]) in self._nullable for part in parts)

    def _own(self, place: Place, key: str | int, members: Any) -> Schema | None:
        """The own schema of a key for which null means that it is not there."""
        parts = [part for part in place.parts if key in part.get("properties", ())]
        fitting = [part for part in parts if _fits(part, members)] or parts
        schemas = [part["properties"][key] for part in fitting]
        made = [self._nullable[id(one)][1] for one in schemas if id(one) in self._nullable]
        others = [one for one in schemas if id(one) not in self._nullable]
        if not made or any("null" in self._places.of(one).kinds for one in others):
            return None
        return made[0]

    def restored(self, document: Any) -> tuple[Any, tuple[Notice, ...]]:
        """Take the nulls that mean absence out of an answer.

        Args:
            document: plain JSON within the bounds; it is not changed.

        Returns:
            The answer without them, and a notice `null_means_default` for each.
        """
        notices: list[Notice] = []
        return self._restored(document, self.root, (), notices), tuple(notices)

    def _restored(self, node: Any, place: Place, path: Path, notices: list[Notice]) -> Any:
        if isinstance(node, list):
            return [
                self._restored(one, self.inside(place, index), (*path, index), notices)
                for index, one in enumerate(node)
            ]
        if not isinstance(node, dict):
            return node
        kept: Schema = {}
        for key, one in node.items():
            own = self._own(place, key, node) if one is None else None
            if own is not None:
                notices.append(Notice("null_means_default", _TOLD, pointer((*path, key))))
                if self._with_defaults and "default" in own:
                    kept[key] = own["default"]
            else:
                kept[key] = self._restored(one, self.inside(place, key), (*path, key), notices)
        return kept


def _fits(part: Schema, members: Any) -> bool:
    """Whether an object may be this part: its listed values agree with the part's."""
    for key, one in part.get("properties", {}).items():
        if not isinstance(one, dict):
            continue
        listed = one.get("enum", [one["const"]] if "const" in one else None)
        if listed is not None and key in members and members[key] not in listed:
            return False
    return True

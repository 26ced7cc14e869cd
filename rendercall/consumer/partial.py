"""The typed value so far: what has closed is real, what is open is a view of what is there.

Type checkers see the model itself. At run time an open model is a `PartialModel`, an open
TypedDict or dict a `PartialDict`, an open list a `PartialList`; once it closes and fits,
the real object stands in its place. What has not arrived raises `NotYet`, so it cannot be
mistaken for None; so does what arrived and does not fit (`Reader.errors` tells why).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast, overload

from rendercall.card.markup import snippet
from rendercall.card.words import language_of_environment
from rendercall.consumer.deferred import shown
from rendercall.consumer.open_container import OPEN, OpenContainer
from rendercall.consumer.view_card import lay_out_view

__all__ = ["NotYet", "PartialDict", "PartialList", "PartialModel", "View", "freeze", "has", "view"]


class NotYet(AttributeError, KeyError):  # noqa: N818 - reads as what it says where it is caught
    """The value is not there yet, or it arrived and does not fit.

    An `AttributeError` and a `KeyError`, so that `getattr(plan, "level", None)` and
    `record.get("level")` do what they say.
    """

    __str__ = Exception.__str__


Text: TypeAlias = Callable[[], str]


class _Partial:
    """A view of an open container."""

    __slots__ = ("_container", "_text")

    def __init__(self, container: OpenContainer, text: Text) -> None:
        self._container = container
        self._text = text

    def _show(self, value: Any) -> Any:
        if value is OPEN:
            return self._text()
        return view(value, self._text) if type(value) is OpenContainer else shown(value)

    def _get(self, name: str) -> Any:
        container = self._container
        key = container.shape.keys.get(name, name)
        if container.slots is None or key not in container.slots:
            return _NOTHING
        return self._show(container.slots[key])

    def _named(self) -> Iterator[tuple[str, Any]]:
        """What is there, under its Python names; an extra key of such a name has no place."""
        keys = self._container.shape.keys
        names = {key: name for name, key in keys.items()}
        slots: dict[str, Any] = self._container.slots or {}
        for key, value in slots.items():
            if key in names or key not in keys:
                yield names.get(key, key), value

    def _items(self, items: Iterable[tuple[str, Any]]) -> str:
        """The inside of a `repr`, with `…` where more may come."""
        shown = [
            f"{before}{self._show(value)!r}{'…' if value is OPEN else ''}"
            for before, value in items
        ]
        return ", ".join([*shown, "…"] if self._container.is_open else shown)

    def _repr_html_(self) -> str | None:
        """The card so far, in a notebook; a list has none."""
        if self._container.shape.kind == "array":
            return None
        card = lay_out_view(self._container, self._text)
        return snippet(card, "partial", language_of_environment(os.environ))


class PartialModel(_Partial):
    """An open object whose fields are attributes. A field of any name is only a field."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # a copy is asked for these before it has its container
            raise AttributeError(name)
        value = self._get(name)
        if value is not _NOTHING:
            return value
        shape = self._container.shape
        title = shape.title or "this object"
        key = shape.keys.get(name, name)
        if shape.kind == "model" and shape.unlisted is None and key not in shape.fields:
            raise AttributeError(f"{title} has no field {name!r}")
        raise NotYet(f"{title}.{name} has not arrived, or does not fit: ask with has()")

    def __dir__(self) -> list[str]:
        return [name for name, _ in self._named()]

    def __repr__(self) -> str:
        title = self._container.shape.title
        return f"{title}({self._items((f'{name}=', value) for name, value in self._named())})"


class PartialDict(_Partial, Mapping[str, Any]):
    """An open object whose fields are items."""

    __slots__ = ()

    @property
    def root(self) -> PartialDict:
        """Itself: what a `RootModel` would give."""
        return self

    def __getitem__(self, key: str) -> Any:
        value = self._get(key)
        if value is _NOTHING:
            raise NotYet(f"{key!r} has not arrived, or does not fit: ask with `in`")
        return value

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._named())

    def __len__(self) -> int:
        return len(self._container.slots or ())

    def __repr__(self) -> str:
        return f"{{{self._items((f'{name!r}: ', value) for name, value in self._named())}}}"


class PartialList(_Partial, Sequence[Any]):
    """An open list: the items that are there and fit. Its length grows."""

    __slots__ = ()

    @property
    def root(self) -> PartialList:
        """Itself: what a `RootModel` would give."""
        return self

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        found = self._container.slots[index]
        return list(map(self._show, found)) if isinstance(index, slice) else self._show(found)

    def __len__(self) -> int:
        return len(self._container.slots)

    def __repr__(self) -> str:
        return f"[{self._items(('', value) for value in self._container.slots)}]"


View: TypeAlias = PartialModel | PartialDict | PartialList

_NOTHING = object()


def view(container: OpenContainer, text: Text) -> View:
    """Look at a container, open or not; `text` reads the string that is open."""
    if type(container.slots) is list:
        return PartialList(container, text)
    if container.shape.kind in {"record", "map", "anything"}:
        return PartialDict(container, text)
    return PartialModel(container, text)


def has(partial: object, name: str) -> bool:
    """Whether a field is there: its value closed and fits, or it is open and can be shown.

    Args:
        partial: a partial value, or a complete object.
        name: the attribute or key.
    """
    if not isinstance(partial, PartialModel) and isinstance(partial, Mapping):
        return name in cast("Mapping[str, Any]", partial)
    return hasattr(partial, name)


def freeze(container: OpenContainer) -> OpenContainer:
    """A copy that stays as it is.

    It copies what is open, one level deep each (a list of n items costs O(n)), and shares all
    that has closed. The text of a string that is open is not in it.
    """
    if not container.is_open:
        return container
    slots: Any = None if container.slots is None else container.slots.copy()
    if slots:  # only the last thing may be open
        last = -1 if type(slots) is list else next(reversed(slots))
        if type(slots[last]) is OpenContainer:
            slots[last] = freeze(slots[last])
    return replace(container, slots=slots)

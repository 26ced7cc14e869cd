"""The typed value so far: what has closed is real, what is open is a view of what is there.

Type checkers see the model itself. At run time an open model is a `PartialModel`, an open
TypedDict or dict a `PartialDict`, an open list a `PartialList`; once it closes and fits,
the real object stands in its place. What has not arrived raises `NotYet`, so it cannot be
mistaken for None; so does what arrived and does not fit (`Reader.errors` tells why).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast, overload

from rendercall.consumer.plan import Shape

__all__ = ["OPEN", "NotYet", "PartialDict", "PartialList", "PartialModel", "View", "freeze", "has"]


class NotYet(AttributeError, KeyError):  # noqa: N818 - reads as what it says where it is caught
    """The value is not there yet, or it arrived and does not fit.

    An `AttributeError` and a `KeyError`, so that `getattr(plan, "level", None)` and
    `record.get("level")` do what they say.
    """

    __str__ = Exception.__str__


class _Open:
    """Stands where a string is still growing; views read the text from the reader."""

    def __repr__(self) -> str:
        return "…"


OPEN = _Open()

Text: TypeAlias = Callable[[], str]


class PartialModel:
    """An open object whose fields are attributes. A field of any name is only a field."""

    __slots__ = ("_open", "_shape", "_slots", "_text")

    def __init__(self, shape: Shape, slots: dict[str, Any], text: Text) -> None:
        self._shape = shape
        self._slots = slots
        self._text = text
        self._open = True

    def __getattr__(self, name: str) -> Any:
        shape = self._shape
        key = shape.keys.get(name, name)
        if key in self._slots:
            value = self._slots[key]
            return self._text() if value is OPEN else value
        title = shape.title or "this object"
        if shape.kind == "model" and shape.unlisted is None and key not in shape.fields:
            raise AttributeError(f"{title} has no field {name!r}")
        raise NotYet(f"{title}.{name} has not arrived, or does not fit: ask with has()")

    def __dir__(self) -> list[str]:
        return [name for name, _ in _named(self)]

    def __repr__(self) -> str:
        return f"{self._shape.title}({_body(self, _named(self), '=', str)})"


class PartialDict(Mapping[str, Any]):
    """An open object whose fields are items."""

    __slots__ = ("_open", "_shape", "_slots", "_text")

    def __init__(self, shape: Shape, slots: dict[str, Any], text: Text) -> None:
        self._shape = shape
        self._slots = slots
        self._text = text
        self._open = True

    @property
    def root(self) -> PartialDict:
        """Itself: what a `RootModel` would give."""
        return self

    def __getitem__(self, key: str) -> Any:
        key = self._shape.keys.get(key, key)
        if key not in self._slots:
            raise NotYet(f"{key!r} has not arrived, or does not fit: ask with `in`")
        value = self._slots[key]
        return self._text() if value is OPEN else value

    def __contains__(self, key: object) -> bool:
        return self._shape.keys.get(cast("str", key), key) in self._slots

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in _named(self))

    def __len__(self) -> int:
        return len(self._slots)

    def __repr__(self) -> str:
        return f"{{{_body(self, _named(self), ': ', repr)}}}"


class PartialList(Sequence[Any]):
    """An open list: the items that are there and fit. Its length grows."""

    __slots__ = ("_open", "_slots", "_text")

    def __init__(self, slots: list[Any], text: Text) -> None:
        self._slots = slots
        self._text = text
        self._open = True

    @property
    def root(self) -> PartialList:
        """Itself: what a `RootModel` would give."""
        return self

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        value = self._slots[index]
        return self._text() if value is OPEN else value

    def __len__(self) -> int:
        return len(self._slots)

    def __repr__(self) -> str:
        return f"[{_body(self, enumerate(self._slots), '', lambda _: '')}]"


View: TypeAlias = PartialModel | PartialDict | PartialList


def has(partial: object, name: str) -> bool:
    """Whether a field is there: its value closed and fits, or it is open and can be shown.

    Args:
        partial: a partial value, or a complete object.
        name: the attribute or key.
    """
    if isinstance(partial, PartialModel):
        # Not a method: it would take the name of a field.
        return partial._shape.keys.get(name, name) in partial._slots  # noqa: SLF001 - same module
    if isinstance(partial, Mapping):
        return name in cast("Mapping[str, Any]", partial)
    return hasattr(partial, name)


def freeze(view: Any) -> Any:
    """A copy of a view that stays as it is.

    It copies what is open, one level deep each (a list of n items costs O(n)), and shares all
    that has closed. If a string is open, the next fragment has to copy that string once.
    """
    if not isinstance(view, View) or not view._open:  # noqa: SLF001 - same module
        return view
    slots: Any = view._slots.copy()  # noqa: SLF001 - same module
    if slots:  # only the last thing may be open
        last = next(reversed(slots)) if isinstance(slots, dict) else -1
        slots[last] = view._text() if slots[last] is OPEN else freeze(slots[last])  # noqa: SLF001
    if isinstance(view, PartialList):
        return PartialList(slots, _no_text)
    return type(view)(view._shape, slots, _no_text)  # noqa: SLF001 - same module


def _named(view: PartialModel | PartialDict) -> list[tuple[str, Any]]:
    """The slots under their Python names."""
    names = {key: name for name, key in view._shape.keys.items()}  # noqa: SLF001 - same module
    return [(names.get(key, key), value) for key, value in view._slots.items()]  # noqa: SLF001


def _no_text() -> str:
    return ""


def _body(view: View, items: Any, sign: str, name: Callable[[Any], str]) -> str:
    """The items for a `repr`, with `…` where more may come."""
    text = view._text  # noqa: SLF001 - same module
    shown = [
        f"{name(key)}{sign}{text()!r}…" if value is OPEN else f"{name(key)}{sign}{value!r}"
        for key, value in items
    ]
    return ", ".join([*shown, "…"] if view._open else shown)  # noqa: SLF001 - same module

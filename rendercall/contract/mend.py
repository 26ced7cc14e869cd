"""Mending: the syntax and packaging of an answer set right, never its contents.

A mend is made only where one reading is possible, and counts only if the schema takes the
result. What was cut off stays cut off.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from rendercall.contract.args import Args, Notice, Path, pointer, read_args
from rendercall.contract.bounds import Bounds
from rendercall.contract.packaging import unpack
from rendercall.contract.schema_places import Place, SchemaPlaces
from rendercall.contract.verdict import Checker, Verdict
from rendercall.contract.written_call import read_envelope

__all__ = ["Mend", "Mender"]

T = TypeVar("T")

Mend: TypeAlias = Literal["lossless"]
"""`lossless`: syntax and packaging are mended where that loses and guesses nothing."""

_MAX_LAYERS = 4
"""How many packages inside each other are opened."""


class Mender(Generic[T]):
    """Mends the answers of one tool.

    Args:
        name: of the tool; a call that is written around the args must be a call of it.
        checker: of the tool's schema.
        bounds: of the tool.
    """

    __slots__ = ("_bounds", "_checker", "_name", "_places")

    def __init__(self, name: str, checker: Checker[T], bounds: Bounds) -> None:
        self._name = name
        self._checker = checker
        self._bounds = bounds
        self._places = SchemaPlaces(checker.schema)

    def mended(self, args: Args, strict: Verdict[T]) -> Verdict[T]:
        """Mend an answer if it needs that.

        An answer that the schema takes is only read once more for nulls: in a nullable place
        the text "null" is the null, and strictness cannot tell. Everything else is tried only
        on an answer that was refused, the fewest changes first.

        Args:
            args: what the bounds made of the text.
            strict: the strict verdict on it.

        Returns:
            The verdict on the mended answer, each change a notice; the strict one where
            there is nothing to mend, or the schema refuses what came out.
        """
        if strict.state == "complete":
            return self._check(args.value, (), decode=False) or strict
        if strict.state == "incomplete" or strict.issues[0].code == "too_large":
            return strict
        for value, notices in self._layers(args):
            verdict = self._check(value, notices, decode=True)
            if verdict:
                return verdict
        return strict

    def _layers(self, args: Args) -> Iterator[tuple[dict[str, Any], tuple[Notice, ...]]]:
        """Every object that the answer may be, from the outside in."""
        value: Any = args.value
        notices: tuple[Notice, ...] = ()
        if args.state != "complete":
            package = unpack(args.text, self._bounds)
            if package is None or package.called not in (None, self._name):
                return
            value, notices = package.value, package.notices
        for _ in range(_MAX_LAYERS):
            if isinstance(value, dict):
                yield value, notices
            opened = self._open(value)
            if opened is None:
                return
            value = opened[0]
            notices = (*notices, *(one for one in opened[1] if one not in notices))
        if isinstance(value, dict):
            yield value, notices

    def _open(self, value: Any) -> tuple[Any, tuple[Notice, ...]] | None:
        """Take one layer off; None where there is none that could be nothing else."""
        if isinstance(value, str):
            decoded = _decode(value, self._bounds)
            return decoded and (decoded[0], (_ENCODED, *decoded[1]))
        if isinstance(value, list):
            return (value[0], (_LIST,)) if len(value) == 1 else None
        if not isinstance(value, dict):
            return None
        root = self._places.root
        call = read_envelope(value)
        if call:
            name, key, inner = call
            fits = name == self._name and not root.lists(key)
            return (inner, (_ENVELOPE,)) if fits else None
        if len(value) == 1:
            [(key, inner)] = value.items()
            return None if root.lists(key) else (inner, (_WRAPPER,))
        return None

    def _check(
        self, value: dict[str, Any], packaging: tuple[Notice, ...], *, decode: bool
    ) -> Verdict[T] | None:
        """The verdict on an object that something was changed in; None if it is no valid one."""
        fitting = _Fitting(self._places, self._bounds if decode else None)
        try:
            fitted = fitting.fit(value, self._places.root, (), _MAX_LAYERS)
            text = json.dumps(fitted, ensure_ascii=False, separators=(",", ":"))
        except RecursionError:
            return None
        notices = (*packaging, *fitting.notices)
        if not notices:
            return None
        args = read_args(text, self._bounds)
        if args.state != "complete":
            return None
        verdict = self._checker.check(args)
        if verdict.state != "complete":
            return None
        return replace(verdict, notices=(*notices, *verdict.notices))


def _decode(text: str, bounds: Bounds) -> tuple[Any, tuple[Notice, ...]] | None:
    """The object, list or text that a text encodes; it may stand in a fence, nothing else."""
    package = unpack(text, bounds)
    if package is None or any(notice.code not in _PLAIN for notice in package.notices):
        return None
    return package.value, package.notices


_PLAIN = frozenset({"code_fence", "trailing_comma"})


class _Fitting:
    """Gives the texts in a document the type that their places want.

    Args:
        places: of the schema.
        bounds: of what is decoded; None where only nulls are read.

    Attributes:
        notices: what was changed.
    """

    __slots__ = ("_bounds", "_places", "notices")

    def __init__(self, places: SchemaPlaces, bounds: Bounds | None) -> None:
        self._places = places
        self._bounds = bounds
        self.notices: list[Notice] = []

    def fit(self, value: Any, place: Place, path: Path, layers: int) -> Any:
        """Fit a value into its place, and everything in it; the value itself stays as it is."""
        if isinstance(value, str):
            return self._fit_text(value, place, path, layers)
        if isinstance(value, dict):
            return {
                key: self._fit_inside(one, place, path, key, layers) for key, one in value.items()
            }
        if isinstance(value, list):
            return [
                self._fit_inside(one, place, path, key, layers) for key, one in enumerate(value)
            ]
        return value

    def _fit_inside(self, value: Any, place: Place, path: Path, key: str | int, layers: int) -> Any:
        if not isinstance(value, str | dict | list):
            return value
        return self.fit(value, self._places.inside(place, key), (*path, key), layers)

    def _fit_text(self, text: str, place: Place, path: Path, layers: int) -> Any:
        if _is_null(text, place):
            self._note("null_from_text", "the text null became null", path)
            return None
        wanted = place.kinds & {"array", "object"}
        if self._bounds is None or not wanted or "string" in place.kinds or not layers:
            return text
        decoded = _decode(text, self._bounds)
        if decoded is None:
            return text
        for notice in decoded[1]:
            self._note(notice.code, notice.message, path)
        self._note("nested_json_decoded", "a list or object was written as a text", path)
        return self.fit(decoded[0], place, path, layers - 1)

    def _note(self, code: str, message: str, path: Path) -> None:
        notice = Notice(code, message, pointer(path))
        if notice not in self.notices[-2:]:
            self.notices.append(notice)


def _is_null(text: str, place: Place) -> bool:
    """Whether a text means null: where texts may stand too, only JSON's own word does."""
    if not place.nullable or text in place.named:
        return False
    return text == "null" or (text == "None" and "string" not in place.kinds)


_ENCODED = Notice("double_encoded", "the args were written as a text")
_LIST = Notice("single_item_list_unwrapped", "the args stood in a list of one")
_WRAPPER = Notice("wrapper_key", "the args stood under a key that the schema does not know")
_ENVELOPE = Notice("tool_call_envelope", "the call itself was written around its args")

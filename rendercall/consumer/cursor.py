"""Deltas in few bytes: a cursor walks the document, so that no path is ever sent.

All that is open lies on one path, and the next change is always at its end. A *frame* is
JSON, of one of three kinds; a decoder holds `document` and `path`, the path of the innermost
thing that is open (null before the root opened and after it closed).

1. A string: short for an array with this one token.
2. An array of tokens, to be taken in order:
   - while a string is open, a string token is more of its text;
   - while an object is open, a string token is the key of its next member, and the token
     after it is that member's value; while an array is open, the token is the value of the
     next item; before the root opened, it is the root's value;
   - a value token is `{}` (an object opens), `[]` (an array opens), `["text"]` (a string
     opens with this text), or a string, number, boolean or null (a whole, final value);
     numbers may be integers beyond 2^53, which `JSON.parse` alone would round;
   - `[0]` closes the innermost open thing.
3. An object `{"document": ..., "path": ...}`: a keyframe. It replaces both; what stands at
   the end of `path` says what is open there.

Example: the frames of `{"topic":"SQL","minutes":[5]}` may be `[{},"topic",["S"]]`, `"QL"`,
`[[0],"minutes",[],5,[0],[0]]`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rendercall.consumer.deltas import Delta
from rendercall.contract.args import Path

__all__ = ["CursorDecoder", "Frame", "encode", "keyframe"]

Frame: TypeAlias = "str | list[Any] | dict[str, Any]"

_CLOSE = 0


def encode(deltas: Iterable[Delta]) -> Frame | None:
    """Write deltas as one frame; those of several fragments may be put together.

    Args:
        deltas: changes, in order.

    Returns:
        A value for `json.dumps` (compact separators, `ensure_ascii=False`); None where
        there was no change.
    """
    tokens: list[Any] = []
    grows = False  # the last token is text of an open string
    for op, path, value in deltas:
        if op == "append":
            if grows:
                last = tokens[-1]
                tokens[-1] = [last[0] + value] if isinstance(last, list) else last + value
            else:
                tokens.append(value)
            grows = True
            continue
        grows = op == "open" and isinstance(value, str)
        if op == "close":
            tokens.append([_CLOSE])
            continue
        if path and isinstance(path[-1], str):
            tokens.append(path[-1])
        tokens.append([value] if grows else value)
    if len(tokens) == 1 and isinstance(tokens[0], str):
        return tokens[0]
    return tokens or None


def keyframe(document: Any, path: Path | None) -> Frame:
    """Write all there is, for one who joins late.

    Args:
        document: the value so far.
        path: the path of the innermost thing that is open, and shown; None where nothing is.
    """
    return {"document": document, "path": None if path is None else list(path)}


class CursorDecoder:
    """Turns frames back into deltas, for `rendercall.consumer.deltas.apply`.

    It takes the frames of one stream, in order, from the first one or from a keyframe on.
    It keeps one level for each open thing, and no document.
    """

    def __init__(self) -> None:
        self._levels: list[_Level] = []
        self._path: Path = ()

    def decode(self, frame: Frame) -> list[Delta]:
        """Read one frame.

        Raises:
            ValueError: the frame does not continue this stream: ask for a keyframe.
        """
        if isinstance(frame, dict):
            self._jump(frame["document"], frame["path"])
            return [("open", (), frame["document"])]
        tokens = [frame] if isinstance(frame, str) else frame
        return [delta for token in tokens if (delta := self._read(token))]

    def _read(self, token: Any) -> Delta | None:
        level = self._levels[-1] if self._levels else None
        if token == [_CLOSE]:
            return self._close()
        if level is None:
            return self._begin(token, ())
        if level.kind == "text":
            if not isinstance(token, str):
                raise ValueError("a string is open, and this is no text: ask for a keyframe")
            return ("append", self._path, token)
        if level.at is None:
            if not isinstance(token, str):
                raise ValueError("an object is open, and this is no key: ask for a keyframe")
            level.at = token
            return None
        return self._begin(token, (*self._path, level.at))

    def _begin(self, token: Any, path: Path) -> Delta:
        if isinstance(token, dict | list):
            text = isinstance(token, list) and bool(token)
            self._levels.append(_level("" if text else token))
            self._path = path
            return ("open", path, token[0] if text else token)
        self._step()
        return ("set", path, token)

    def _close(self) -> Delta:
        if not self._levels:
            raise ValueError("nothing is open: ask for a keyframe")
        path = self._path
        self._levels.pop()
        self._path = path[:-1]
        self._step()
        return ("close", path, None)

    def _step(self) -> None:
        """Go on to the next place of the innermost open thing."""
        if self._levels:
            level = self._levels[-1]
            level.at = level.at + 1 if isinstance(level.at, int) else None

    def _jump(self, document: Any, path: list[str | int] | None) -> None:
        self._levels = [] if path is None else [_level(document)]
        self._path = tuple(path or ())
        for key in self._path:
            self._levels[-1].at = key
            document = document[key]
            self._levels.append(_level(document))


@dataclass(slots=True)
class _Level:
    """Something open, and where in it the next value goes: an index; None before a key."""

    kind: Literal["object", "array", "text"]
    at: str | int | None


def _level(value: Any) -> _Level:
    if isinstance(value, dict):
        return _Level("object", None)
    return _Level("array", len(value)) if isinstance(value, list) else _Level("text", None)

"""The smallest pieces of JSON text: strings and atoms, whole or cut by a fragment's end.

The grammar is RFC 8259 within I-JSON (RFC 7493), as in `rendercall.contract.args`: no NaN,
infinity or lone surrogates; raw LF, CR and TAB inside a string stand for themselves.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import Any, NoReturn

from pydantic_core import from_json

from rendercall.contract.args import WORD_BEGINNINGS

__all__ = ["Refused", "atom", "may_become_atom", "scan"]


class Refused(Exception):  # noqa: N818 - a signal inside the reader, never seen outside
    """The text cannot be read on.

    Attributes:
        code: the rule that was broken.
        at: index into the fragment that is being read.
        message: what was expected.
    """

    def __init__(self, code: str, at: int, message: str) -> None:
        super().__init__(code)
        self.code = code
        self.at = at
        self.message = message


_run = re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]*').match
_escape = re.compile(r'\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))').match
_low = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match
_cut_escape = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z").match
_cut_low = re.compile(r"(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?\Z").match
_cut_number = re.compile(
    r"-?(?:(?:0|[1-9][0-9]*)(?:\.(?:[0-9]+(?:[eE][+-]?[0-9]*)?)?|[eE][+-]?[0-9]*)?)?"
).fullmatch

_SHORT = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")
_HIGH, _LOW, _LAST_LOW = 0xD800, 0xDC00, 0xDFFF  # the surrogates: high ones, then low ones
_LONE = "the text holds half of a surrogate pair"
_BEYOND = "a number beyond what JSON readers can hold"


def scan(chunk: str, start: int) -> tuple[str, int, bool]:
    """Decode the inside of a string, from `start` to its quote or as far as it is decided.

    Returns:
        The decoded text; the index where it stopped: at the closing quote, at the end, or
        at a tail that the next fragment decides; and whether the source held what strict
        JSON does not take as it is.

    Raises:
        Refused: what no next fragment can mend.
    """
    pieces: list[str] = []
    raw = False
    at = start
    while True:
        end = _run(chunk, at).end()  # type: ignore[union-attr]  # it matches the empty text too
        pieces.append(chunk[at:end])
        if end == len(chunk) or chunk[end] == '"':
            break
        if chunk[end] == "\\":
            piece, at = _read_escape(chunk, end)
        else:
            piece, at = _read_raw(chunk, end)
            raw = True
        if at == end:
            break
        pieces.append(piece)
    return "".join(pieces), end, raw


def _read_escape(chunk: str, at: int) -> tuple[str, int]:
    """The character of an escape and the index after it; `("", at)` where it is cut."""
    match = _escape(chunk, at)
    if match is None:
        if _cut_escape(chunk, at):
            return "", at
        raise Refused("json_syntax", at, "no such escape in JSON")
    if match[1]:
        return _SHORT[match[1]], at + 2
    unit = int(match[2], 16)
    if not _HIGH <= unit <= _LAST_LOW:
        return chr(unit), at + 6
    if unit < _LOW:
        if low := _low(chunk, at + 6):
            return _join(unit, int(low[1], 16)), at + 12
        if _cut_low(chunk, at + 6):
            return "", at
    raise Refused("lone_surrogate", at, _LONE)


def _read_raw(chunk: str, at: int) -> tuple[str, int]:
    """A character that strict JSON does not take inside a string, and the index after it."""
    char = chunk[at]
    if char in "\n\r\t":
        return char, at + 1
    if char < " ":
        raise Refused("json_syntax", at, "a control character inside a string")
    if char < "\udc00":
        if at + 1 == len(chunk):
            return "", at
        if "\udc00" <= chunk[at + 1] <= "\udfff":
            return _join(ord(char), ord(chunk[at + 1])), at + 2
    raise Refused("lone_surrogate", at, _LONE)


def _join(high: int, low: int) -> str:
    return chr(0x10000 + ((high - _HIGH) << 10) + (low - _LOW))


def atom(literal: str, at: int, longest: int) -> Any:
    """The value of a complete number, `true`, `false` or `null`.

    Args:
        literal: the text, as far as letters, digits and signs go.
        at: its index, for the error.
        longest: characters that a number may have.

    Raises:
        Refused: it is none of these.
    """
    if len(literal) > longest and literal not in WORD_BEGINNINGS:
        _refuse_atom(literal, at, longest)
    try:
        value = from_json(literal, allow_inf_nan=False)
    except ValueError:
        _refuse_atom(literal, at, longest)
    if type(value) is float and not isfinite(value):
        raise Refused("not_finite", at, _BEYOND)
    return value


def may_become_atom(literal: str, at: int, longest: int) -> None:
    """Check that more text could still make an atom of this.

    Raises:
        Refused: it could not.
    """
    plain = literal.isdigit() and literal[0] != "0"
    if literal in WORD_BEGINNINGS or (len(literal) <= longest and (plain or _cut_number(literal))):
        return
    _refuse_atom(literal, at, longest)


def _refuse_atom(literal: str, at: int, longest: int) -> NoReturn:
    if literal in _NOT_FINITE:
        raise Refused("not_finite", at, "NaN and Infinity are not JSON")
    if len(literal) > longest and _cut_number(literal[: longest + 1]):
        raise Refused("number_too_long", at, f"a number of over {longest} characters")
    if _cut_number(literal) and literal[-1].isdigit():  # an integer of over 4,300 digits
        raise Refused("not_finite", at, _BEYOND)
    raise Refused("json_syntax", at, "a value was expected")

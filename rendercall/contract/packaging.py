"""The one JSON value that a text holds, and what stands around it.

Models and servers pack a call's args into fences, chatter, reasoning and call marks. A
package is opened only where one reading is possible: one value, and around it nothing that
looks like a piece of JSON, because that piece would be content. Everything here is linear in
the text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from rendercall.contract.args import Notice, read_args
from rendercall.contract.bounds import Bounds
from rendercall.contract.surroundings import LEADING_TEXT, look_around

__all__ = ["Package", "unpack"]


@dataclass(frozen=True, slots=True)
class Package:
    """What a text holds.

    Attributes:
        value: the object, list or string in it.
        text: its JSON, as it stood in the text.
        called: the name of the tool that a mark before the value calls; None without one.
        notices: what was taken off.
    """

    value: Any
    text: str
    called: str | None = None
    notices: tuple[Notice, ...] = ()


def unpack(text: str, bounds: Bounds) -> Package | None:
    """Find the one JSON value of a text.

    Args:
        text: the text of a call's args, or of anything that should be JSON.
        bounds: limits on the value. Its depth and strings may exceed them by what packaging
            adds: check what comes out of it once more.

    Returns:
        None where there is no value, or it is cut off, or more than one reading is possible.
    """
    value = _read(text, bounds)
    if value is not None:
        return Package(value, text)
    answer = _after_reasoning(text)
    start = _start(text, answer)
    body = None if start is None else _body(text, start, bounds)
    if start is None or body is None:
        return None
    around = look_around(text[answer:start], text[body.end :], body.text)
    if around is None:
        return None
    leading = text[:answer].strip() and LEADING_TEXT not in around.notices
    notices = (*([LEADING_TEXT] if leading else ()), *around.notices, *body.notices)
    return Package(body.value, body.text, around.called, notices)


def _read(text: str, bounds: Bounds) -> Any:
    """The JSON object, list or string that a text is; None where it is no such thing."""
    loose = replace(
        bounds,
        max_bytes=bounds.max_bytes + len('{"":}'),
        max_depth=bounds.max_depth + 1,
        max_nodes=bounds.max_nodes + 1,
        max_string=bounds.max_bytes,
    )
    args = read_args(f'{{"":{text}}}', loose)  # as the one member of an object
    value = args.value.get("") if len(args.value) == 1 else None
    return value if isinstance(value, str | list | dict) else None


def _after_reasoning(text: str) -> int:
    """Where the text begins after its blocks of reasoning, if those have an end."""
    at = 0
    while block := _REASONING.match(text, at):
        end = text.find(f"</{block[1]}>", block.end())
        if end < 0:
            break
        at = end + len(block[1]) + len("</>")
    return at


def _start(text: str, answer: int) -> int | None:
    """Where the value begins: a list or string only first of all, an object anywhere."""
    first = _LIST_OR_STRING.match(text, answer)
    if first:
        return first.end()
    found = _OBJECT.search(text, answer) or _EMPTY_OBJECT.search(text, answer)
    if not found:
        return None
    prose = len(text[: found.start()].rstrip("[ \t\r\n"))
    bracket = text.find("[", prose, found.start())
    return bracket if bracket >= answer else found.start()


_REASONING = re.compile(r"\s*<(think|thinking|thought|reasoning|analysis)>")
_LIST_OR_STRING = re.compile(r'\s*(?:(?:`+|~{3,})[\w+-]*\s*)?(?="|\[\s*[\[{"])')
_OBJECT = re.compile(r'\{\s*"')
_EMPTY_OBJECT = re.compile(r"\{\s*\}")


@dataclass(frozen=True, slots=True)
class _Body:
    value: Any
    text: str
    end: int
    notices: tuple[Notice, ...] = ()


def _body(text: str, start: int, bounds: Bounds) -> _Body | None:
    """The value that begins at `start`, its trailing commas or broken beginnings left out."""
    scanned = _scan(text, start, bounds.max_depth)
    if scanned:
        end, commas = scanned
        edges = [start - 1, *commas, end]
        pieces = [text[a + 1 : b] for a, b in pairwise(edges)]
        value = _read("".join(pieces), bounds)
        if value is not None:
            return _Body(value, text[start:end], end, (_COMMA,) if commas else ())
    whole = _restart(text, start)
    if whole is None:
        return None
    value = _read(text[whole[0] : whole[1]], bounds)
    if value is None:
        return None
    return _Body(value, text[whole[0] : whole[1]], whole[1], (_RESTARTED,))


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+("?)|[{}\[\],]|[^"{}\[\],\s]+', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}


def _scan(text: str, start: int, max_depth: int) -> tuple[int, list[int]] | None:
    """Find the end of the value at `start`, and the commas before a closing bracket.

    Only its nesting is judged: the reader judges the rest. None where it has no end.
    """
    expected: list[str] = []  # closing brackets, innermost last
    commas: list[int] = []
    before, last, comma = "", "", 0  # first characters of the two last tokens; the last comma
    for token in _TOKEN.finditer(text, start):
        first = token[0][0]
        if first == '"' and not token[1]:
            return None
        if first in "{[":
            expected.append(_CLOSING[first])
            if len(expected) > max_depth + _MAX_LISTS:
                return None
        elif first in "}]":
            if not expected or expected.pop() != first:
                return None
            if last == "," and before not in ("{", "["):  # there, an item may be missing
                commas.append(comma)
        if not expected:
            return token.end(), commas
        if first == ",":
            comma = token.start()
        before, last = last, first
    return None


_MAX_LISTS = 4
"""How deep a value may be packed into lists."""


def _restart(text: str, start: int) -> tuple[int, int] | None:
    """Beginning and end of an object that broke off, perhaps repeatedly, and began again.

    Every broken beginning must be the beginning of the whole object: so nothing is lost. It
    must have broken off inside a string or right before the brace: else that brace opens a
    value of the broken object.
    """
    begins = [start]
    for _ in range(_MAX_BEGINS):
        try:
            _, end = _DECODER.raw_decode(text, begins[-1])
        except RecursionError:
            return None
        except json.JSONDecodeError as error:
            again = text.rfind("{", begins[-1] + 1, error.pos + 1)
            if again < 0 or (again < error.pos and text[again + 1 : error.pos].strip() != '"'):
                return None
            begins.append(again)
        else:
            pieces = [text[begin:again] for begin, again in pairwise(begins)]
            lossless = all(text.startswith(piece.rstrip(), begins[-1], end) for piece in pieces)
            return (begins[-1], end) if pieces and lossless else None
    return None


_MAX_BEGINS = 4
"""How often an object may begin: more is no accident, and each costs a reading of the text."""
_DECODER = json.JSONDecoder(strict=False, parse_int=len, parse_float=len)  # it only finds the end


_COMMA = Notice("trailing_comma", "a comma stood before a closing bracket")
_RESTARTED = Notice("restarted_object", "the args broke off and began again")

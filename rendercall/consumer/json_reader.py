"""A JSON reader that is fed: after every fragment, what is known of the value is known.

What it tells is final: numbers and literals come when they are over, a key with the beginning
of its value, objects and arrays when they open, open strings as far as they are decided. Cut
escapes and halves of surrogate pairs wait for the next fragment. The first thing that no next
fragment can mend ends the reading with a `Fault`; nothing is ever raised.
"""

# ruff: noqa: TRY301, PLR1714, SIM109 - the loop jumps and compares in the fastest way there is

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from typing import Any, Final, cast

from rendercall.consumer.deltas import Delta
from rendercall.consumer.json_progress import JsonProgress
from rendercall.consumer.json_tokens import Refused, atom, may_become_atom, scan
from rendercall.consumer.listener import ABSENT, Fault, Listener, Spot
from rendercall.consumer.raw_text import fitting
from rendercall.contract.args import Path
from rendercall.contract.bounds import MAX_SAFE_INTEGER, Bounds

__all__ = ["JsonReader"]


# States, in the order that the comparisons below rely on.
STRING: Final = 0  # an open string that is shown
HIDDEN: Final = 1  # an open string that is not
KEY: Final = 2  # an open key
ATOM: Final = 3
COLON: Final = 4
VALUE: Final = 5
NEXT_KEY: Final = 6  # after a comma
DONE: Final = 7
FIRST_KEY: Final = 8  # from here on a container may close
FIRST_ITEM: Final = 9
AFTER: Final = 10  # after a value

_EXPECTED = {
    ATOM: "a value was expected",
    COLON: "a colon was expected",
    VALUE: "a value was expected",
    NEXT_KEY: "a key in double quotes was expected",
    DONE: "nothing may follow the object",
    FIRST_KEY: "a key in double quotes or the end of the object was expected",
    FIRST_ITEM: "a value or the end of the array was expected",
    AFTER: "a comma or the end was expected",
}
_space = re.compile(r"[ \t\n\r]*").match
_atom = re.compile(r"[-+.0-9A-Za-z_]*").match
_key = re.compile(r'[ \t\n\r]*"([^"\\\x00-\x1f\ud800-\udfff]*)"[ \t\n\r]*:[ \t\n\r]*').match

_IN_VALUE = (STRING, HIDDEN, ATOM)
_PACK = 65_536  # most characters between two joins of the pieces of text
_TWICE = "the key stands here twice"


class JsonReader:
    """Reads one JSON object from fragments of its text.

    The state lives in the locals of a generator, because a fragment of four characters
    costs little more than resuming it: `feed` is the generator's `send`. The generator knows
    nothing of the reader, so that a document goes when its reader does, and not at the next
    collection of cycles.

    Attributes:
        feed: takes the next fragment, returns what it changed.
        progress: how far the reading is.
    """

    __slots__ = ("feed", "progress")

    feed: Callable[[str], list[Delta]]

    def __init__(self, listener: Listener, bounds: Bounds) -> None:
        self.progress = JsonProgress()
        reading = _read(self.progress, listener, bounds)
        next(reading)
        self.feed = cast("Callable[[str], list[Delta]]", reading.send)

    @property
    def spot(self) -> Spot:
        """Where the reading stands. Drop it before the next fragment: see `Reader.partial`."""
        return cast("Callable[[None], Spot]", self.feed)(None)

    def open_text(self) -> str:
        """The string that is open, as far as it has come."""
        return self.spot.text or ""


def _read(  # noqa: C901, PLR0912, PLR0915 - one frame of locals is what makes it fast
    progress: JsonProgress, listener: Listener, bounds: Bounds
) -> Generator[list[Delta] | Spot, str | None, None]:
    starts, complete_string, complete_atom = listener.starts, listener.string, listener.atom
    opens, closes = listener.opens, listener.closes
    max_string, max_items, max_nodes = bounds.max_string, bounds.max_items, bounds.max_nodes
    max_number = bounds.max_number
    raw = progress.raw
    tail = raw.tail
    size, nodes = 0, 0  # characters, values
    spare = bounds.max_bytes  # bytes that were left when they were last counted
    due = limit = min(_PACK, max_string, spare // 4)  # when to count them, and an open string
    stack: list[tuple[Any, Path, Any, bool, tuple[int, int, int] | None]] = []
    here: Any = progress.root  # the innermost open container
    path: Path = ()
    in_object = False
    key: Any = 0
    state, text, spot, begins, hold = VALUE, "", path, False, ""
    easy = 0  # up to which size a fragment may be more of an open string, and nothing else
    over = 0  # characters of the fragment that went over `max_bytes`
    out: list[Delta] = []
    while True:
        chunk = yield out
        while not chunk:  # a local that held the text would make the next += copy it
            chunk = yield (_spot(stack, path, key, state, text) if chunk is None else [])
        tail.append(chunk)
        n = len(chunk)
        size += n
        if size <= easy and '"' not in chunk and "\\" not in chunk and chunk.isprintable():
            text += chunk
            out = [("append", spot, chunk)] if state == STRING else []
            continue
        out = []
        easy = 0
        if size > due:
            spare -= raw.pack()
            due = size + min(_PACK, spare // 4)
            if spare < 0:
                chunk = fitting(chunk, -spare)
                over = n - len(chunk)
                n -= over
        if hold:
            chunk, hold = hold + chunk, ""
            n = len(chunk)
        i = 0
        try:
            while i < n or begins:
                if state <= KEY:
                    end = chunk.find('"', i) if i else chunk.find('"')  # half the cost
                    whole = end >= 0
                    if not whole:
                        end = n
                    piece = chunk[i:end]
                    if "\\" in piece or not piece.isprintable():
                        piece, end, irregular = scan(chunk, i)
                        whole = end < n and chunk[end] == '"'
                        if irregular:
                            progress.irregular = True
                    if size > limit:  # this string, or one after it in the same fragment
                        room = max_string - len(text) - len(piece)
                        limit = min(due, size - n + end + room)
                        if room < 0:
                            raise Refused("string_too_long", i, f"over {max_string} characters")
                    text += piece
                    if not whole:
                        if begins:
                            begins = False
                            if starts(key):
                                if in_object:
                                    here[key] = ""
                                else:
                                    here.append("")
                                out.append(("open", spot, piece))
                            else:
                                state = HIDDEN
                        elif piece and state == STRING:
                            out.append(("append", spot, piece))
                        if end == n:
                            easy = limit
                        else:
                            hold = chunk[end:]
                        break
                    i = end + 1
                    if state == KEY:
                        key, text = text, ""
                        state = COLON
                        if key in here:
                            raise Refused("duplicate_key", end, _TWICE)
                        if i < n and chunk[i] == ":":
                            i += 1
                            state = VALUE
                        continue
                    if state == STRING and not begins:
                        here[key] = text
                        if piece:
                            out.append(("append", spot, piece))
                        out.append(("close", spot, None))
                    else:
                        if in_object:
                            here[key] = text
                        else:
                            here.append(text)
                        out.append(("set", spot, text))
                    complete_string(key, text)
                    state, text, begins = AFTER, "", False
                    continue
                c = chunk[i]
                if c == " ":
                    i += 1
                    continue
                if state >= FIRST_KEY and c == ("}" if in_object else "]"):
                    i += 1
                    closed = here
                    out.append(("close", path, None))
                    here, path, key, in_object, place = stack.pop()
                    if place is None:
                        closes(closed, "")
                    elif progress.irregular:
                        closes(closed, json.dumps(closed, ensure_ascii=False))
                    else:
                        closes(closed, raw.cut(size - over - n + i, *place))
                    if stack:
                        state = AFTER
                    else:
                        state = DONE
                        progress.complete = progress.over = True
                    continue
                if state == AFTER:
                    if c == ",":
                        i += 1
                        state = NEXT_KEY if in_object else VALUE
                        continue
                elif state == NEXT_KEY or state == FIRST_KEY:
                    if c == '"':
                        found = _key(chunk, i) if '":' in chunk else None
                        if found is None:
                            i += 1
                            state = KEY
                            continue
                        key, i = found[1], found.end()
                        if len(key) > max_string:
                            raise Refused("string_too_long", i, f"over {max_string} characters")
                        state = VALUE
                        if key in here:
                            raise Refused("duplicate_key", found.end(1), _TWICE)
                        continue
                elif state == COLON:
                    if c == ":":
                        i += 1
                        state = VALUE
                        continue
                elif state == VALUE or state == FIRST_ITEM:
                    if not stack and c not in "{\n\r\t":
                        raise _no_object(c, i)
                    if c == '"' or c == "{" or c == "[" or c in "-0123456789tfnNI":
                        nodes += 1
                        if nodes > max_nodes:
                            raise Refused("too_many_nodes", i, f"over {max_nodes} values")
                        if not in_object:
                            key = len(here)
                        if len(here) >= max_items:
                            state = AFTER
                            raise Refused("too_many_items", i, f"over {max_items} entries")
                        if c == '"':
                            i += 1
                            state = STRING
                            text = ""
                            begins = True
                            spot = path + (key,)  # noqa: RUF005 - the faster one
                            continue
                        if c == "{" or c == "[":
                            if len(stack) >= bounds.max_depth:
                                raise Refused("too_deep", i, f"over {bounds.max_depth} levels")
                            new: Any = {} if c == "{" else []
                            inner = path + (key,) if stack else ()  # noqa: RUF005 - same
                            if in_object:
                                here[key] = new
                            else:
                                here.append(new)
                            out.append(("open", inner, new.copy()))
                            place = None
                            if opens(key, inner, new):
                                held = n - len(tail[-1]) if tail else 0
                                place = (size - over - n + i, len(tail) - 1, i - held)
                            stack.append((here, path, key, in_object, place))
                            here, path, in_object = new, inner, c == "{"
                            state = FIRST_KEY if in_object else FIRST_ITEM
                            i += 1
                            continue
                        state = ATOM
                if state == ATOM:
                    literal = _atom(chunk, i)[0]  # type: ignore[index]
                    end = i + len(literal)
                    if end == n:
                        may_become_atom(literal, i, max_number)
                        hold = literal
                        break
                    value = atom(literal, i, max_number)
                    if in_object:
                        here[key] = value
                    else:
                        here.append(value)
                    spot = path + (key,)  # noqa: RUF005 - same
                    if type(value) is int and abs(value) > MAX_SAFE_INTEGER:
                        progress.large_integers.append(spot)
                    taken = complete_atom(key, value, literal)
                    if taken is ABSENT:
                        del here[key]
                    else:
                        if taken is not value:
                            here[key] = value = taken
                        out.append(("set", spot, value))
                    state = AFTER
                    i = end
                    continue
                if c not in "\n\r\t":
                    raise Refused("json_syntax", i, _EXPECTED[state])
                i = _space(chunk, i).end()  # type: ignore[union-attr]
            if over:
                raise Refused("too_large", n, f"the text is over {bounds.max_bytes} bytes")
        except Refused as refused:
            inside = state in _IN_VALUE or (in_object and state in (VALUE, COLON))
            where = (*path, key) if stack and inside else path
            progress.fault = Fault(
                refused.code, where, size - over - n + refused.at, refused.message
            )
            if begins:
                state = HIDDEN  # nothing of this string was told
            break
    progress.complete, progress.over = False, True
    while True:  # a failed reading goes on collecting the text
        chunk = yield out
        out = []
        while not chunk:
            chunk = yield (_spot(stack, path, key, state, text) if chunk is None else [])
        tail.append(chunk)


def _spot(stack: list[Any], path: Path, key: str | int, state: int, text: str) -> Spot:
    return Spot(
        path if stack else None,
        key if state in _IN_VALUE else None,
        text if state == STRING else None,
    )


def _no_object(c: str, at: int) -> Refused:
    if c in '["-0123456789tfn':
        return Refused("not_object", at, "the args are not a JSON object")
    return Refused("json_syntax", at, "a JSON object was expected")

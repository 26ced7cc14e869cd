"""The text of a call's args, read within bounds.

One JSON object, and nothing in it that two JSON readers could take differently.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rendercall.contract.bounds import MAX_SAFE_INTEGER, Bounds
from rendercall.contract.plain_args import read_plain
from rendercall.errors import Issue, IssueKind

__all__ = [
    "SPACE",
    "WORD_BEGINNINGS",
    "Args",
    "ArgsState",
    "Notice",
    "keys_of",
    "pointer",
    "read_args",
]

ArgsState: TypeAlias = Literal["complete", "incomplete", "invalid"]
"""`incomplete`: a proper prefix of a JSON object, as a cut-off leaves it."""

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a reader of a result should know, though it refuses nothing.

    Attributes:
        code: a stable word, e.g. `unsafe_integer`, `no_finish_reason`.
        message: the same in a sentence.
        pointer: where, as a JSON Pointer; `""` is the whole answer.
    """

    code: str
    message: str
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Args:
    """What the bounds make of a call's text.

    Attributes:
        state: `complete`, `incomplete` or `invalid`.
        text: the text as JSON: raw line breaks and tabs inside strings are escaped, and
            halves of one surrogate pair are joined. The rest is as it came.
        value: the object; `{}` unless `complete`.
        issues: why it is not `complete`.
        notices: what is worth knowing about a `complete` one.
    """

    state: ArgsState
    text: str
    value: dict[str, Any]
    issues: tuple[Issue, ...] = ()
    notices: tuple[Notice, ...] = ()


def pointer(path: Path) -> str:
    """Write a path as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path)


def keys_of(pointer: str) -> tuple[str, ...]:
    """The keys of a JSON Pointer (RFC 6901)."""
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:])


def read_args(text: str, bounds: Bounds) -> Args:
    """Read the text of a call's args within `bounds`.

    The grammar is RFC 8259 within I-JSON (RFC 7493): no duplicate keys, no NaN or
    infinity, no lone surrogates. Raw LF, CR and TAB inside a string are taken as
    themselves, since many servers send them and nothing else could be meant.

    Args:
        text: the raw argument text of one call.
        bounds: the limits.

    Returns:
        The object, or why there is none. It never raises on any text.
    """
    if len(text) > bounds.max_bytes:  # characters never exceed bytes: this is cheap and safe
        return _refuse(text, "too_large", f"the text is over {bounds.max_bytes} bytes")
    joined = text if text.isascii() else _join_surrogates(text)
    if joined is None:
        return _refuse(text, "lone_surrogate", "the text holds half of a surrogate pair")
    text = joined
    if not text.isascii() and len(text.encode()) > bounds.max_bytes:
        return _refuse(text, "too_large", f"the text is over {bounds.max_bytes} bytes")
    plain = read_plain(text, bounds)
    if plain is not None:
        return Args("complete", text, plain)
    start = text.lstrip(SPACE)
    if not start:
        return _refuse(text, "empty", "the call has no args", kind="empty_args")
    try:
        document = _decoder(bounds).decode(text)
    except json.JSONDecodeError as error:
        return _read_broken(text, bounds, error)
    except RecursionError:
        return _refuse(text, "too_deep", f"values nest deeper than {bounds.max_depth}")
    if not isinstance(document, dict):
        return _refuse(text, "not_object", "the args are not a JSON object", kind="not_object")
    issues, notices = _inspect(document, bounds)
    if issues:
        return Args("invalid", text, {}, tuple(issues))
    return Args("complete", text, document, (), tuple(notices))


_WORDS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
WORD_BEGINNINGS = frozenset(word[:end] for word in _WORDS for end in range(1, len(word) + 1))
"""What a word may be cut to, and the words that JSON parsers take for values."""

SPACE = " \t\n\r"
"""What JSON takes for white space."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)', re.DOTALL)
_BREAK = re.compile(r"\\.|[\n\r\t]", re.DOTALL)
_RAW = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_CUT_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.|(?:\.[0-9]+)?[eE][+-]?)")
_NUMBER_END = re.compile(r"[-+.0-9eE]*\Z")
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,4})?")


def _escape(found: re.Match[str]) -> str:
    """A raw break as JSON; one that follows a backslash is no break, but a wrong escape."""
    return _RAW.get(found[0], found[0])


def _read_broken(text: str, bounds: Bounds, error: json.JSONDecodeError) -> Args:
    """Tell raw line breaks (mended), a cut-off (incomplete) and bad JSON (invalid) apart."""
    if error.msg.startswith("Invalid control character"):
        escaped = _STRING.sub(lambda string: _BREAK.sub(_escape, string[0]), text)
        if escaped != text:
            return read_args(escaped, bounds)
    if text.lstrip(SPACE)[0] != "{":
        if text.lstrip(SPACE)[0] in '["':
            return _refuse(text, "not_object", "the args are not a JSON object", kind="not_object")
    elif _is_cut(text, error):
        issue = Issue("", "truncated", "truncated", "the text ends before the object does")
        return Args("incomplete", text, {}, (issue,))
    where = f"line {error.lineno} column {error.colno}"
    return _refuse(text, "json_syntax", f"{error.msg} at {where}", kind="json_syntax")


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    """Whether more text could still make this JSON: the parser stopped for want of it."""
    rest = text[error.pos :]
    if error.msg.startswith("Unterminated string"):
        return True
    if error.msg.startswith("Invalid \\"):
        return _CUT_ESCAPE.fullmatch(text[text.rindex("\\", 0, error.pos + 1) :]) is not None
    if not rest.strip(SPACE):
        return True
    if error.msg.startswith("Expecting ',' delimiter"):  # it may have stopped inside a number
        number = _NUMBER_END.search(text)
        if number is None or number.start() >= error.pos:
            return False
        return _CUT_NUMBER.fullmatch(number[0]) is not None
    return error.msg.startswith("Expecting value") and rest in WORD_BEGINNINGS


def _join_surrogates(text: str) -> str | None:
    """Join pairs that arrived as two code points; None where a half stands alone."""
    try:
        text.encode()
    except UnicodeEncodeError:
        try:
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            return None
    return text


class _Refused:
    """Stands in the tree for what a hook refused, so that the walk can say where it is."""

    __slots__ = ("code", "message")

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message


class _Repeated(dict[str, Any]):
    """An object with a key that came twice."""

    key = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) == len(pairs):
        return document
    repeated = _Repeated(document)
    repeated.key = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return repeated


def _decoder(bounds: Bounds) -> json.JSONDecoder:
    def number(literal: str) -> Any:
        if len(literal) > bounds.max_number:
            return _Refused("number_too_long", f"the number is over {bounds.max_number} characters")
        try:
            return int(literal)
        except ValueError:
            value = float(literal)
        return value if math.isfinite(value) else _Refused("not_finite", "the number is infinite")

    def constant(_: str) -> Any:
        return _Refused("not_finite", "NaN and Infinity are not JSON")

    return json.JSONDecoder(
        object_pairs_hook=_object, parse_int=number, parse_float=number, parse_constant=constant
    )


def _inspect(document: dict[str, Any], bounds: Bounds) -> tuple[list[Issue], list[Notice]]:
    """Walk the tree level by level (never recursing), and judge every node."""
    issues: list[Issue] = []
    notices: list[Notice] = []
    level: list[tuple[Path, Any]] = [((), document)]
    depth, nodes = 0, 0
    while level:
        nodes += len(level)
        if nodes > bounds.max_nodes:
            issues.append(_issue((), "too_many_nodes", f"over {bounds.max_nodes} values"))
            break
        containers = [(path, node) for path, node in level if isinstance(node, dict | list)]
        depth += bool(containers)
        if containers and depth > bounds.max_depth:
            path = containers[0][0]
            issues.append(_issue(path, "too_deep", f"nested deeper than {bounds.max_depth}"))
            break
        for path, node in level:
            issues.extend(_node_issues(path, node, bounds))
            if type(node) is int and abs(node) > MAX_SAFE_INTEGER:
                message = "beyond 2^53 - 1: exact here, rounded by JSON readers that use doubles"
                notices.append(Notice("unsafe_integer", message, pointer(path)))
        level = [child for path, node in containers for child in _children(path, node)]
    return issues, notices


def _children(path: Path, node: dict[str, Any] | list[Any]) -> Iterator[tuple[Path, Any]]:
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, child in items:
        yield (*path, key), child


def _node_issues(path: Path, node: object, bounds: Bounds) -> Iterator[Issue]:
    if isinstance(node, _Refused):
        yield _issue(path, node.code, node.message)
    elif isinstance(node, str):
        yield from _string_issues(path, node, bounds)
    elif isinstance(node, dict | list):
        if len(node) > bounds.max_items:
            yield _issue(path, "too_many_items", f"over {bounds.max_items} entries")
        if isinstance(node, _Repeated):
            yield _issue((*path, node.key), "duplicate_key", "the key stands here twice")
        if isinstance(node, dict):
            for key in node:
                yield from _string_issues(path, key, bounds)


def _string_issues(path: Path, text: str, bounds: Bounds) -> Iterator[Issue]:
    if len(text) > bounds.max_string:
        yield _issue(path, "string_too_long", f"a string of over {bounds.max_string} characters")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            yield _issue(path, "lone_surrogate", "the text holds half of a surrogate pair")


def _issue(path: Path, code: str, message: str) -> Issue:
    return Issue(pointer(path), "bounds", code, message)


def _refuse(text: str, code: str, message: str, *, kind: IssueKind = "bounds") -> Args:
    return Args("invalid", text, {}, (Issue("", kind, code, message),))

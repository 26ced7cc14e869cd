"""What stands around a value in a text: fences, chatter and call marks, which may be left out.

Anything that looks like a piece of data may be content, and forbids it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rendercall.contract.args import Notice

__all__ = ["LEADING_TEXT", "Surroundings", "look_around"]

LEADING_TEXT = Notice("leading_text", "text stood before the args")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What may be left out around a value.

    Attributes:
        called: the name of the tool that a mark before the value calls; None without one.
        notices: what it is.
    """

    called: str | None
    notices: tuple[Notice, ...]


def look_around(before: str, after: str, body: str) -> Surroundings | None:
    """Judge what stands before and after a value.

    Args:
        before: the text before it, less blocks of reasoning.
        after: the text after it.
        body: the value's own text.

    Returns:
        None where something may be content, or reasoning that the value is a part of.
    """
    called = _called(before)
    lead, opened = _without_opening_fence(before)
    trail, closed = _without_closing_fence(after)
    resent = trail.strip() == body
    trail = "" if resent else trail
    if (
        _DATA.search(lead)
        or lead.count("{") != lead.count("}")
        or lead.count("[") != lead.count("]")
    ):
        return None
    if _DATA.search(trail) or _REASONING.search(lead) or _REASONING_END.search(trail):
        return None
    if trail.count("{") > trail.count("}") or trail.count("[") > trail.count("]"):
        return None
    if trail.lstrip("}] \t\r\n").startswith((",", ":")):
        return None  # members or items went on
    prose, rest = _MARK.sub("", lead), _MARK.sub("", trail)
    if called and prose.rstrip().endswith("("):
        prose, rest = prose.rstrip("( \t\r\n").removesuffix(called), rest.lstrip(") \t\r\n;")
    found = {
        LEADING_TEXT: prose.strip(),
        _ENVELOPE: len(prose) + len(rest) < len(lead) + len(trail),
        _FENCE: opened or closed,
        _RESENT: resent,
        _TRAILING: rest.strip(),
    }
    return Surroundings(called, tuple(notice for notice, present in found.items() if present))


def _without_opening_fence(text: str) -> tuple[str, bool]:
    """The text without a fence that opens at its end, with or without a language."""
    at = max(text.rfind("```"), text.rfind("~~~"))
    if at >= 0 and not text[at:].partition("\n")[2].strip():
        return text[:at].rstrip("`~"), True
    bare = text.rstrip()
    return (bare[:-1], True) if bare.endswith("`") else (text, False)


def _without_closing_fence(text: str) -> tuple[str, bool]:
    bare = text.lstrip()
    return (bare.lstrip("`~"), True) if bare.startswith(("`", "~~~")) else (text, False)


_REASONING = re.compile(r"<(?:think|thinking|thought|reasoning|analysis)>")
_REASONING_END = re.compile(r"</(?:think|thinking|thought|reasoning|analysis)>")
_DATA = re.compile(
    r"""
    "\s*:                                        # a member
    | \{\s* (?: ["'{] | /[/*] | [\w$-]+\s*: )    # an object, of JSON or of a language near it
    | \[\s* ["'\[]                               # a list
    """,
    re.VERBOSE,
)
_MARK = re.compile(
    r"<[^<>]{0,80}?(?:tool|call|function|invoke|python_tag)[^<>]{0,80}>|\[TOOL_CALLS\]",
    re.IGNORECASE,
)


def _called(lead: str) -> str | None:
    """The tool that a mark right before the value names."""
    found = _NAME.search(lead[-_MARK_LENGTH:])
    return found and (found[1] or found[2])


_MARK_LENGTH = 200
_NAME = re.compile(
    r"(?:functions?[=/(.]|\bname=|tool▁sep.>)\s*[\"']?([\w-]+)|([\w-]+)\(\s*\Z", re.IGNORECASE
)

_FENCE = Notice("code_fence", "the args stood in a code fence")
_TRAILING = Notice("trailing_text", "text stood after the args")
_ENVELOPE = Notice("tool_call_envelope", "the call itself was written around its args")
_RESENT = Notice("resent_args", "the args were sent again after they were whole")

"""What nobody sees in a text: control characters, hidden characters, turned directions.

One pass over the characters that could be meant, in linear time. What a writing system needs
is let through: joiners in Persian and in emoji, direction marks among Hebrew, tag characters
in the flags of Scotland and Wales, line-break hints in Thai.

Sources: Unicode Technical Standard 39 and Technical Report 36; Trojan Source
(CVE-2021-42574); the ANSI payloads of garak.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rendercall.contract.finding import TextKind

__all__ = ["SERIOUS", "SUSPICION", "Unseen", "unseen", "without_unseen"]

Unseen = tuple[TextKind, str, int, int]
"""Kind, rule, and where: from and to, in characters."""

SERIOUS: frozenset[tuple[TextKind, str]] = frozenset(
    {
        ("control", "escape"),
        ("control", "control"),
        ("bidi", "override"),
        ("bidi", "unbalanced"),
        ("unicode", "tag"),
        ("unicode", "variation_run"),
        ("unicode", "filler"),
        ("unicode", "noncharacter"),
        ("unicode", "annotation"),
    }
)
"""What no lesson, in any of some fifty languages, was found to hold."""

_SUSPECT = re.compile(
    "(?P<tag>[\U000e0000-\U000e007f]+)"
    "|(?P<variation>[\ufe00-\ufe0f\u180b-\u180d\u180f\U000e0100-\U000e01ef]+)"
    "|(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]+)"
    "|(?P<carriage_return>\r+)"
    "|(?P<joiner>[\u200c\u200d])"
    "|(?P<mark>[\u200e\u200f\u061c])"
    "|(?P<override>[\u202a\u202b\u202d\u202e]+)"
    "|(?P<isolate>[\u2066-\u2068])"
    "|(?P<pop>[\u202c\u2069])"
    "|(?P<space>\u200b)"
    "|(?P<soft_hyphen>\u00ad+)"
    "|(?P<order_mark>\ufeff+)"
    "|(?P<line_separator>[\u2028\u2029]+)"
    "|(?P<annotation>[\ufff9-\ufffc]+)"
    "|(?P<private_use>[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]+)"
    "|(?P<filler>[\u3164\u115f\u1160\uffa0\u034f\u17b4\u17b5\u180e]+)"
    "|(?P<invisible>[\u2060-\u2065\u206a-\u206f]+)"
    "|(?P<noncharacter>[\ufdd0-\ufdef\ufff0-\ufff8\ufffe\uffff"
    "\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
    "\U000ffffe\U000fffff\U0010fffe\U0010ffff]+)"
)
_CHARACTERS = (  # every one that `_SUSPECT` may begin with: looked for much faster
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"
    "\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_LATIN = "[A-Za-z\u00c0-\u024f]"
_LOOKS_LATIN = "[\u0370-\u03ff\u0400-\u04ff]"  # Greek and Cyrillic
SUSPICION = f"{_CHARACTERS}|{_LATIN}{_LOOKS_LATIN}|{_LOOKS_LATIN}{_LATIN}"
"""A regular expression for what is worth a closer look."""
_RUN = re.compile(f"{_CHARACTERS}+")
_LOOKS_LATIN_RUN = re.compile(f"{_LOOKS_LATIN}+")
_LATIN_LETTER = re.compile(_LATIN)
_ESCAPES = frozenset("\x1b\x90\x98\x9b\x9d\x9e\x9f")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_JOINED = re.compile(  # scripts and symbols that joiners and selectors belong to
    "[\u0600-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\U0001f000-\U0001faff\u2190-\u2bff\u3030"
    "\u303d\u3297\u3299#*0-9\u00a9\u00ae\u2600-\u27bf\ufe0f\u200d]"
)
_VARIED = re.compile(
    "[\U0001f000-\U0001faff\u2190-\u2bff\u3030\u303d\u3297\u3299#*0-9\u00a9\u00ae\u2600-\u27bf\u200d"
    "\u4e00-\u9fff\u3400-\u4dbf\u1000-\u109f\u2200-\u22ff\u1800-\u18af\ua840-\ua87f\u2010-\u205f"
    "\u2100-\u214f\u3000-\u303f\uff00-\uff5e]"
)
_NO_SPACES = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f]")  # Thai, Lao, Khmer, Myanmar
_FLAG = re.compile("[\U000e0061-\U000e007a\U000e0030-\U000e0039]{2,7}\U000e007f")
_BLACK_FLAG = "\U0001f3f4"


def unseen(text: str) -> Iterator[Unseen]:
    """All that nobody sees in a text, runs of the same taken together."""
    depth = 0
    is_rtl = None if text.isascii() else _RIGHT_TO_LEFT.search(text)
    for match in _suspects(text):
        group, start, end = str(match.lastgroup), match.start(), match.end()
        if group == "isolate":
            depth += 1
        elif group == "pop":
            depth -= match[0] == "\u2069"
            if depth < 0 or match[0] == "\u202c":
                yield "bidi", "unbalanced", start, end
                depth = max(depth, 0)
        elif group == "override" or (group == "mark" and not is_rtl):
            yield "bidi", group, start, end
        elif group in {"control", "carriage_return"}:
            yield from _control(text, group, start, end)
        elif rule := _hidden(group, match[0], text[start - 1 : start], text[end : end + 1]):
            yield "unicode", rule, start, end
    if depth:
        yield "bidi", "unbalanced", len(text), len(text)
    for start, end in _mixed(text):
        yield "unicode", "mixed_script", start, end


def _control(text: str, group: str, start: int, end: int) -> Iterator[Unseen]:
    if group == "control":
        yield "control", "control" if _ESCAPES.isdisjoint(text[start:end]) else "escape", start, end
        return
    end -= text[end : end + 1] == "\n"  # the last of them belongs to a line break
    if end > start:
        yield "control", group, start, end


def without_unseen(text: str) -> str:
    """A text without what hides in it, for comparing: not for showing."""
    return _RUN.sub("", text)


def _suspects(text: str) -> Iterator[re.Match[str]]:
    for run in _RUN.finditer(text):
        yield from _SUSPECT.finditer(text, run.start(), run.end())


def _mixed(text: str) -> Iterator[tuple[int, int]]:
    """Where letters of another script stand right beside Latin ones, as in no word."""
    if text.isascii():
        return
    for match in _LOOKS_LATIN_RUN.finditer(text):
        start, end = match.span()
        if _LATIN_LETTER.match(text[start - 1 : start]) or _LATIN_LETTER.match(text[end : end + 1]):
            yield start, end


def _hidden(group: str, found: str, before: str, after: str) -> str | None:
    """The rule that hidden characters break beside their neighbours; None where they belong."""
    if group == "mark":
        return None
    if group == "tag":
        return None if before == _BLACK_FLAG and _FLAG.fullmatch(found) else group
    if group == "variation":
        if len(found) > 1 or not before:
            return "variation_run"
        return None if _VARIED.match(before) else "variation_odd"
    if group == "joiner":
        return None if _joins(found, before, after) else "zero_width"
    if group == "space":
        return None if _NO_SPACES.match(before) or _NO_SPACES.match(after) else "zero_width"
    return "zero_width" if group == "invisible" else group


def _joins(joiner: str, before: str, after: str) -> bool:
    """Whether a joiner stands where a script or an emoji needs it."""
    if not before or not after:
        return False
    if not (_JOINED.match(before) or unicodedata.category(before) in {"Mn", "Mc"}):
        return False
    return bool(
        _JOINED.match(after)
        or not after.isalnum()
        or (joiner == "\u200c" and _JOINED.match(before))
    )

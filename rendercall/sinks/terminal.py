"""Text of a model as plain text: nothing in it steers a terminal, and nothing hides in it."""

from __future__ import annotations

import re

from rendercall.contract.unseen import unseen, without_unseen

__all__ = ["terminal_text"]

# A cut sequence counts too: the rest of it may still be on its way.
_ANSI = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|$)|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_BREAKS = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
_ODD_BREAKS = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_CONTROLS_BESIDE_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_KEPT = frozenset({"mixed_script", "private_use", "variation_odd"})
"""What is told of, and seen: taking it out would change what is read."""


def terminal_text(text: str, *, lines: bool = False) -> str:
    """Take out of a text what could steer a terminal, and what nobody sees.

    ANSI sequences, control characters, overrides of the writing direction and hidden
    characters go, halves of surrogate pairs become U+FFFD. What scripts and emoji need stays.
    What looks like markup stays: it is text.

    Args:
        text: any text.
        lines: whether line breaks and tabs stay; else each run of them becomes a space.
    """
    text = _ANSI.sub("", text)
    if lines:
        text = _CONTROLS_BESIDE_LINES.sub("", _ODD_BREAKS.sub("\n", text))
    else:
        text = _CONTROLS.sub("", _BREAKS.sub(" ", text))
    text = _SURROGATES.sub("\ufffd", text)
    return text if text.isascii() else _without_hidden(text)


def _without_hidden(text: str) -> str:
    """Leave out what hides; where that brings more to light, once more, and in the end all."""
    for _ in range(_PASSES):
        spans = [(start, end) for _, rule, start, end in unseen(text) if rule not in _KEPT]
        if not spans:
            return text
        starts = [0, *(end for _, end in spans)]
        ends = [*(start for start, _ in spans), len(text)]
        text = "".join(text[a:b] for a, b in zip(starts, ends, strict=True))
    return without_unseen(text)


_PASSES = 4

"""Text of a model as plain text: nothing in it can steer a terminal."""

from __future__ import annotations

import re

__all__ = ["clean"]

# A cut sequence counts too: the rest of it may still be on its way.
_ANSI = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|$)|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_BREAKS = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    """Take out of a text what could steer a terminal.

    ANSI sequences, control characters and overrides of the writing direction go, line breaks
    become spaces, halves of surrogate pairs become U+FFFD. What looks like markup stays: it
    is text.
    """
    text = _CONTROLS.sub("", _BREAKS.sub(" ", _ANSI.sub("", text)))
    return _SURROGATES.sub("\ufffd", text)

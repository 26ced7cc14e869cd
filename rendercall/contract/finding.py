"""What the last guard finds in a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Action", "Finding", "TextKind"]

TextKind: TypeAlias = Literal[
    "html",
    "url",
    "markdown",
    "sql",
    "shell",
    "prompt",
    "chat_template",
    "unicode",
    "bidi",
    "control",
]
"""What a text could be taken for: markup and script, a dangerous URL, markdown that loads or
hides, SQL, a shell command, an instruction to a model, a model's own control token, characters
that nobody sees, overrides of the writing direction, control characters and ANSI sequences."""

Action: TypeAlias = Literal["flag", "escape", "reject"]
"""`flag`: known, nothing more. `escape`: the sink makes it harmless. `reject`: no answer."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a text that could have an effect where the text goes.

    A finding is no verdict: a lesson about SQL injection holds SQL.

    Attributes:
        pointer: the string, as a JSON Pointer (RFC 6901).
        start: where it begins, in characters of the string.
        end: where it ends.
        kind: what it could be taken for.
        rule: which rule found it, e.g. `script`, `override`, `tag`.
        action: what the policy says about it.
        in_key: whether it stands in the key that the pointer ends with.
    """

    pointer: str
    start: int
    end: int
    kind: TextKind
    rule: str
    action: Action = "flag"
    in_key: bool = False

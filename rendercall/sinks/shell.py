"""Text of a model in a command line: one word, whatever it holds."""

from __future__ import annotations

import shlex

__all__ = ["shell_word"]


def shell_word(text: str) -> str:
    """Quote a text as one word of a POSIX shell.

    Better still, use no shell: `subprocess.run([program, "--", text])`. With one, write `--`
    before the word as well: a quoted `-rf` is still an option to the program that gets it.

    Args:
        text: any text without U+0000, which no argument of a process can hold.

    Raises:
        ValueError: it holds U+0000.
    """
    if "\0" in text:
        raise ValueError("an argument cannot hold U+0000")
    return shlex.quote(text)

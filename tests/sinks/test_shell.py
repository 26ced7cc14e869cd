from __future__ import annotations

import os
import subprocess

import pytest

from rendercall.sinks import shell_word
from tests.corpus import payloads


def test_no_payload_is_more_than_a_word(tmp_path: os.PathLike[str]) -> None:
    """A POSIX shell hands each on as it is, and does nothing else."""
    texts = [text for text in payloads() if "\0" not in text and not _is_torn(text)]
    for start in range(0, len(texts), 200):
        some = texts[start : start + 200]
        script = "printf '%s\\0' " + " ".join(map(shell_word, some))
        run = subprocess.run(
            ["/bin/sh"], input=script.encode(), capture_output=True, cwd=tmp_path, check=True
        )
        assert run.stdout.decode().split("\0")[:-1] == some
        assert run.stderr == b""
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - as the shell left it


def _is_torn(text: str) -> bool:
    return text.encode("utf-8", "replace").decode() != text


def test_the_shell_sees() -> None:
    """Without the quotes the same text is a command."""
    text = "$(printf ran)"
    raw = subprocess.run(["/bin/sh", "-c", f"printf %s {text}"], capture_output=True, check=True)
    assert raw.stdout == b"ran"
    quoted = f"printf %s {shell_word(text)}"
    run = subprocess.run(["/bin/sh", "-c", quoted], capture_output=True, check=True)
    assert run.stdout.decode() == text


def test_a_null_is_no_part_of_an_argument() -> None:
    """It would end the word early: refused."""
    with pytest.raises(ValueError, match=r"U\+0000"):
        shell_word("a\0b")

"""The README's blocks, run as a reader would run them: each gives what is shown."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(match["kind"], match["code"]) for match in BLOCK.finditer(README)]
CONSOLE = [code for kind, code in BLOCKS if kind == "console"]


def matches(expected: str, printed: str) -> bool:
    """Whether the output is as shown, where `…` stands for anything."""
    pattern = ".*?".join(re.escape(part) for part in expected.strip().split("…"))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


def test_python_blocks_run_in_order_and_print_what_is_shown() -> None:
    """They build on each other; the comments after `print` lines are what they print."""
    namespace: dict[str, Any] = {"__name__": "readme"}
    ran = 0
    for kind, code in BLOCKS:
        if kind != "python":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), namespace)
        expected = "\n".join(re.findall(r"^# > (.*)$", code, re.MULTILINE))
        assert matches(expected, printed.getvalue()), (expected, printed.getvalue())
        ran += 1
    assert ran >= 3


@pytest.mark.parametrize("block", CONSOLE)
def test_console_blocks_print_what_is_shown(block: str) -> None:
    """`$` lines are commands, run in the checkout; what follows is their output."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        done = subprocess.run(
            command,
            shell=True,
            cwd=ROOT,
            env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"},
            check=False,
            capture_output=True,
            text=True,
        )
        assert matches(expected, done.stdout), (command, done.stdout, done.stderr)

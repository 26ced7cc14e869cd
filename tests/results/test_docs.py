from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

DOCS = (Path(__file__).parents[2] / "docs" / "tool_results.md").read_text(encoding="utf-8")


def test_the_examples_run_in_order_and_print_what_is_shown() -> None:
    """They build on each other; the comments after `print` lines are what they print."""
    namespace: dict[str, Any] = {"__name__": "docs"}
    blocks = re.findall(r"^```python\n(.*?)^```$", DOCS, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for code in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "tool_results.md", "exec"), namespace)
        assert printed.getvalue().splitlines() == re.findall(r"^# > (.*)$", code, re.MULTILINE)

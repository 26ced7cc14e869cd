"""Ordinary tools of the graph `tooled`: one that takes its time, one that fails, one oddly named.

The first and the last run one at a time.
"""

from __future__ import annotations

import asyncio
from typing import Any

from rendercall.results import ToolFailed, ToolResult, report_progress, structured_tool

__all__ = ["ODD", "ROWS", "count_rows", "find_row", "odd_name"]

ROWS = 60
ODD = "<img src=x onerror=alert(1)> https://evil.example/ \u202eabc {{7*7}}"


@structured_tool(
    output={"type": "object"},
    label={"en": "Count the rows", "zh": "统计行数"},
    execution_mode="sequential",
)
async def count_rows(query: str, pause_ms: int) -> ToolResult:
    """Count rows, and tell of each.

    Args:
        query: which ones.
        pause_ms: milliseconds for each.
    """
    for number in range(ROWS):
        await asyncio.sleep(pause_ms / 1000)
        report_progress(number + 1, ROWS)
    return ToolResult(f"{ROWS} rows of {query}", {"query": query, "rows": ROWS})


@structured_tool(output={"type": "object"}, label={"en": "Find a row", "zh": "查找一行"})
def find_row(query: str) -> ToolResult:
    """Find a row, in vain.

    Args:
        query: which one.
    """
    raise ToolFailed("NOT_FOUND", f"No row is {query}.")


@structured_tool(output={"type": "object"}, label=ODD, execution_mode="sequential")
def odd_name() -> ToolResult:
    """Do nothing, under a name that is an attack."""
    nothing: dict[str, Any] = {}
    return ToolResult("Nothing.", nothing)

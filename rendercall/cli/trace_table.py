"""The steps of a run as a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text

from rendercall.langgraph.trace import Step, StepKind
from rendercall.sinks.terminal import terminal_text

__all__ = ["trace_table"]

_COLOURS: Mapping[StepKind, str] = {
    "skill": "magenta",
    "shown": "green",
    "stopped": "red",
    "repair": "yellow",
}
_INSIDE = frozenset({"model", "tool"})
"""What runs inside a node."""


def trace_table(steps: Iterable[Step]) -> Table:
    """Draw the steps, one a row: when, how long, what, and the layer that stopped it."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("at ms", justify="right")
    table.add_column("ms", justify="right")
    table.add_column("step", no_wrap=True)
    table.add_column("layer")
    table.add_column("what", overflow="fold")
    for step in steps:
        took = "" if step.took_ms is None else f"{step.took_ms:.0f}"
        indent = "" if step.kind == "node" else "  " if step.kind in _INSIDE else "→ "
        name = terminal_text(f"{indent}{step.kind} {step.name}")
        table.add_row(
            Text(f"{step.at_ms:.0f}", style="dim"),
            took,
            Text(name, style=_COLOURS.get(step.kind, "")),
            Text(step.layer or "", style="red"),
            Text(terminal_text(step.detail)),
        )
    return table

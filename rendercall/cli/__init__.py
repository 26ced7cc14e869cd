"""The command `rendercall`. It needs the extra `cli`; `rendercall serve` also `serve`."""

from __future__ import annotations

import sys

from rendercall.errors import MissingExtra, import_extra

__all__ = ["main"]


def main() -> None:
    """Run the command with the arguments of the process, and exit with its code."""
    try:
        for module in ("click", "rich", "langgraph.checkpoint.sqlite"):
            import_extra(module, "cli")
    except MissingExtra as error:
        sys.stderr.write(f"rendercall: {error}\n")
        sys.exit(2)
    from rendercall.cli.commands import app

    app(prog_name="rendercall")

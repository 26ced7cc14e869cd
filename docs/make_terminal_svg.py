"""Draw `docs/terminal.svg`: a real offline run of `rendercall plan`, as a terminal shows it.

Run it in the root of the repository: `python docs/make_terminal_svg.py`.
"""  # noqa: INP001 - a script, no package

from __future__ import annotations

import asyncio
import io
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from rendercall.cli.run import Run
from rendercall.project import Project
from rendercall.terminal import LiveCard

TOPIC = "context managers"


def main() -> None:
    """Run the graph and write the picture."""
    project = Project.find()
    graph, tools = project.graph("learning_plan"), project.render_tools("learning_plan")
    console = Console(record=True, width=92, file=io.StringIO())
    console.print(Text(f'$ rendercall plan "{TOPIC}"', style="bold"))
    card = LiveCard(console, tools[0].schema, "en")
    with tempfile.TemporaryDirectory() as root:
        run = Run(
            root=Path(root),
            graph=graph,
            tools=tools,
            thread_id="picture",
            context={"model": "offline", "pace": 0.0},
        )
        asyncio.run(run.turn(TOPIC, card))
    picture = console.export_svg(title="rendercall", unique_id="rendercall")
    # Rich names fonts on a server: the reader's own monospace font does.
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    Path("docs/terminal.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()

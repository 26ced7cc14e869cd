"""How runs end: `python -m benchmarks.routing [--json]`, from the root of a checkout.

The cells are those of `tests/langgraph/routing_table.py`: a model's message, then either a
right answer or the same message again and again, streamed to a watcher or whole. The model
is scripted, so what differs is the agent. An answer is required of all of them.

- `right`: the value is one that the model wrote, whole and valid; or its last word was never
  a right answer, and an error or a status says so.
- `error`: an error or a status, though the model's last word, then or next, was a right answer.
- `silence`: no value, and nothing that says so.
- `wrong`: a value that the model did not write: a cut one, completed.
- `never`: still running after 55 model calls.
- `n/a`: the agent cannot be in this cell.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.peers.script import Capped, Ended, Script, adapter
from rendercall.models import Call, Reply
from tests.langgraph.routing_table import ROWS, Row, reply
from tests.langgraph.scripted_graph import BAD, GOOD, NAME

ENDS = ["right", "error", "silence", "wrong", "never", "n/a"]
SECOND = {**GOOD, "topic": "The answer after it"}
RIGHT = Reply(calls=[Call(NAME, SECOND)])


@dataclass(frozen=True)
class Peer:
    """An agent: its name, its adapter's module and function, and its package."""

    name: str
    module: str
    function: str
    package: str
    answers_in_text: bool = False

    def load(self) -> Callable[[Script], Ended] | None:
        """The adapter; None where its package is not installed."""
        run: Callable[[Script], Ended] | None = adapter(self.module, self.function)
        return run


PEERS = [
    Peer("rendercall: render_graph", "ours", "render_graph_peer", "langchain"),
    Peer("rendercall: RenderMiddleware", "ours", "render_middleware_peer", "langchain"),
    Peer("create_agent, ToolStrategy", "agent", "tool_strategy", "langchain"),
    Peer(
        "create_agent, ProviderStrategy",
        "agent",
        "provider_strategy",
        "langchain",
        answers_in_text=True,
    ),
    Peer("pydantic-ai, ToolOutput", "pydantic_agent", "pydantic_ai", "pydantic-ai-slim"),
]


@dataclass(frozen=True)
class Cell:
    """One run."""

    row: Row
    stream: bool
    then_right: bool

    @property
    def replies(self) -> list[Reply]:
        """What the model answers."""
        return [reply(self.row), RIGHT] if self.then_right else [reply(self.row)]

    @property
    def written(self) -> list[Any]:
        """Every right answer that the model writes in this cell."""
        return [call.args for one in self.replies for call in one.calls if _is_right(call)]

    @property
    def has_right_end(self) -> bool:
        """Whether the last call of one of the messages is a right answer."""
        return any(one.calls and _is_right(one.calls[-1]) for one in self.replies)

    def fits(self, peer: Peer) -> bool:
        """An answer that is the text can neither come twice nor have text beside it."""
        answers = self.row.render != "none"
        twice = self.row.company in {"doubled", "two tools"}
        return not (peer.answers_in_text and answers and (twice or self.row.text))


def _is_right(call: Call) -> bool:
    return call.name.startswith("render_") and isinstance(call.args, dict) and call.args != BAD


def cells() -> Iterator[Cell]:
    """Every cell."""
    for row in ROWS:
        for stream in (True, False):
            for then_right in (True, False):
                yield Cell(row, stream, then_right)


def end_of(cell: Cell, peer: Peer, run: Callable[[Script], Ended]) -> str:
    """How a run ended, in one of the words above."""
    if not cell.fits(peer):
        return "n/a"
    try:
        ended = run(Script(cell.replies, cell.stream))
    except Capped:
        return "never"
    except Exception as error:  # noqa: BLE001 - each peer has errors of its own
        ended = Ended(error=type(error).__name__)
    if ended.value is not None:
        return "right" if ended.value in cell.written else "wrong"
    if ended.error is None:
        return "silence"
    return "error" if cell.has_right_end else "right"


def measure() -> dict[str, dict[str, str] | None]:
    """Each peer's end in each cell; None for a peer that is not installed."""
    found: dict[str, dict[str, str] | None] = {}
    for peer in PEERS:
        run = peer.load()
        found[peer.name] = run and {_name(cell): end_of(cell, peer, run) for cell in cells()}
    return found


def _name(cell: Cell) -> str:
    how = "stream" if cell.stream else "whole"
    return f"{cell.row.name}; {how}; {'then right' if cell.then_right else 'always'}"


def table(found: dict[str, dict[str, str] | None]) -> str:
    """A Markdown table of the counts."""
    lines = [f"| agent | {' | '.join(ENDS)} |", "|---" * (len(ENDS) + 1) + "|"]
    for name, ends in found.items():
        if ends is not None:
            counts = Counter(ends.values())
            lines.append(f"| {name} | {' | '.join(str(counts[end]) for end in ENDS)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, or every cell as JSON, and name what is missing."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="every cell, as JSON")
    options = parser.parse_args()
    found = measure()
    print(json.dumps(found, indent=1) if options.json else table(found))
    for peer in PEERS:
        if found[peer.name] is None:
            print(f"missing: {peer.name}; pip install {peer.package}", file=sys.stderr)


if __name__ == "__main__":
    main()

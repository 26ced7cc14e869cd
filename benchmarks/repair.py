"""What a wrong leaf costs: `python -m benchmarks.repair [--plans N] [--local N] [--json]`.

From a checkout; `--help` tells of the options, and each peer that is not installed is named.

A model on a loopback server, which speaks as OpenAI does, writes plans of 3.2 KB with one to
three wrong leaves, and corrects what it is told as each peer asks it to: by a patch where a
patch tool is offered, else by the whole again. For one plan in twenty its first correction goes
wrong too, and for one in twenty each of them. All is counted on the wire:

- output: characters of args that the model wrote, a stopped stream's up to where it closed.
- input: characters of the requests' JSON.
- calls: requests.
- valid: runs that end on the right plan.
- silence: runs without a plan, and without anything that says so.
- unwritten: of a wrong call, the share of its characters after the first wrong leaf that was
  never sent; the median.

Where it is installed, the local model corrects a few smaller plans in a second table. It does not
know the right leaves, so there the right plan is any that the schema takes with every other leaf as
it was. It is slow: a minute or two a plan.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from benchmarks.peers.script import Ended, adapter
from benchmarks.repair_local import SIZE, LocalModel, is_installed
from benchmarks.repair_model import Case, ScriptedModel, cases
from tests.providers.http import Disconnect
from tests.providers.openai_chat import OpenAIChatServer

DELAY = 0.001
"""Seconds before each event of a stream that may be stopped; a model is slower by far."""

Run = Callable[[str], Ended]
Speaker = type[ScriptedModel | LocalModel]


@dataclass(frozen=True)
class Peer:
    """A way to repair: its name, its adapter's module and function, and its package."""

    name: str
    module: str
    function: str
    package: str
    stops: bool = False

    def load(self) -> Run | None:
        """The adapter; None where its package is not installed."""
        run: Run | None = adapter(self.module, self.function)
        return run


PEERS = [
    Peer("rendercall, patch", "repair_ours", "patch", "langchain"),
    Peer("rendercall, patch, in create_agent", "repair_ours", "middleware_patch", "langchain"),
    Peer("rendercall, abort and patch", "repair_ours", "abort_patch", "langchain", stops=True),
    Peer("rendercall, re-ask", "repair_ours", "reask", "langchain"),
    Peer("rendercall, abort and re-ask", "repair_ours", "abort_reask", "langchain", stops=True),
    Peer("create_agent, ToolStrategy", "repair_agent", "tool_strategy", "langchain"),
    Peer("pydantic-ai, ToolOutput", "repair_pydantic", "tool_output", "pydantic-ai-slim[openai]"),
    Peer("instructor, tools", "repair_instructor", "tools_mode", "instructor"),
    Peer("trustcall", "repair_trustcall", "extractor", "trustcall"),
]


@dataclass(frozen=True)
class Measured:
    """One run."""

    end: str
    calls: int
    output: int
    input: int
    unwritten: float | None


Found = dict[str, list[Measured] | None]
"""Each peer's runs."""


def run_case(
    case: Case,
    run: Run,
    *,
    stops: bool,
    model: Speaker = ScriptedModel,
) -> Measured:
    """Run a peer on one case, against a server of its own."""
    speaker = model(case, DELAY if stops else 0.0)
    with OpenAIChatServer(speaker) as server:
        end = _end(case, run, server.base_url, knows=model is ScriptedModel)
    sent = [_characters(answer) for answer in speaker.answers]
    for one in server.disconnects:
        sent[one.request] = one.sent
    requests = [len(json.dumps(one, ensure_ascii=False)) for one in server.requests]
    unwritten = _unwritten(case, server.disconnects) if stops else None
    return Measured(end, len(requests), sum(sent), sum(requests), unwritten)


def _end(case: Case, run: Run, base_url: str, *, knows: bool) -> str:
    try:
        ended = run(base_url)
    except Exception as error:  # noqa: BLE001 - each peer has errors of its own
        ended = Ended(error=type(error).__name__)
    if ended.value is None:
        return "silence" if ended.error is None else "error"
    value = ended.value if knows else case.with_right_places(ended.value)
    return "valid" if value == case.right else "another"


def _characters(answer: Any) -> int:
    return sum(len(text) for _, text, _ in answer.calls)


def _unwritten(case: Case, closed: Sequence[Disconnect]) -> float:
    """How much of what follows the first wrong leaf was never sent."""
    text, right = json.dumps(case.wrong), json.dumps(case.right)
    wrong_at = next(
        n for n, pair in enumerate(zip(text, right, strict=False)) if pair[0] != pair[1]
    )
    sent = next((one.sent for one in closed if one.request == 0), len(text))
    return (len(text) - sent) / (len(text) - wrong_at)


def measure(plans: Sequence[Case], model: Speaker = ScriptedModel) -> Found:
    """Each peer's runs; None for a peer that is not installed."""
    found: Found = {}
    for peer in PEERS:
        run = peer.load()
        found[peer.name] = run and [
            run_case(plan, run, stops=peer.stops, model=model) for plan in plans
        ]
    return found


_HEADS = (
    "Way", "Output characters", "Input characters", "Calls", "Valid", "In silence", "Unwritten"
)  # fmt: skip


def table(found: Found) -> str:
    """A Markdown table: means a run, shares of all."""
    lines = [f"| {' | '.join(_HEADS)} |", "|---" * len(_HEADS) + "|"]
    for name, runs in found.items():
        if runs:
            ends = [one.end for one in runs]
            shares = [f"{ends.count(end) / len(ends):.0%}" for end in ("valid", "silence")]
            left = [one.unwritten for one in runs if one.unwritten is not None]
            sums = [fmean(one.output for one in runs), fmean(one.input for one in runs)]
            cells = [*(f"{one:,.0f}" for one in sums), f"{fmean(one.calls for one in runs):.2f}"]
            cells += [*shares, f"{median(left):.0%}" if left else "-"]
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, or every run as JSON, and name what is missing."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--plans", type=int, default=200, help="how many plans")
    parser.add_argument("--local", type=int, default=6, help="how many with the local model")
    parser.add_argument("--json", action="store_true", help="every run, as JSON")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    tables = {f"scripted model, {options.plans} plans": measure([*cases(options.plans)])}
    if options.local and is_installed():
        plans = [*cases(options.local, SIZE)]
        tables[f"local model, {options.local} plans"] = measure(plans, LocalModel)
    if options.json:
        print(json.dumps({title: _as_json(found) for title, found in tables.items()}))
    else:
        print("\n\n".join(f"{title}:\n\n{table(found)}" for title, found in tables.items()))
    for peer in PEERS:
        if next(iter(tables.values()))[peer.name] is None:
            print(f"missing: {peer.name}; pip install '{peer.package}'", file=sys.stderr)
    if options.local and not is_installed():
        print("missing: the local model; make local-model", file=sys.stderr)


def _as_json(found: Found) -> dict[str, Any]:
    return {name: runs and [*map(asdict, runs)] for name, runs in found.items()}


if __name__ == "__main__":
    main()

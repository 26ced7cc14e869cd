"""How calls are read while they arrive: `python -m benchmarks.stream [--json] [--quick]`.

Run it from the root of a checkout, with the extra `bench` for the peers. Every figure is CPU
time of this process, measured in one run, ours and theirs on the same documents. After every
fragment each reader gives its value so far; ours gives the typed partial and the deltas, and
the verdict at the end. What would take minutes is sampled (single fragments all over the
document) or extrapolated (from smaller documents), and says so.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.documents import SHAPES, Shape, pieces_of
from benchmarks.false_values import false_values
from benchmarks.graph_share import graph_share
from benchmarks.measure import Cost, cost_of, growth, peak_of, repeated, side_by_side
from benchmarks.peers.streams.way import Way

ADAPTERS = {  # ours comes first: what the others load must not weigh on it
    "ours": "rendercall",
    "langchain": "langchain-core",
    "jiter_parser": "jiter",
    "type_adapter": "pydantic",
    "instructor_partial": "instructor",
    "pydantic_ai_output": "pydantic-ai-slim",
    "partial_json": "partial-json-parser",
    "jsonriver_parser": "jsonriver",
}
"""Modules of `benchmarks.peers.streams`, and the packages that they need."""

PACKAGES = {"jiter", "instructor", "pydantic_ai", "partial_json_parser", "jsonriver"}
SIZES = (1_000, 10_000, 100_000)
LARGE = (1_000_000, 10_000_000)
FIRST_OF_GROWTH = 10_000
MODELS = {"client": "langchain-openai over HTTP", "script": "a script in the process"}
SAID = 100_000
"""Characters of the document that the targets speak of, in fragments of 4."""


@dataclass(frozen=True)
class Found:
    """What one way costs on one document."""

    way: str
    shape: str
    characters: int
    piece: int
    cost: Cost


@dataclass(frozen=True)
class Report:
    """Everything that was measured.

    Attributes:
        costs: of every way, shape, size and fragment length.
        one_shot: seconds of `validate_json` on the whole text, by shape and characters; called
            again and again, with all that it needs in the processor's caches.
        peaks: megabytes by way, on the plan of 100 KB in fragments of 4 characters.
        false: false values shown by way, on the plan of 1 KB in fragments of 1 character.
        graph: see `graph_share`.
        said: what the targets speak of, measured side by side: seconds of `one_shot`, `text`
            and `chunks`, on the plan of 100 KB in fragments of 4 characters.
        missing: packages of peers that are not installed.
    """

    costs: list[Found]
    one_shot: dict[str, dict[int, float]]
    peaks: dict[str, float | None]
    false: dict[str, int]
    graph: dict[str, dict[str, float]]
    said: dict[str, float]
    missing: list[str]

    def cost(self, way: str, shape: str, size: int, piece: int = 4) -> Cost | None:
        """One cost; `size` is what was asked for."""
        return next(
            (
                one.cost
                for one in self.costs
                if (one.way, one.shape, one.piece) == (way, shape, piece)
                and size <= one.characters < 2 * size
            ),
            None,
        )

    def growth(self, way: str, shape: str, piece: int = 4) -> float | None:
        """The exponent of the cost over the size, from 10 KB on."""
        return growth(
            {
                one.characters: one.cost.seconds
                for one in self.costs
                if (one.way, one.shape, one.piece) == (way, shape, piece)
                and one.characters >= FIRST_OF_GROWTH
            }
        )


def load(missing: list[str]) -> Iterator[Way]:
    """Every way whose package is there; the names of the others go to `missing`."""
    for module, package in ADAPTERS.items():
        try:
            yield from import_module(f"benchmarks.peers.streams.{module}").WAYS
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in PACKAGES:
                raise
            missing.append(package)


def measure(*, quick: bool) -> Report:
    """Measure everything; `quick` leaves out the large documents and most repeats."""
    report = Report([], {}, {}, {}, {}, {}, [])
    texts = {
        name: {size: shape.text(size) for size in (SIZES if quick else (*SIZES, *LARGE))}
        for name, shape in SHAPES.items()
    }
    for name, by_size in texts.items():
        check = SHAPES[name].model.model_validate_json
        report.one_shot[name] = {
            size: repeated(partial(check, text)) for size, text in by_size.items()
        }
    for way in load(report.missing):
        print(f"… {way.name}", file=sys.stderr)
        for name, shape in SHAPES.items():
            for piece in (4,) if quick else (4, 1, 20):
                report.costs.extend(_costs(way, shape, texts[name], piece, 0.3 if quick else 2.0))
        _measure_once(report, way, texts["plan"])
        if not report.said:
            report.said.update(_said(texts["plan"][SAID], 5 if quick else 21))
    report.graph.update(graph_share(10_000, 3 if quick else 15))
    return report


def _said(text: str, rounds: int) -> dict[str, float]:
    from benchmarks.peers.streams.ours import WAYS

    shape, pieces = SHAPES["plan"], pieces_of(text, 4)
    by_text, *_, by_chunk = WAYS
    chunks = by_chunk.prepare(pieces)
    runs = {
        "one_shot": partial(shape.model.model_validate_json, text),
        "text": partial(by_text.drain, pieces, shape),
        "chunks": partial(by_chunk.drain, chunks, shape),
    }
    return side_by_side(runs, rounds)


def _costs(
    way: Way, shape: Shape, texts: dict[int, str], piece: int, budget: float
) -> Iterator[Found]:
    known: dict[int, Cost] = {}
    for size, text in texts.items():
        if size > way.largest or (size in LARGE and piece != 4):  # noqa: PLR2004 - the targets' length
            continue
        cost = known[len(text)] = cost_of(way, shape, text, piece, budget=budget, known=known)
        yield Found(way.name, shape.name, len(text), piece, cost)


def _measure_once(report: Report, way: Way, texts: dict[int, str]) -> None:
    """Memory and false values."""
    shape = SHAPES["plan"]
    cost = report.cost(way.name, "plan", SAID)
    if cost is not None:
        report.peaks[way.name] = peak_of(way, shape, texts[SAID], 4, cost.how)
    text = texts[SIZES[0]]
    # Chunks and text show the same; one adapter's `values` takes its own events.
    events = pieces_of(text, 1) if way.read is not None else way.prepare(pieces_of(text, 1))
    shown = way.values(events, shape)
    report.false[way.name] = false_values(shown, json.loads(text), shape.words)


def tables(report: Report) -> Iterator[Table]:
    """What is printed."""
    yield _comparison(report)
    yield _ours(report)
    for shape in SHAPES:
        yield _matrix(report, shape)
    yield _graph(report)
    yield _targets(report)


def _ways(report: Report) -> list[str]:
    return list(dict.fromkeys(one.way for one in report.costs))


def _comparison(report: Report) -> Table:
    table = Table(title="A plan of 100 KB in fragments of 4 characters", title_justify="left")
    for head in ("way", "CPU s", "µs a fragment", "times warm one-shot", "times ours", "exponent"):
        table.add_column(head, justify="left" if head == "way" else "right")
    for head in ("peak MB", "false values"):
        table.add_column(head, justify="right")
    table.add_column("how")
    one_shot = report.one_shot["plan"][SAID]
    ours = report.cost(_ways(report)[0], "plan", SAID)
    for way in _ways(report):
        cost = report.cost(way, "plan", SAID)
        if cost is None or ours is None:
            continue
        table.add_row(
            way,
            _number(cost.seconds),
            _number(cost.microseconds),
            _number(cost.seconds / one_shot),
            _number(cost.seconds / ours.seconds),
            _number(report.growth(way, "plan")),
            _number(report.peaks.get(way)),
            str(report.false.get(way, "—")),
            cost.how,
        )
    return table


def _ours(report: Report) -> Table:
    table = Table(title="Ours as the document grows: µs a fragment of 4 characters; exponent")
    table.add_column("way")
    table.add_column("shape")
    sizes = [*report.one_shot["plan"]]
    for size in sizes:
        table.add_column(f"{size // 1000:,} KB", justify="right")
    table.add_column("exponent", justify="right")
    for way in (one for one in _ways(report) if one.startswith("rendercall")):
        for shape in SHAPES:
            costs = [report.cost(way, shape, size) for size in sizes]
            cells = [_number(cost.microseconds) if cost else "—" for cost in costs]
            table.add_row(way, shape, *cells, _number(report.growth(way, shape)))
    return table


def _matrix(report: Report, shape: str) -> Table:
    """Columns are sizes, and fragment lengths within."""
    table = Table(title=f"{shape}: CPU seconds of the whole document; ~ sampled or extrapolated")
    table.add_column("way", no_wrap=True)
    lengths = list(dict.fromkeys(one.piece for one in report.costs))
    cases = [(size, piece) for size in SIZES for piece in sorted(lengths)]
    for size, piece in cases:
        table.add_column(f"{size // 1000} KB\nby {piece}", justify="right", no_wrap=True)
    for way in _ways(report):
        costs = [report.cost(way, shape, size, piece) for size, piece in cases]
        table.add_row(way, *(_marked(cost) for cost in costs))
    return table


def _graph(report: Report) -> Table:
    table = Table(title="A whole run of a graph: a plan of 10 KB, watched")
    for head in ("model", "run", "CPU s", "to plain"):
        table.add_column(head, justify="left" if head in {"model", "run"} else "right")
    for model, runs in report.graph.items():
        for name, seconds in runs.items():
            added = "" if name == "plain" else f"{seconds / runs['plain'] - 1:+.1%}"
            table.add_row(MODELS[model], name, _number(seconds), added)
    return table


def _targets(report: Report) -> Table:
    table = Table(title="Targets")
    for head in ("what", "target", "found", ""):
        table.add_column(head, justify="right" if head == "found" else "left")
    for what, limit, found, is_most in _checks(report):
        if found is not None:
            is_met = found <= limit if is_most else found >= limit
            sign = "≤" if is_most else "≥"
            table.add_row(what, f"{sign} {limit:,}", _number(found), "✓" if is_met else "✗")
    return table


def _checks(report: Report) -> Iterator[tuple[str, float, float | None, bool]]:
    """What is asked for, the limit, what was found, and whether the limit is the most."""
    text, deltas, fields, chunks, *others = _ways(report)
    said = report.said
    fragments = SAID / 4
    yield "raw text, µs a fragment", 1.2, said["text"] / fragments * 1e6, True
    yield "raw text, times one-shot, in turns", 30, said["text"] / said["one_shot"], True
    yield "feed(AIMessageChunk), µs a fragment", 3.5, said["chunks"] / fragments * 1e6, True
    for way in others:
        limit = {"langchain-core": 5000, "jiter.from_json": 200, "TypeAdapter": 200}
        least = next((n for start, n in limit.items() if way.startswith(start)), None)
        cost = report.cost(way, "plan", SAID)
        if least is not None and cost is not None:
            yield f"less CPU than {way}", least, cost.seconds / said["text"], False
    for way in (text, deltas, fields):
        for shape in SHAPES:
            yield f"exponent, {way}, {shape}", 1.05, report.growth(way, shape), True
    runs = report.graph["client"]
    yield "watch, added to a graph run, %", 5, 100 * (runs["watch"] / runs["plain"] - 1), True
    yield "false values", 0, max(report.false[way] for way in (text, chunks)), True


def _number(value: float | None) -> str:
    if value is None:
        return "—"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004 - digits


def _marked(cost: Cost | None) -> str:
    if cost is None:
        return "—"
    return ("" if cost.how == "measured" else "~") + _number(cost.seconds)


def main() -> None:
    """Print the tables, or everything as JSON, and name the peers that are missing."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="every figure, as JSON")
    parser.add_argument("--quick", action="store_true", help="fewer sizes, lengths and repeats")
    options = parser.parse_args()
    report = measure(quick=options.quick)
    if options.json:
        found: dict[str, Any] = asdict(report)
        print(json.dumps(found, indent=1))
    else:
        console = Console(width=None if sys.stdout.isatty() else 200)
        for table in tables(report):
            console.print(table)
    for package in report.missing:
        print(f"missing: pip install {package}", file=sys.stderr)


if __name__ == "__main__":
    main()

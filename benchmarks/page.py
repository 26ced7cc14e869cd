"""What the page weighs, and how fast it is: `python -m benchmarks.page [--json] [--runs N]`.

Run it from the root of a checkout whose page is built, with Chromium. The real server streams
a plan of 10 KB in fragments of 6 characters, one every 5 ms; the model notes when it sent
each fragment, and the browser when it painted what.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rich.console import Console
from rich.table import Table

import rendercall.server
from benchmarks.page_run import Run, watched_run
from tests.browser.script import Request, plan_of

__all__ = ["closings", "latencies", "places_of"]

WORDS = "size=10240 chunk=6 delay=5"
STATIC = Path(rendercall.server.__file__).parent / "static"


@dataclass(frozen=True)
class Report:
    """Every figure.

    Attributes:
        first_load: gzipped bytes of each script that the page names, or that those import
            before anything else happens.
        scripts: the same of all scripts.
        styles: the same of all stylesheets.
        plan: bytes of the plan.
        bodies: bytes of every response body from the request to the end, by path, a run each.
        renders: how often the card changed in a frame that changed it, at most.
        frames: how many frames changed it, a run each.
        latencies: milliseconds from each fragment to the paint that shows it, of all runs.
        closings: milliseconds from the fragment that closed a field to its paint as closed, in
            the order of the plan, a run each.
    """

    first_load: dict[str, int]
    scripts: dict[str, int]
    styles: dict[str, int]
    plan: int
    bodies: list[dict[str, int]]
    renders: int
    frames: list[int]
    latencies: list[float]
    closings: list[list[float]]


def measure(runs: int) -> Report:
    """Weigh the files, and watch some runs."""
    plan = plan_of(Request.read(WORDS))
    text = json.dumps(plan, ensure_ascii=False)
    watched = [watched_run(WORDS) for _ in range(runs)]
    places = dict(places_of(text, plan))
    return Report(
        first_load={name: _gzipped(name) for name in _first_scripts()},
        scripts={name: _gzipped(name) for name in _files("js")},
        styles={name: _gzipped(name) for name in _files("css")},
        plan=len(text.encode()),
        bodies=[run.bodies for run in watched],
        renders=max(count for run in watched for count in run.renders),
        frames=[len(run.renders) for run in watched],
        latencies=[one for run in watched for one in latencies(run, places)],
        closings=[list(closings(run, places)) for run in watched],
    )


def _files(ending: str) -> list[str]:
    return [str(one.relative_to(STATIC)) for one in sorted(STATIC.rglob(f"*.{ending}"))]


def _gzipped(name: str) -> int:
    return len(gzip.compress((STATIC / name).read_bytes(), mtime=0))


def _first_scripts() -> list[str]:
    """The scripts of the page, and what those import at once."""
    page = (STATIC / "index.html").read_text("utf-8")
    waiting = re.findall(r'(?:src|href)="\./([^"]+\.js)"', page)
    found: list[str] = []
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.append(name)
            source = (STATIC / name).read_text("utf-8")
            imports = re.findall(r'(?:from|import)\s*"\./([^"]+\.js)"', source)
            waiting += [str(Path(name).parent / one) for one in imports]
    return found


def places_of(
    text: str, value: Any, pointer: str = "", start: int = 0
) -> Iterator[tuple[str, Any]]:
    """Where each leaf's value begins and ends in the text, by its pointer."""
    if not isinstance(value, dict | list):
        written = json.dumps(value, ensure_ascii=False)
        begin = text.index(written, start)
        yield pointer, (begin, begin + len(written), value)
        return
    at = start
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(value, dict):
            at = text.index(json.dumps(key), at) + len(json.dumps(key))
        for found in places_of(text, child, f"{pointer}/{key}", at):
            at = found[1][1]
            yield found


def _painted(run: Run, places: dict[str, Any]) -> list[tuple[float, int]]:
    """By when how much of the text was to be seen."""
    found: list[tuple[float, int]] = []
    most = 0
    for time, pointer, length, is_open in run.paints:
        begin, end, value = places[pointer]
        shown = begin + len(json.dumps(value[:length], ensure_ascii=False)) - 1 if is_open else end
        if shown > most:
            most = shown
            found.append((time, most))
    return found


def latencies(run: Run, places: dict[str, Any]) -> Iterator[float]:
    """From each fragment that holds something to show to its paint, in milliseconds."""
    painted = iter(_painted(run, places))
    time, shown = next(painted)
    inside = sorted((begin + 1, end) for begin, end, _ in places.values())
    for sent_at, sent in run.sent:
        if not any(begin < sent <= end for begin, end in inside):
            continue
        while shown < sent:
            following = next(painted, None)
            if following is None:
                return
            time, shown = following
        yield (time - sent_at) * 1000


def closings(run: Run, places: dict[str, Any]) -> Iterator[float]:
    """From the fragment that closed each field to its first paint as closed, in milliseconds."""
    closed: dict[str, float] = {}
    for time, pointer, _, is_open in run.paints:
        if not is_open:
            closed.setdefault(pointer, time)
    for pointer, (_, end, value) in places.items():
        # What closes a number is the character after it.
        last = end if isinstance(value, str) else end + 1
        sent_at = next(at for at, sent in run.sent if sent >= last)
        yield (closed[pointer] - sent_at) * 1000


def _rows(report: Report) -> Iterator[tuple[str, float | None, float, str]]:
    """What, its limit, what was found, its unit."""
    yield "scripts of the first load, gzipped", 35, sum(report.first_load.values()) / 1000, "KB"
    yield "all scripts, gzipped", 60, sum(report.scripts.values()) / 1000, "KB"
    yield "stylesheets, gzipped", None, sum(report.styles.values()) / 1000, "KB"
    yield (
        f"response bodies, a plan of {report.plan:,} bytes",
        40,
        median(sum(bodies.values()) for bodies in report.bodies) / 1000,
        "KB",
    )
    yield "renders an animation frame, at most", 1, report.renders, ""
    yield "frames with a render", None, median(report.frames), ""
    yield "fragment → paint, median", 70, median(report.latencies), "ms"
    yield "fragment → paint, 95th percentile", None, quantiles(report.latencies, n=20)[-1], "ms"
    yield (
        "first true field painted after its closing",
        100,
        median(one[0] for one in report.closings),
        "ms",
    )
    yield (
        "any field painted after its closing, median",
        None,
        median(one for run in report.closings for one in run),
        "ms",
    )


def _table(report: Report) -> Table:
    table = Table(title=f"The page: {WORDS}")
    for head in ("what", "found", "target", ""):
        table.add_column(head, justify="right" if head in {"found", "target"} else "left")
    for what, limit, found, unit in _rows(report):
        target = f"≤ {limit:g} {unit}" if limit is not None else ""
        met = "" if limit is None else "✓" if found <= limit else "✗"
        table.add_row(what, f"{found:.4g} {unit}", target, met)
    return table


def main() -> None:
    """Print the table, or everything as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="every figure, as JSON")
    parser.add_argument("--runs", type=int, default=3, help="runs, of which the median is told")
    options = parser.parse_args()
    if not (STATIC / "index.html").is_file():
        sys.exit("The page is not built: run `make page` first.")
    report = measure(options.runs)
    if options.json:
        print(json.dumps(asdict(report), indent=1))
    else:
        Console(width=None if sys.stdout.isatty() else 120).print(_table(report))


if __name__ == "__main__":
    main()

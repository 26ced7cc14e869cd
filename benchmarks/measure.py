"""How a cost is measured: CPU time of this process, repeated, sampled or extrapolated."""

from __future__ import annotations

import gc
import math
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, Literal

from benchmarks.documents import Shape, pieces_of
from benchmarks.peers.streams.way import Way

__all__ = ["Cost", "cost_of", "growth", "peak_of", "repeated", "side_by_side"]

SAMPLES = 40
How = Literal["measured", "sampled", "extrapolated"]


@dataclass(frozen=True)
class Cost:
    """What reading a document cost.

    Attributes:
        seconds: CPU time of all fragments.
        fragments: how many there were.
        how: `measured` is the median of whole runs, `sampled` the mean of single fragments
            all over the document times their number, `extrapolated` the growth so far.
    """

    seconds: float
    fragments: int
    how: How

    @property
    def microseconds(self) -> float:
        """CPU time a fragment."""
        return self.seconds / self.fragments * 1e6


def cpu(run: Callable[[], Any]) -> float:
    """Seconds of CPU time of one call."""
    start = time.process_time()
    run()
    return time.process_time() - start


@contextmanager
def uncollected() -> Iterator[None]:
    """With the collector of cycles off, as `timeit` has it.

    Else what is measured pays for looking at all that the process holds, the modules of every
    peer among it, whenever it has made enough objects of its own.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def repeated(run: Callable[[], Any], *, least: int = 3, budget: float = 1.0) -> float:
    """The median of `least` calls; of more, up to 15, while they fit into the budget."""
    with uncollected():
        found = [cpu(run) for _ in range(least)]
        while len(found) < 15 and sum(found) < budget:  # noqa: PLR2004 - a cap
            found.append(cpu(run))
    return median(found)


def side_by_side(runs: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The median of each run; they take turns, so that what else the machine does falls on all.

    Args:
        runs: what is compared.
        rounds: how often; a first one, to warm up, does not count.
    """
    found: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        with uncollected():
            for name, run in runs.items():
                seconds = cpu(run)
                if number:
                    found[name].append(seconds)
    return {name: median(seconds) for name, seconds in found.items()}


def cost_of(
    way: Way, shape: Shape, text: str, size: int, *, budget: float, known: dict[int, Cost]
) -> Cost:
    """What a way costs on a document.

    Args:
        way: the way.
        shape: of the document.
        text: the document.
        size: characters a fragment.
        budget: seconds that a run may cost; beyond, it is sampled or extrapolated.
        known: the costs of smaller documents, by their length.
    """
    pieces = pieces_of(text, size)
    if way.step is not None:
        estimate = _sampled(way.step, shape, text, size) * len(pieces)
        if estimate > budget:
            return Cost(estimate, len(pieces), "sampled")
    elif len(known) > 1:  # two points tell how it grows
        estimate = _extrapolated(known, len(text))
        if estimate > 10 * budget and not way.is_large:
            return Cost(estimate, len(pieces), "extrapolated")
    else:
        estimate = 0.0
    events = way.prepare(pieces)
    least = 3 if estimate < budget else 1
    seconds = repeated(lambda: way.drain(events, shape), least=least, budget=budget)
    return Cost(seconds, len(pieces), "measured")


def _sampled(
    step: Callable[[str, str, Shape], Callable[[], Any]], shape: Shape, text: str, size: int
) -> float:
    """Mean seconds of a fragment, from fragments all over the document."""
    count = len(text) // size
    places = {int((number + 0.5) * count / SAMPLES) * size for number in range(SAMPLES)}
    step("", text[:size], shape)()  # what is made once is made
    found: list[float] = []
    for at in sorted(places):
        run = step(text[:at], text[at : at + size], shape)
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return fmean(found)


def _extrapolated(known: dict[int, Cost], length: int) -> float:
    """The cost of a longer document, by the growth between the last two."""
    last_two = {size: cost.seconds for size, cost in [*known.items()][-2:]}
    size, seconds = [*last_two.items()][-1]
    return float(seconds * (length / size) ** (growth(last_two) or 1.0))


def growth(seconds: dict[int, float]) -> float | None:
    """The exponent: the slope of the line through the logarithms; None for one point alone."""
    if len(seconds) < 2:  # noqa: PLR2004 - a line needs two
        return None
    points = [(math.log(length), math.log(cost)) for length, cost in seconds.items()]
    middle = _centre(points)
    across = sum((x - middle[0]) ** 2 for x, _ in points)
    return sum((x - middle[0]) * (y - middle[1]) for x, y in points) / across


def _centre(points: Iterable[tuple[float, float]]) -> tuple[float, float]:
    xs, ys = zip(*points, strict=True)
    return fmean(xs), fmean(ys)


def peak_of(way: Way, shape: Shape, text: str, size: int, how: How) -> float | None:
    """Megabytes that Python allocates at most while it reads; the fragments are not counted.

    Of a way that was sampled, while it reads the last fragment. What Rust allocates for
    itself is not seen. None where even that would take too long.
    """
    pieces = pieces_of(text, size)
    events = way.prepare(pieces) if how == "measured" else []
    if how == "extrapolated" or (how == "sampled" and way.step is None):
        return None
    gc.collect()
    tracemalloc.start()
    try:
        if how == "measured":
            way.drain(events, shape)
        elif way.step is not None:
            way.step("".join(pieces[:-1]), pieces[-1], shape)()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()

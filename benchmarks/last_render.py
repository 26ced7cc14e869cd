"""Reading the current turn from a long thread: `python -m benchmarks.last_render [--json]`.

A thread of many turns, each a question, a search, its result and a plan, as message objects
and as their dicts; the plan that is read is in the last turn. The time must not depend on
how much lies before it. Median and 95th percentile of single reads, in microseconds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from rendercall import RenderTool, last_render
from schemas.learning_plan import LearningPlan

LENGTHS = (1_000, 10_000, 100_000)
"""Messages in the thread."""

READS = 2_000
TARGET_US = 50.0
PLAN: dict[str, Any] = {
    "topic": "SQL window functions",
    "level": "intermediate",
    "objectives": ["Explain OVER and PARTITION BY", "Rank rows"],
    "lessons": [
        {"title": "Frames and ranges", "duration_minutes": 25},
        {"title": "Ranking rows", "duration_minutes": 35},
    ],
    "total_minutes": 60,
}


def thread(length: int) -> list[AnyMessage]:
    """A thread of that many messages, four a turn."""
    messages: list[AnyMessage] = []
    for turn in range(length // 4):
        search = {"name": "search_docs", "args": {"query": "SQL"}, "id": f"s{turn}"}
        render = {"name": "render_learning_plan", "args": PLAN, "id": f"r{turn}"}
        messages += [
            HumanMessage("Plan SQL", id=f"h{turn}"),
            AIMessage("", id=f"a{turn}", tool_calls=[{**search, "type": "tool_call"}]),
            ToolMessage("A page about SQL.", id=f"t{turn}", tool_call_id=f"s{turn}"),
            AIMessage("", id=f"p{turn}", tool_calls=[{**render, "type": "tool_call"}]),
        ]
    return messages


def measure(messages: list[Any], tool: RenderTool[LearningPlan]) -> dict[str, float]:
    """Time single reads."""
    times = []
    for _ in range(READS):
        start = time.perf_counter_ns()
        shown = last_render(messages, tool)
        times.append((time.perf_counter_ns() - start) / 1000)
        if shown.status != "ok":
            raise AssertionError(shown)
    return {
        "median_us": round(statistics.median(times), 1),
        "p95_us": round(statistics.quantiles(times, n=20)[-1], 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    tool = RenderTool(LearningPlan)
    rows = []
    for length in LENGTHS:
        messages = thread(length)
        dumped = [one.model_dump() for one in messages]
        for form, one in (("objects", messages), ("dicts", dumped)):
            rows.append({"messages": length, "form": form, **measure(one, tool)})
    if as_json:
        json.dump({"target_us": TARGET_US, "rows": rows}, sys.stdout, indent=2)
        return
    print("| messages | form | median µs | 95 % µs |\n|---|---|---|---|")
    for row in rows:
        print("| {messages:,} | {form} | {median_us} | {p95_us} |".format(**row))


if __name__ == "__main__":
    main()

"""What redaction finds and costs: `python -m benchmarks.redaction`.

Throughput over documentation, log records and code, as texts and as values; generated secrets
that survive, and paragraphs of documentation and lessons (`RENDERCALL_CORPORA`) that are changed.
"""

from __future__ import annotations

import importlib.metadata
import json
import pydoc_data.topics
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rendercall.results import structured_tool as code_sample
from rendercall.results.redaction import REDACTOR
from tests.corpus import lessons
from tests.results.secret_samples import CLASSES, sample

ROUNDS = 5


def main() -> None:
    """Print the table."""
    for name, size, run in _cases():
        speeds = sorted(size / _seconds(run) / 1e6 for _ in range(ROUNDS))
        print(f"{name:28} {statistics.median(speeds):8.1f} MB/s")
    secrets = sample(50, seed=1)
    left = sum(secret[:12] in REDACTOR.text(line) for _, line, secret in secrets)
    print(f"secrets that survive         {left:8} of {len(secrets):,} in {len(CLASSES)} classes")
    for name, benign in (("paragraphs changed", _paragraphs()), ("lessons changed", lessons())):
        changed = sum(REDACTOR.text(part) != part for part in benign)
        print(f"{name:28} {changed / len(benign):8.2%} of {len(benign):,}")


def _cases() -> list[tuple[str, int, Callable[[], Any]]]:
    docs = "\n".join(pydoc_data.topics.topics.values())
    code = Path(code_sample.__code__.co_filename).read_text("utf-8") * 40
    rows = [_record(n) for n in range(5_000)]
    log = "\n".join(map(json.dumps, rows))
    secret = [*rows, {"message": sample(1, seed=2)[3][1]}]
    return [
        ("documentation", len(docs), lambda: REDACTOR.text(docs)),
        ("code", len(code), lambda: REDACTOR.text(code)),
        ("log records, as text", len(log), lambda: REDACTOR.text(log)),
        ("log records, as a value", len(log), lambda: REDACTOR.value(rows)),
        ("the same with a secret", len(log), lambda: REDACTOR.value(secret)),
    ]


def _record(number: int) -> dict[str, Any]:
    return {
        "ts": f"2026-11-30T12:{number // 60 % 60:02}:{number % 60:02}.123Z",
        "level": "INFO",
        "request_id": f"{number * 7919:032x}",
        "message": f"GET /api/v1/orders/{number} answered 200 in {number % 97} ms",
        "host": f"ip-10-0-{number % 255}-{number % 13}.internal",
    }


def _paragraphs() -> list[str]:
    texts = [*pydoc_data.topics.topics.values()]
    texts += [one.read_text("METADATA") or "" for one in importlib.metadata.distributions()]
    parts = {part for text in texts for part in re.split(r"\n\s*\n", text)}
    return [part for part in parts if len(part) > 40]  # noqa: PLR2004 - shorter is no paragraph


def _seconds(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    main()

"""Damaged documents with Python's verdict, for the browser to agree with.

`python -m tests.page.corpus FOLDER COUNT [SEED]` writes `schemas.json` (`{name: schema}`) and
`documents.jsonl`; a line is `{"schema", "text", "state"}`, and `state` is what
`RenderTool.validate` makes of the text: `complete`, `incomplete` or `invalid`.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.consumer.mutations import mutate
from tests.page.shapes import GOOD, TOOLS

__all__ = ["documents", "write"]

TEXTUAL: tuple[Callable[[str, random.Random], str], ...] = (
    lambda text, rng: text[: rng.randrange(len(text))],
    lambda text, rng: text.replace('": ', f'": {rng.choice(["NaN", "-0", "1e400", "1.0", "20.0", "1E2", "01", "2.", "-"])}, "zz": ', 1),
    lambda text, rng: text.replace(" ", rng.choice(["\t", "\n", "\u00a0", "\ufeff", "//"]), 1),
    lambda text, rng: text.replace('"', rng.choice(["'", '"\\ud800', '"\\u0000', '"\n', '"\\x', '"\U0001f600']), 1),
    lambda text, rng: rng.choice(["", "\ufeff", "null", "[", "```json\n", " "]) + text,
    lambda text, rng: text + rng.choice(["}", "]", " x", "\n", ",", "\u2028", "\x00"]),
    lambda text, rng: text.replace(", ", rng.choice([",, ", " ", ",\n", ", ,"]), rng.randint(1, 2)),
    lambda text, _: "{" + text[1:-1] + ", " + text[1:-1] + "}",
    lambda text, rng: text.replace("1", rng.choice(["9007199254740993", "1" * 40, "1.00000000000000001", "0.1e1"]), 1),
)  # fmt: skip
"""What happens to the text of one document in eight."""


def documents(count: int, seed: int = 0) -> Iterator[dict[str, str]]:
    """Damaged documents, the same ones for the same seed.

    Args:
        count: how many.
        seed: of the damage.
    """
    rng = random.Random(seed)  # noqa: S311 - test data
    for number in range(count):
        tool = TOOLS[number % len(TOOLS)]
        document = GOOD[tool.name]
        damaged = document if rng.random() < 0.1 else mutate(document, rng)
        text = json.dumps(damaged, ensure_ascii=rng.random() < 0.5)
        if rng.random() < 1 / 8:
            text = rng.choice(TEXTUAL)(text, rng)
        yield {"schema": tool.name, "text": text, "state": tool.validate(text).state}


def write(folder: Path, count: int, seed: int = 0) -> None:
    """Write schemas and documents into a folder."""
    schemas: dict[str, Any] = {tool.name: tool.schema for tool in TOOLS}
    (folder / "schemas.json").write_text(json.dumps(schemas), "utf-8")
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as lines:
        for one in documents(count, seed):
            lines.write(json.dumps(one) + "\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]), *map(int, sys.argv[2:]))

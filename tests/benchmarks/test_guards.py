"""That the benchmark of the guards counts right; what it measures is no test."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.guard_costs import GROWING, MANY, costs, each, growth, mixed, throughput
from benchmarks.guard_rates import rates


def test_rates_are_counted_by_corpus(tmp_path: Path) -> None:
    """Shares of texts, by kind, by the right kinds, and by the strongest action."""
    write(tmp_path / "attack_ansi.jsonl", ["\x1b[2J", "x", "\x1b[1m <b>", "$(id)"])
    write(tmp_path / "benign_titles.jsonl", ["x", "`ls -l` and <b>"])
    write(tmp_path / "other.jsonl", ["x"])
    attack, benign = rates(tmp_path)
    assert (attack.corpus, attack.texts, attack.right) == ("attack_ansi", 4, 0.5)
    assert attack.kinds == {"control": 0.5, "html": 0.25, "shell": 0.25}
    assert attack.actions == {"reject": 0.5, "flag": 0.25}
    assert (benign.right, benign.actions) == (None, {"escape": 0.5})


def write(path: Path, texts: list[str]) -> None:
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))


def test_what_is_measured_runs() -> None:
    """Every row of the table has a figure."""
    assert all(seconds > 0 for seconds in costs().values())
    assert throughput(["Learn to join."]) > 0
    assert growth(GROWING["open tags"], 200) > 0
    assert min(mixed(20, 1)) > 0
    assert each(MANY["tags"]) > 0

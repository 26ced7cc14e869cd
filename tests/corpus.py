"""Payloads and lessons for the text guard and the sinks.

A small sample is beside this file; `RENDERCALL_CORPORA` names the folder of the whole ones.
"""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.guard_rates import texts_of

__all__ = ["FOLDER", "IS_WHOLE", "attacks", "lessons", "payloads"]

SAMPLE = Path(__file__).parent / "corpora"
IS_WHOLE = bool(os.environ.get("RENDERCALL_CORPORA"))
FOLDER = Path(os.environ.get("RENDERCALL_CORPORA") or SAMPLE)


def attacks(*names: str) -> list[str]:
    """The texts of the corpora `attack_<name>`."""
    return [text for name in names for text in texts_of(FOLDER / f"attack_{name}.jsonl")]


def payloads() -> list[str]:
    """The texts of every corpus of attacks."""
    return attacks(*(path.stem.removeprefix("attack_") for path in FOLDER.glob("attack_*.jsonl")))


def lessons() -> list[str]:
    """What no sink and no policy may harm."""
    return [text for path in sorted(FOLDER.glob("benign_*.jsonl")) for text in texts_of(path)]

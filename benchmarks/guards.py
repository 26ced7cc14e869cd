"""`python -m benchmarks.guards`: what the guards cost, and with `--corpora`, what they find.

The corpora are files `attack_*.jsonl` and `benign_*.jsonl`, one `{"text": …}` a line. With
`--plain` the text guard works as where google-re2 is not installed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from benchmarks.guard_costs import GROWING, MANY, costs, each, growth, mixed, throughput
from benchmarks.guard_rates import rates, texts_of
from rendercall.contract.text_engine import engine

__all__ = ["main"]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guards", description=__doc__)
    parser.add_argument("--corpora", type=Path, help="a folder of attack_* and benign_*.jsonl")
    parser.add_argument("--plain", action="store_true", help="without google-re2")
    given = parser.parse_args()
    corpora: Path | None = given.corpora
    if given.plain:
        sys.modules["re2"] = None  # type: ignore[assignment] - as Python says "not installed"
    print(f"text engine: {type(engine()).__name__}\n")
    for name, seconds in costs().items():
        print(f"{name:<40}{seconds * 1e6:>10,.0f} µs")
    if corpora is not None:
        _print_rates(corpora)
        _print_throughput(corpora)
    print("\ncost a character of eight times the text, 1.0 is linear")
    for name, block in GROWING.items():
        print(f"{name:<40}{growth(block):>10.2f}")
    speed, more = mixed()
    print(f"{'mixtures of them and of others':<40}{more:>10.2f}   at {speed:.1f} MB/s")
    print("\ncost of a text among thousands")
    for name, texts in MANY.items():
        print(f"{name:<40}{each(texts) * 1e6:>10.2f} µs")


def _print_rates(corpora: Path) -> None:
    print(f"\n{'corpus':<36}{'texts':>7}{'right':>8}{'reject':>8}{'escape':>8}{'flag':>8}  by kind")
    for rate in rates(corpora):
        right = "" if rate.right is None else f"{rate.right:.1%}"
        shares = "".join(
            f"{rate.actions.get(word, 0):>8.2%}" for word in ("reject", "escape", "flag")
        )
        print(f"{rate.corpus:<36}{rate.texts:>7}{right:>8}{shares}  {_listed(rate.kinds)}")


def _listed(kinds: Mapping[str, float]) -> str:
    return " ".join(f"{kind} {share:.1%}" for kind, share in sorted(kinds.items()))


def _print_throughput(corpora: Path) -> None:
    print()
    for name, files in (
        ("lessons", "benign_*_paras"),
        ("titles", "benign_*_titles"),
        ("all that is benign", "benign_*"),
        ("all payloads", "attack_*"),
    ):
        texts = chain.from_iterable(map(texts_of, sorted(corpora.glob(f"{files}.jsonl"))))
        print(f"{name + ', MB/s':<40}{throughput(texts):>10.1f}")


if __name__ == "__main__":
    main()

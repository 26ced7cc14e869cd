"""What the text guard finds in payloads, and what it takes for one in lessons."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rendercall.contract.content_guard import guard_content
from rendercall.contract.finding import Action, TextKind

__all__ = ["ATTACKS", "Rate", "rates", "texts_of"]

ATTACKS: Mapping[str, tuple[TextKind, ...]] = {
    "attack_xss_libinjection": ("html", "url"),
    "attack_xss_payloadbox": ("html", "url"),
    "attack_sqli_payloadbox": ("sql",),
    "attack_shell": ("shell",),
    "attack_prompt_garak": ("prompt", "chat_template"),
    "attack_control_tokens": ("chat_template",),
    "attack_indirect_bipia": ("prompt",),
    "attack_unicode": ("unicode", "bidi", "control"),
    "attack_ansi": ("control",),
    "attack_markdown": ("markdown", "url", "html"),
}
"""The kinds that count as right, by the name of the corpus."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What the guard said of one corpus.

    Attributes:
        corpus: its name.
        texts: how many there are.
        right: share with a finding of a right kind; None for lessons.
        kinds: share with a finding, by kind.
        actions: share by the strongest action of the default policy.
    """

    corpus: str
    texts: int
    right: float | None
    kinds: Mapping[TextKind, float]
    actions: Mapping[Action, float]


def rates(folder: Path) -> Iterator[Rate]:
    """Judge every corpus of a folder: `attack_*.jsonl` and `benign_*.jsonl`.

    Args:
        folder: of files with one JSON object with `text` a line.
    """
    for path in sorted(folder.glob("*.jsonl")):
        if path.stem.startswith(("attack_", "benign_")):
            yield _rate(path.stem, texts_of(path))


def texts_of(path: Path) -> list[str]:
    """The texts of one corpus."""
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]


def _rate(corpus: str, texts: list[str]) -> Rate:
    kinds: Counter[TextKind] = Counter()
    actions: Counter[Action] = Counter()
    wanted = ATTACKS.get(corpus)
    right = 0
    for text in texts:
        findings = guard_content(text)
        found = {one.kind for one in findings}
        kinds.update(found)
        actions.update(_strongest({one.action for one in findings}))
        right += wanted is not None and not found.isdisjoint(wanted)
    count = len(texts)
    return Rate(
        corpus,
        count,
        None if wanted is None else right / count,
        {kind: number / count for kind, number in kinds.items()},
        {action: number / count for action, number in actions.items()},
    )


def _strongest(actions: set[Action]) -> list[Action]:
    order: tuple[Action, ...] = ("reject", "escape", "flag")
    return [action for action in order if action in actions][:1]

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.guard_costs import GROWING
from rendercall.contract.text_engine import Re2Engine, ReEngine, bounded, engine
from rendercall.contract.text_rules import RULES
from tests.corpus import lessons, payloads

re2 = pytest.importorskip("re2")
LINEAR = Re2Engine(re2)
PLAIN = ReEngine()
FAR = 64
"""Beyond so many repeats the plain engine does not look."""


def test_re2_is_taken_where_it_is() -> None:
    """Installed, it is used; nothing has to be set."""
    assert isinstance(engine(), Re2Engine)


def test_without_re2_there_is_the_plain_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """An extra: its absence changes the speed only."""
    monkeypatch.setitem(__import__("sys").modules, "re2", None)
    engine.cache_clear()
    try:
        assert isinstance(engine(), ReEngine)
    finally:
        engine.cache_clear()


def test_both_engines_find_the_same() -> None:
    """On payloads and lessons alike, but for repeats that go on and on."""
    for payload in (*payloads(), *lessons()):
        text = payload.encode("utf-8", "replace").decode()
        ours, theirs = set(PLAIN.matching(text)), set(LINEAR.matching(text))
        assert ours <= theirs, text
        assert ours == theirs or len(text) > FAR, text


def test_the_one_pass_says_what_each_rule_says() -> None:
    """RE2's set reports nothing where its tables are too small: they are not."""
    whole = "\n\n".join(payloads()).encode("utf-8", "replace").decode()
    alone = {rule for rule in RULES if next(LINEAR.spans(rule, whole), None)}
    assert set(LINEAR.matching(whole)) == alone


@given(st.text(alphabet=st.sampled_from(sorted(set("".join(GROWING.values()) + "=<>/(;'\"`.\n")))))
def test_a_hint_never_hides_a_match(text: str) -> None:
    """A rule that holds is not kept from running."""
    held = {rule for rule, compiled in PLAIN._compiled.items() if compiled.search(text)}
    assert held == set(PLAIN.matching(text))


def repeats(parsed: Any) -> Any:
    """The largest repeat count in a parsed regular expression, and its nesting."""
    for operation, argument in parsed:
        if str(operation) in {"MAX_REPEAT", "MIN_REPEAT"}:
            yield argument[1]
            yield from repeats(argument[2])
        elif str(operation) == "BRANCH":
            for branch in argument[1]:
                yield from repeats(branch)
        elif str(operation) == "SUBPATTERN":
            yield from repeats(argument[3])


@pytest.mark.parametrize("rule", RULES, ids=[f"{rule.kind}.{rule.name}" for rule in RULES])
def test_every_repeat_has_an_end(rule: Any) -> None:
    """So no start costs the plain engine more than a constant: the whole is linear."""
    parser = re._parser  # type: ignore[attr-defined]
    counts = [int(count) for count in repeats(parser.parse(bounded(rule.pattern)))]
    assert all(count <= 128 for count in counts), counts


@pytest.mark.parametrize("rule", RULES, ids=[f"{rule.kind}.{rule.name}" for rule in RULES])
def test_hints_are_lower_case(rule: Any) -> None:
    """They are looked for in the lower-cased text."""
    assert all(hint == hint.lower() for group in rule.hints for hint in group)

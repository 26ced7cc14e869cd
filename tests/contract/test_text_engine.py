from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.guard_costs import GROWING
from rendercall.contract.text_engine import Engine, Hit, Re2Engine, ReEngine, bounded, engine
from rendercall.contract.text_rule import Rule
from rendercall.contract.text_rules import RULES
from tests.corpus import lessons, payloads

re2 = pytest.importorskip("re2")
LINEAR = Re2Engine(re2)
PLAIN = ReEngine()
FAR = 64
"""Beyond so many repeats the plain engine does not look."""

hostile = st.text(
    alphabet=st.sampled_from(sorted(set("".join(GROWING.values()) + "=<>/(;'\"`.\n")))
)


def held(engine: Engine, text: str) -> set[Rule]:
    """The rules that hold in one text."""
    return {rule for rule, _, _ in engine.search([text])}


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
        ours, theirs = held(PLAIN, text), held(LINEAR, text)
        assert ours <= theirs, text
        assert ours == theirs or len(text) > FAR, text


def test_the_one_pass_says_what_each_rule_says() -> None:
    """RE2's sets report nothing where their tables are too small: they are not."""
    whole = "\n\n".join(payloads()).encode("utf-8", "replace").decode()
    alone = {rule for rule, one in LINEAR._compiled.items() if one.search(whole)}
    assert held(LINEAR, whole) == alone


@given(hostile)
def test_a_pattern_without_counts_hides_no_match(text: str) -> None:
    """What the pass for a group lets by, no rule of it would have found."""
    alone = {rule for rule, one in LINEAR._compiled.items() if one.search(text)}
    assert held(LINEAR, text) == alone


@pytest.mark.parametrize("engine", [LINEAR, PLAIN], ids=["RE2", "re"])
@given(st.lists(hostile, max_size=5))
def test_texts_together_are_read_as_each_alone(engine: Engine, texts: list[str]) -> None:
    """No text hides, makes or moves what is found in another, whatever its ends are."""
    alone = [
        (rule, n, spans) for n, one in enumerate(texts) for rule, _, spans in engine.search([one])
    ]
    together = list(engine.search(texts))
    assert sorted(together, key=place) == sorted(alone, key=place)


@pytest.mark.parametrize("engine", [LINEAR, PLAIN], ids=["RE2", "re"])
def test_payloads_together_are_read_as_each_alone(engine: Engine) -> None:
    """The same with what harms, beside what does not."""
    texts = [text.encode("utf-8", "replace").decode() for text in (*payloads(), *lessons())]
    alone = [
        (rule, n, spans) for n, one in enumerate(texts) for rule, _, spans in engine.search([one])
    ]
    assert sorted(engine.search(texts), key=place) == sorted(alone, key=place)


def place(hit: Hit) -> tuple[int, int]:
    rule, number, _ = hit
    return number, RULES.index(rule)


@pytest.mark.parametrize("engine", [LINEAR, PLAIN], ids=["RE2", "re"])
@pytest.mark.parametrize("text", ["~~~", "ls -l", "System: x"])
def test_a_match_at_the_beginning_begins_there(engine: Engine, text: str) -> None:
    """The line breaks between texts belong to none of them."""
    for number, texts in enumerate([[text], ["x", text], ["x", "", text, "x"]]):
        ((_, index, ((start, _),)),) = engine.search(texts)
        assert (index, start) == (number, 0)


def test_spans_are_of_characters() -> None:
    """RE2 counts bytes; a finding does not."""
    (hit,) = LINEAR.search(["é中\U0001f680 {{é}} é {{b}} ü"])
    assert hit[1:] == (0, [(4, 9), (12, 17)])


@given(hostile)
def test_a_hint_never_hides_a_match(text: str) -> None:
    """A rule that holds is not kept from running."""
    alone = {rule for rule, compiled in PLAIN._compiled.items() if compiled.search(text)}
    assert held(PLAIN, text) == alone


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

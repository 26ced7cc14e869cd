from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import pytest
from pydantic import AfterValidator, BaseModel, TypeAdapter, ValidationInfo

from rendercall.consumer.pydantic_plan import plan_of
from rendercall.consumer.reader import Reader
from rendercall.contract.args import read_args
from rendercall.contract.bounds import Bounds
from rendercall.contract.pydantic_check import PydanticCheck
from rendercall.contract.verdict import Verdict
from tests.consumer.documents import ROOMY, fragments
from tests.consumer.mutations import mutate
from tests.consumer.zoo import ADAPTER, GOOD, Zoo

MODES = {"strict": True, "own": None}
CHECKS = {name: PydanticCheck(ADAPTER, strict=strict) for name, strict in MODES.items()}
PLANS = {name: plan_of(ADAPTER, strict=strict) for name, strict in MODES.items()}


@dataclass
class Tally:
    """What was seen over many documents."""

    valid: int = 0
    invalid: int = 0
    final: int = 0
    early: int = 0
    where: list[float] = field(default_factory=list)
    late: Counter[Any] = field(default_factory=Counter)


def verdict_of(reader: Reader[Any], mode: str) -> Verdict[Any]:
    args = reader.finish()
    if args.state != "complete":
        return Verdict(args.state, issues=args.issues)
    return CHECKS[mode].check(args)


def judge(text: str, size: int, mode: str, tally: Tally) -> None:
    """Read a document, and hold what was known early against the final verdict."""
    args = read_args(text, ROOMY)
    final = CHECKS[mode].check(args)
    reader = Reader(PLANS[mode], ROOMY)
    first = None
    for number, piece in enumerate(fragments(text, size)):
        reader.feed(piece)
        if number % 50 == 0:
            repr(reader.snapshot())
        if reader.errors and first is None:
            first = number * size / len(text)
    early = {(issue.pointer, issue.code) for issue in reader.errors}
    verdict = verdict_of(reader, mode)
    assert verdict == final
    if final.state == "complete":
        tally.valid += 1
        assert not early, f"false alarm: {early} in {text}"
        return
    expected = {(issue.pointer, issue.code) for issue in final.issues}
    tally.invalid += 1
    tally.final += len(expected)
    tally.early += len(early & expected)
    tally.late.update(expected - early)
    if first is not None:
        tally.where.append(first)


def judge_many(count: int, seed: int) -> Tally:
    rng = random.Random(seed)  # noqa: S311 - test data
    tally = Tally()
    for _ in range(count):
        text = json.dumps(mutate(GOOD, rng), ensure_ascii=rng.random() < 0.5)
        judge(text, rng.choice([1, 3, 4, 20, 200]), rng.choice(list(MODES)), tally)
    return tally


@pytest.mark.parametrize("mode", MODES)
def test_the_zoo_itself_is_valid(mode: str) -> None:
    """The undamaged document is read without an issue; at its end all is typed."""
    reader = Reader(PLANS[mode], ROOMY)
    for piece in fragments(json.dumps(GOOD), 4):
        reader.feed(piece)
    verdict = verdict_of(reader, mode)
    assert not reader.errors
    assert isinstance(verdict.value, Zoo)
    partial = reader.partial
    for name in sorted(set(Zoo.model_fields) - {"with_info", "after_info", "omitted"}):
        assert getattr(partial, name) == getattr(verdict.value, name), name


def test_damaged_documents_are_judged_as_by_one_validation() -> None:
    """The verdict is that of one validation of the whole text, and no alarm is ever false.

    Nearly all errors are known before the end, and the first one evenly early or late.
    """
    tally = judge_many(400, seed=1)
    assert tally.valid > 20
    assert tally.early >= 0.95 * tally.final, tally.late.most_common(12)
    assert 0.25 < sorted(tally.where)[len(tally.where) // 2] < 0.6


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_many_damaged_documents_are_judged_as_by_one_validation() -> None:
    """The same over 25,000 documents."""
    tally = judge_many(25_000, seed=2)
    assert tally.early >= 0.95 * tally.final, tally.late.most_common(12)


def errors_after(model: Any, text: str, strict: bool | None = True) -> list[tuple[str, str]]:
    reader = Reader(plan_of(TypeAdapter(model), strict=strict), Bounds())
    reader.feed(text)
    return [(issue.pointer, issue.code) for issue in reader.errors]


EARLY = {
    "a wrong leaf": ('{"last":"x",', [("/last", "int_type")]),
    "a wrong enum": ('{"strict":{"k":"gamma"', [("/strict/k", "enum")]),
    "a forbidden key": ('{"closed":{"z":"', [("/closed/z", "extra_forbidden")]),
    "a forbidden key of a dataclass": ('{"data":{"z":[', [("/data/z", "unexpected_keyword_argument")]),
    "a missing key": ('{"closed":{"x":1}', [("/closed/y", "missing")]),
    "one item too many": ('{"limited":[1,2,3,', [("/limited", "too_long")]),
    "one item too few": ('{"limited":[]', [("/limited", "too_short")]),
    "a wrong container": ('{"closed":[]', [("/closed", "model_type")]),
    "a wrong item": ('{"rows":[{"x":1},{"x":"1"', [("/rows/1/x", "int_type")]),
    "an unknown tag": ('{"tag":{"kind":"other"', [("/tag", "union_tag_invalid")]),
    "a field before its tag": ('{"tag":{"body":1,"kind":"text"', [("/tag/body", "string_type")]),
    "a field after its tag": ('{"tag":{"kind":"text","body":1,', [("/tag/body", "string_type")]),
    "a rule between fields": ('{"after":{"lo":5,"hi":1}', [("/after", "value_error")]),
    "a rule on an item below": ('{"tree":{"kids":[{"name":"toolong"', [("/tree/kids/0/name", "string_too_long")]),
    "through an optional reference": ('{"tree":{"twin":{"name":1,', [("/tree/twin/name", "string_type")]),
    "a field that waits for others": ('{"with_info":{"n":1,"s":"abc"', []),
    "and is judged with them": ('{"with_info":{"n":1,"s":"abc"}', [("/with_info/s", "value_error")]),
    "items that are left out": ('{"omitted":[{"x":"bad"}],', []),
    "a forgiving field": ('{"forgiven":"x",', []),
    "an alias that another may overrule": ('{"aliased":{"geee":1,', []),
    "an integral float": ('{"last":7.0,"limited":[1.0],"choice":2.0,"rows":[{"x":1e0}],', []),
    "a float that is not integral": ('{"last":7.5,', [("/last", "int_type")]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), EARLY.values(), ids=EARLY.keys())
def test_errors_are_known_as_soon_as_they_are_definite(text: str, expected: Any) -> None:
    """An error is known when the leaf, or the object that decides it, closes."""
    assert errors_after(Zoo, text) == expected


def test_the_mode_in_force_decides() -> None:
    """`"7"` is no integer in strict mode, and one where the model's own mode is lax."""
    assert errors_after(Zoo, '{"last":"7",') == [("/last", "int_type")]
    assert errors_after(Zoo, '{"last":"7",', strict=None) == []


def test_a_validator_that_breaks_does_not_break_the_reading() -> None:
    """Any exception of a validator is left to the final check; the reading goes on."""
    assert errors_after(Broken, '{"a":{"x":1},"b":"no",') == [("/b", "int_type")]


class Breaking(BaseModel):
    x: int

    def model_post_init(self, context: Any) -> None:
        del context
        raise KeyError("x")


class Broken(BaseModel):
    a: Breaking
    b: int


@pytest.mark.parametrize("text", ['{"a":{"x":1,"y":2},', '{"b":[{"x":1,"y":2}],', '{"c":[1],'])
def test_what_such_a_validator_refused_is_not_shown(text: str) -> None:
    """Nor is anything made of it: looking never raises what a validator raised."""
    reader = Reader(plan_of(TypeAdapter(Holding)), Bounds())
    reader.feed(text)
    assert repr(reader.partial) in {
        "Holding(a=Held(x=1), …)",
        "Holding(b=[Held(x=1)], …)",
        "Holding(c=[], …)",
    }
    assert not reader.errors


def fail(value: int) -> int:
    raise LookupError(value)


class Held(BaseModel):
    x: int
    y: Annotated[int, AfterValidator(fail)]


class Holding(BaseModel):
    a: Held | None = None
    b: list[Held] = []
    c: list[Annotated[int, AfterValidator(fail)]] = []


def after_first(value: Any, info: ValidationInfo) -> Any:
    if "first" not in info.data:
        raise ValueError("it stands alone")
    return value


class Pair(NamedTuple):
    x: Annotated[int, AfterValidator(after_first)]


class Told(BaseModel):
    first: int
    pair: Pair | None = None
    word: Annotated[str, AfterValidator(after_first)] | None = None
    named: dict[Annotated[str, AfterValidator(after_first)], int] = {}


def test_a_validator_that_looks_around_is_not_run_alone() -> None:
    """Not within a named tuple or a key either, which have no data of their own."""
    assert errors_after(Told, '{"first":1,"pair":[2],"named":{"a":1},') == []
    assert errors_after(Told, '{"first":1,"pair":["x"],"word":"w"}') == []


def test_a_plan_serves_many_documents() -> None:
    """What one document held does not change how the next is judged."""
    plan = plan_of(TypeAdapter(Told))
    for text in ('{"word":"w",', '{"word":null,', '{"word":1,'):
        reader = Reader(plan, Bounds())
        reader.feed(text)
        assert bool(reader.errors) is (text == '{"word":1,')


def test_messages_quote_nothing() -> None:
    """What the model wrote is in no message."""
    reader = Reader(PLANS["strict"], Bounds())
    reader.feed('{"tag":{"kind":"SECRET"},"literal":"SECRET","strict":{"k":"SECRET","id":"SECRET",')
    assert len(reader.errors) == 4
    assert not any("SECRET" in issue.message for issue in reader.errors)

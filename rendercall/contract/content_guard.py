"""The last guard: what the strings of an answer could be taken for, and what is done about it.

Detection is for knowing. It does not make a text safe: an instruction to a model in plain
language looks like any other sentence, and no rule here finds one. What makes a text safe is
how it is put where it goes, see `rendercall.sinks`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Generic, TypeAlias, TypeVar

from rendercall.contract.args import Args
from rendercall.contract.content_policy import DEFAULT_POLICY, ContentPolicy
from rendercall.contract.finding import Action, Finding, TextKind
from rendercall.contract.text_engine import engine
from rendercall.contract.text_rule import Rule
from rendercall.contract.text_rules import RULES, UNSEEN
from rendercall.contract.texts import Batch, batches, readings
from rendercall.contract.unseen import unseen
from rendercall.contract.verdict import Checker, Verdict
from rendercall.errors import Issue

__all__ = ["MAX_OF_A_RULE", "ContentCheck", "guard_content"]

T = TypeVar("T")

MAX_OF_A_RULE = 64
"""How often one rule is told of one answer, for each action."""

_Named: TypeAlias = tuple[TextKind, str]
_Found: TypeAlias = tuple[TextKind, str, int, int]


def guard_content(value: Any, policy: ContentPolicy = DEFAULT_POLICY) -> tuple[Finding, ...]:
    """Find what the strings and keys of a value could be taken for.

    Args:
        value: plain JSON.
        policy: what is done about what.

    Returns:
        The findings, string by string, an object's keys first; the first `MAX_OF_A_RULE`
        of each rule and action. Linear in the text.
    """
    telling = _Telling(policy)
    for batch in batches(value):
        found = _found(batch.texts, telling.rules)
        for index in sorted(found):
            telling.tell(batch, index, found[index])
    return tuple(telling.findings)


def _found(texts: Sequence[str], among: Sequence[Rule]) -> Mapping[int, list[_Found]]:
    """What holds in texts, by their place in the list.

    A rule that holds only in what a text reads like is told of the whole text.
    """
    found = defaultdict[int, list[_Found]](list)
    plain = set[tuple[int, Rule]]()
    for rule, index, spans in engine().search(texts, among):
        plain.add((index, rule))
        if rule is UNSEEN:
            found[index].extend(unseen(texts[index]))
        else:
            found[index].extend((rule.kind, rule.name, start, end) for start, end in spans)
    for rule, index in _disguised(texts, plain, among):
        if (index, rule) not in plain:
            found[index].append((rule.kind, rule.name, 0, len(texts[index])))
    return found


def _disguised(
    texts: Sequence[str], plain: Collection[tuple[int, Rule]], among: Sequence[Rule] = RULES
) -> Iterator[tuple[Rule, int]]:
    """The rules that hold in what texts read like, where that is not how they are written."""
    if all(text.isascii() for text in texts):
        return
    read = dict(readings(texts, {index for index, rule in plain if rule is UNSEEN}))
    places = list(read)
    for rule, number, _ in engine().search([*read.values()], among) if read else ():
        if rule is not UNSEEN:
            yield rule, places[number]


def _may_hold(text: str) -> bool:
    """Whether a rule may hold in a string of a JSON text; where not, nobody need walk the value.

    Quotes become the line breaks that part the strings of a batch, then escapes are decoded.
    """
    if "\\" in text:
        parted = text.replace(r"\\", r"\u005c").replace(r"\"", r"\u0022").replace('"', r"\n\n")
        text = str(json.loads(f'"{parted}"', strict=False))
    else:
        text = text.replace('"', "\n\n")
    return any(True for _ in chain(engine().search([text]), _disguised([text], ())))


class _Telling:
    """The findings of one answer, with what the policy says, each rule a bounded number of times.

    Args:
        policy: what is done about what.

    Attributes:
        findings: so far.
        rules: those that are worth looking for still.
    """

    def __init__(self, policy: ContentPolicy) -> None:
        self.findings: list[Finding] = []
        self.rules: Sequence[Rule] = RULES
        self._policy = policy
        self._actions: dict[_Named, Action] = {}
        self._told = defaultdict[tuple[_Named, Action], int](int)

    @cached_property
    def _is_by_field(self) -> bool:
        return self._policy.is_by_field

    def tell(self, batch: Batch, index: int, found: Iterable[_Found]) -> None:
        """Add what was found in one string."""
        place = batch.pointer(index)
        for kind, rule, start, end in found:
            action = self._action(place, (kind, rule))
            self._told[(kind, rule), action] += 1
            if (told := self._told[(kind, rule), action]) <= MAX_OF_A_RULE:
                in_key = batch.in_key(index)
                self.findings.append(Finding(place, start, end, kind, rule, action, in_key))
            elif told == MAX_OF_A_RULE + 1 and not self._is_by_field:
                self.rules = [one for one in self.rules if (one.kind, one.name) != (kind, rule)]

    def _action(self, place: str, named: _Named) -> Action:
        if self._is_by_field:
            return self._policy.action(place, *named)
        if named not in self._actions:
            self._actions[named] = self._policy.action(place, *named)
        return self._actions[named]


class ContentCheck(Generic[T]):
    """A check of args, and after it the guard of what their strings say.

    Args:
        checker: the check by a schema.
        policy: what is done about findings.

    Attributes:
        inner: the check by a schema.
    """

    def __init__(self, checker: Checker[T], policy: ContentPolicy) -> None:
        self.inner = checker
        self._policy = policy
        self._last: tuple[str, tuple[Finding, ...]] = ("", ())

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the args."""
        return self.inner.schema

    def check(self, args: Args) -> Verdict[T]:
        """Judge `complete` args; a finding that the policy rejects makes them invalid."""
        verdict = self.inner.check(args)
        if verdict.state != "complete":
            return verdict
        findings = self._findings(args)
        issues = tuple(_issue(one) for one in findings if one.action == "reject")
        if issues:
            return Verdict("invalid", issues=issues, findings=findings)
        return Verdict("complete", verdict.value, (), verdict.notices, findings)

    def _findings(self, args: Args) -> tuple[Finding, ...]:
        """Those of the last answer are kept: the graph judges it, and then every reader."""
        text, findings = self._last
        if text != args.text:
            findings = guard_content(args.value, self._policy) if _may_hold(args.text) else ()
            self._last = (args.text, findings)
        return findings


def _issue(finding: Finding) -> Issue:
    where = "the key" if finding.in_key else "the text"
    message = f"{where} holds {_WORDS[finding.kind]} ({finding.rule}): write it without"
    return Issue(finding.pointer, "text", f"{finding.kind}.{finding.rule}", message)


_WORDS: dict[TextKind, str] = {
    "html": "markup or script",
    "url": "a dangerous URL",
    "markdown": "markdown that is not allowed here",
    "sql": "SQL",
    "shell": "a shell command",
    "prompt": "an instruction to a model",
    "chat_template": "a control token of a model",
    "unicode": "characters that nobody sees",
    "bidi": "overrides of the writing direction",
    "control": "control characters",
}

"""The last guard: what the strings of an answer could be taken for, and what is done about it.

Detection is for knowing. It does not make a text safe: an instruction to a model in plain
language looks like any other sentence, and no rule here finds one. What makes a text safe is
how it is put where it goes, see `rendercall.sinks`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeAlias, TypeVar
from unicodedata import is_normalized, normalize

from rendercall.contract.args import Args, pointer
from rendercall.contract.content_policy import DEFAULT_POLICY, ContentPolicy
from rendercall.contract.finding import Action, Finding, TextKind
from rendercall.contract.text_engine import engine
from rendercall.contract.text_rule import Rule
from rendercall.contract.text_rules import UNSEEN
from rendercall.contract.unseen import unseen, without_unseen
from rendercall.contract.verdict import Checker, Verdict
from rendercall.errors import Issue

__all__ = ["MAX_OF_A_RULE", "ContentCheck", "guard_content"]

T = TypeVar("T")

MAX_OF_A_RULE = 64
"""How often one rule is told of one answer, for each action."""

_Named: TypeAlias = tuple[TextKind, str]
_Found: TypeAlias = tuple[TextKind, str, int, int]
_Place: TypeAlias = tuple[Any, str | int] | None
"""A place in a value: the place around it, and the key or index there."""


def guard_content(value: Any, policy: ContentPolicy = DEFAULT_POLICY) -> tuple[Finding, ...]:
    """Find what the strings and keys of a value could be taken for.

    Args:
        value: plain JSON.
        policy: what is done about what.

    Returns:
        The findings, string by string, an object's keys first; the first `MAX_OF_A_RULE`
        of each rule and action. Linear in the text.
    """
    texts = list(_texts(value))
    plain = [_plain(text) for _, text, _ in texts]
    whole = [text for _, text, _ in texts]
    disguises = [one for one, text in zip(plain, whole, strict=True) if one is not text]
    rules = _holding("\n\n".join([*whole, *disguises]))
    if not rules:
        return ()
    telling = _Telling(policy, rules)
    for (place, text, in_key), reading in zip(texts, plain, strict=True):
        found = list(_shapes(text, telling.rules))
        if reading is not text:
            found += _disguised(text, reading, telling.rules)
        if found:
            telling.tell(_pointer(place), found, in_key=in_key)
    return tuple(telling.findings)


@lru_cache(maxsize=64)
def _holding(text: str) -> Sequence[Rule]:
    """The rules that hold in a text. One answer is judged by the graph and by every reader."""
    return engine().matching(text)


@lru_cache(maxsize=64)
def _may_hold(text: str) -> bool:
    """Whether a rule may hold in a string of a JSON text; where not, nobody need walk the value.

    Without a backslash every string stands in the text as it is; its quotes become the breaks
    that `guard_content` puts between strings.
    """
    if "\\" in text:
        return True
    text = text.replace('"', "\n\n")
    reading = _plain(text)
    return bool(_holding(text if reading is text else f"{text}\n\n{reading}"))


class _Telling:
    """The findings of one answer, with what the policy says, each rule a bounded number of times.

    Args:
        policy: what is done about what.
        rules: those that hold somewhere in the answer.

    Attributes:
        findings: so far.
        rules: those that are worth looking for still.
    """

    def __init__(self, policy: ContentPolicy, rules: Sequence[Rule]) -> None:
        self.findings: list[Finding] = []
        self.rules = rules
        self._policy = policy
        self._is_by_field = policy.is_by_field
        self._actions: dict[_Named, Action] = {}
        self._told: Counter[tuple[_Named, Action]] = Counter()

    def tell(self, place: str, found: Iterable[_Found], *, in_key: bool) -> None:
        """Add what was found in one string."""
        for kind, rule, start, end in found:
            action = self._action(place, (kind, rule))
            self._told[(kind, rule), action] += 1
            if self._told[(kind, rule), action] <= MAX_OF_A_RULE:
                self.findings.append(Finding(place, start, end, kind, rule, action, in_key))
            elif not self._is_by_field:
                self.rules = [one for one in self.rules if (one.kind, one.name) != (kind, rule)]

    def _action(self, place: str, named: _Named) -> Action:
        if self._is_by_field:
            return self._policy.action(place, *named)
        if named not in self._actions:
            self._actions[named] = self._policy.action(place, *named)
        return self._actions[named]


def _texts(value: Any) -> Iterator[tuple[_Place, str, bool]]:
    """Every string of a value and every key, never recursing; a path is made where one is told."""
    waiting: list[tuple[_Place, Any]] = [(None, value)]
    while waiting:
        place, node = waiting.pop()
        if isinstance(node, str):
            yield place, _encodable(node), False
        elif isinstance(node, dict):
            for key in node:
                yield (place, key), _encodable(key), True
            waiting += [((place, key), one) for key, one in reversed(node.items())]
        elif isinstance(node, list):
            waiting += [((place, index), node[index]) for index in range(len(node) - 1, -1, -1)]


def _pointer(place: _Place) -> str:
    keys: list[str | int] = []
    while place is not None:
        place, key = place
        keys.append(key)
    return pointer(tuple(reversed(keys)))


def _encodable(text: str) -> str:
    """A text that any engine takes: halves of surrogate pairs become noncharacters, as bad."""
    return text if text.isascii() else _SURROGATES.sub("\uffff", text)


_SURROGATES = re.compile("[\ud800-\udfff]")


def _shapes(text: str, among: Sequence[Rule]) -> Iterator[_Found]:
    """The rules that hold in a text as it stands, and where."""
    for rule in engine().matching(text, among) if among else ():
        if rule is UNSEEN:
            yield from unseen(text)
        else:
            for start, end in engine().spans(rule, text):
                yield rule.kind, rule.name, start, end


def _disguised(text: str, reading: str, among: Sequence[Rule]) -> Iterator[_Found]:
    """The rules that hold only in what a text reads like."""
    seen = {*engine().matching(text, among), UNSEEN}
    for rule in engine().matching(reading, among):
        if rule not in seen:
            yield rule.kind, rule.name, 0, len(text)


def _plain(text: str) -> str:
    """A text as it reads: compatible characters replaced, hidden ones left out."""
    if text.isascii():
        return text
    shown = without_unseen(text)
    shown = text if len(shown) == len(text) else shown
    return shown if is_normalized("NFKC", shown) else normalize("NFKC", shown)


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

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the args."""
        return self.inner.schema

    def check(self, args: Args) -> Verdict[T]:
        """Judge `complete` args; a finding that the policy rejects makes them invalid."""
        verdict = self.inner.check(args)
        if verdict.state != "complete":
            return verdict
        findings = guard_content(args.value, self._policy) if _may_hold(args.text) else ()
        issues = tuple(_issue(one) for one in findings if one.action == "reject")
        if issues:
            return Verdict("invalid", issues=issues, findings=findings)
        return Verdict("complete", verdict.value, (), verdict.notices, findings)


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

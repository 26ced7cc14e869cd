"""What is done about a finding: by field and by the place where the field is shown or used.

The default lets lessons about attacks be lessons. It rejects only what none of them holds:
characters that nobody sees and that steer what is seen. The rest is known (`flag`), or made
harmless where it goes (`escape`): the functions of `rendercall.sinks` do that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from rendercall.contract.finding import Action, TextKind
from rendercall.contract.unseen import SERIOUS
from rendercall.errors import ToolDefinitionError

__all__ = ["DEFAULT_POLICY", "DEFAULT_ROWS", "ContentPolicy", "Row", "Sink"]

Sink: TypeAlias = Literal[
    "html_text", "html_rich", "markdown", "terminal", "sql", "shell", "model_context"
]
"""Where a text goes; each has its function in `rendercall.sinks`."""

_ANY: Literal["*"] = "*"
_STRENGTH: Mapping[Action, int] = {"flag": 0, "escape": 1, "reject": 2}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a policy: which findings, and what is done about them.

    Attributes:
        kind: of the finding; `*` is any.
        action: what is done.
        rule: of the finding; `*` is any.
        field: where: a JSON Pointer in which a step `*` is any key or index, and a last step
            `**` is everything below. `*` alone is every field.
        sink: where the field goes; `*` is anywhere.
    """

    kind: TextKind | Literal["*"]
    action: Action
    rule: str = _ANY
    field: str = _ANY
    sink: Sink | Literal["*"] = _ANY

    def __post_init__(self) -> None:
        """Refuse a word that would never match."""
        for word, known in (
            (self.kind, (_ANY, *get_args(TextKind))),
            (self.action, get_args(Action)),
            (self.sink, (_ANY, *get_args(Sink))),
        ):
            if word not in known:
                raise ToolDefinitionError(f"{word!r} is none of {', '.join(known)}")
        _field_pattern(self.field)

    def holds(self, pointer: str, sink: Sink, kind: TextKind, rule: str) -> bool:
        """Whether the row is about a finding."""
        return (
            self.kind in {_ANY, kind}
            and self.rule in {_ANY, rule}
            and self.sink in {_ANY, sink}
            and _field_pattern(self.field).fullmatch(pointer) is not None
        )


@lru_cache(1_024)
def _field_pattern(pattern: str) -> re.Pattern[str]:
    if pattern == _ANY:
        return re.compile(".*", re.DOTALL)
    if pattern and not pattern.startswith("/"):
        raise ToolDefinitionError(f"the field {pattern!r} is no JSON Pointer: begin it with /")
    *above, last = pattern.split("/")
    steps = ["[^/]*" if step == _ANY else re.escape(step) for step in (*above, last)]
    if last == "**":
        return re.compile("/".join(steps[:-1]) + "(?:/.*)?", re.DOTALL)
    return re.compile("/".join(steps), re.DOTALL)


_READERS: tuple[Sink, ...] = ("html_text", "html_rich", "markdown")

DEFAULT_ROWS: tuple[Row, ...] = (
    *(Row(kind, "reject", rule, sink=sink) for kind, rule in sorted(SERIOUS) for sink in _READERS),
    Row("unicode", "escape"),
    Row("bidi", "escape"),
    Row("control", "escape"),
    *(Row("html", "escape", sink=sink) for sink in _READERS),
    Row("url", "escape", sink="html_rich"),
    Row("url", "escape", sink="markdown"),
    Row("markdown", "escape", "remote_image", sink="markdown"),
    Row("chat_template", "escape", sink="model_context"),
    Row("sql", "escape", sink="sql"),
    Row("shell", "escape", sink="shell"),
    Row(_ANY, "flag"),
)
"""What holds where a policy says nothing of its own. The first row that holds decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentPolicy:
    """What is done about findings in an answer.

    Attributes:
        rows: one's own, before `DEFAULT_ROWS`; the first row that holds decides.
        sinks: where fields go, by field as in `Row.field`; the first that matches decides,
            and `html_text` where none does. A field that goes to several gets the strongest
            of their actions.

    Example:
        ```python
        ContentPolicy(
            rows=(Row("prompt", "reject", field="/title"),),
            sinks={"/lessons/*/body": ("markdown",)},
        )
        ```
    """

    rows: tuple[Row, ...] = ()
    sinks: Mapping[str, tuple[Sink, ...]] = field(default_factory=dict[str, tuple[Sink, ...]])

    def __post_init__(self) -> None:
        """Refuse a sink that there is not, and a field that is no pointer."""
        for pattern, sinks in self.sinks.items():
            _field_pattern(pattern)
            for sink in sinks:
                if sink not in get_args(Sink):
                    raise ToolDefinitionError(f"there is no sink {sink!r}")

    @property
    def is_by_field(self) -> bool:
        """Whether it matters where a finding is."""
        return bool(self.sinks) or any(row.field != _ANY for row in self.rows)

    def action(self, pointer: str, kind: TextKind, rule: str, sink: Sink | None = None) -> Action:
        """What is done about a finding.

        Args:
            pointer: the field.
            kind: of the finding.
            rule: of the finding.
            sink: where the field goes now; None takes the sinks that the policy names for it.
        """
        sinks = (sink,) if sink else self._sinks_of(pointer)
        strongest: Action = "flag"
        for one in sinks:
            action = self._action(pointer, one, kind, rule)
            if _STRENGTH[action] > _STRENGTH[strongest]:
                strongest = action
        return strongest

    def _action(self, pointer: str, sink: Sink, kind: TextKind, rule: str) -> Action:
        return next(row.action for row in self._every() if row.holds(pointer, sink, kind, rule))

    def _every(self) -> Iterator[Row]:
        yield from self.rows
        yield from DEFAULT_ROWS

    def _sinks_of(self, pointer: str) -> tuple[Sink, ...]:
        for pattern, sinks in self.sinks.items():
            if _field_pattern(pattern).fullmatch(pointer):
                return sinks
        return ("html_text",)


DEFAULT_POLICY = ContentPolicy()
"""Every field as text in a page."""

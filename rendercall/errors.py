"""One tree of errors. Each carries data, and says what was wrong, where, and what to do.

```
RenderCallError
├── ToolDefinitionError   a render tool cannot be made from what was given
│   └── SchemaRefused     its JSON Schema broke the limits, or is none
├── GraphDefinitionError  a graph cannot be built from what was given
│   └── SkillRefused      a skill breaks the rules, or clashes with another one
├── RenderNotOk           `Rendered.require()` on anything but an `ok` result
├── StateError            a thread's messages were stored in a way that loses tool calls
├── ModelError            a chat model could not be found, started or used
├── ProjectError          the working directory's langgraph.json is missing or wrong
├── ToolFailed            an ordinary tool failed; it is `rendercall.results.tool_error`'s
└── MissingExtra          an optional dependency is not installed
```

What the *model* wrote wrong is never an exception: it is an `Issue` in a result.
No message here quotes a value that a model or a user wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Literal, TypeAlias

__all__ = [
    "GraphDefinitionError",
    "Issue",
    "IssueKind",
    "Layer",
    "MissingExtra",
    "ModelError",
    "ProjectError",
    "RenderCallError",
    "RenderNotOk",
    "SchemaRefused",
    "SkillRefused",
    "StateError",
    "ToolDefinitionError",
    "import_extra",
]

IssueKind: TypeAlias = Literal[
    "tool_schema",
    "json_syntax",
    "not_object",
    "empty_args",
    "bounds",
    "schema",
    "check",
    "text",
    "truncated",
    "content_filter",
    "refusal",
    "provider_malformed_call",
    "empty_message",
    "not_shown",
    "aborted",
    "tool_output",
]
"""What was found: in a tool's schema, in the args' JSON and bounds, by the schema, by a tool's own
check, in the text, by the provider's own report, or in what an ordinary tool gave."""

Layer: TypeAlias = Literal["schema", "args", "value", "text", "provider", "run", "output"]
"""The layer that refused:

- `schema`: the first guard, of a tool's own JSON Schema.
- `args`: the JSON of a call's args and the bounds on it.
- `value`: the check of the args by the schema, and the tool's own check after it.
- `text`: the last guard, of what the strings say.
- `provider`: the model's message itself was cut, filtered, refused, empty or malformed.
- `run`: the graph did not show the call, or was stopped.
- `output`: the check of an ordinary tool's structured result.
"""

_LAYERS: dict[IssueKind, Layer] = {
    "tool_schema": "schema",
    "json_syntax": "args",
    "not_object": "args",
    "empty_args": "args",
    "bounds": "args",
    "schema": "value",
    "check": "value",
    "text": "text",
    "truncated": "provider",
    "content_filter": "provider",
    "refusal": "provider",
    "provider_malformed_call": "provider",
    "empty_message": "provider",
    "not_shown": "run",
    "aborted": "run",
    "tool_output": "output",
}


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is wrong with an answer.

    Attributes:
        pointer: where, as a JSON Pointer (RFC 6901); `""` is the whole answer.
        kind: what was found.
        code: the rule that was broken, e.g. `greater_than`, `missing`, `duplicate_key`.
        message: what was expected, in words; it holds no value of the answer.
    """

    pointer: str
    kind: IssueKind
    code: str
    message: str

    @property
    def layer(self) -> Layer:
        """The layer that found it."""
        return _LAYERS[self.kind]

    def to_json(self) -> dict[str, str]:
        """Its fields and its layer, for programs in other languages."""
        return {
            "pointer": self.pointer,
            "kind": self.kind,
            "layer": self.layer,
            "code": self.code,
            "message": self.message,
        }

    def __str__(self) -> str:
        whole = "(whole schema)" if self.kind == "tool_schema" else "(whole answer)"
        return f"{self.pointer or whole}: {self.message}"


class RenderCallError(Exception):
    """Root of every error that rendercall raises on its own account."""


class ToolDefinitionError(RenderCallError, ValueError):
    """A render tool cannot be made from what was given.

    Attributes:
        issues: every finding, with a pointer into the schema where there is one.
    """

    def __init__(self, message: str, issues: Sequence[Issue] = ()) -> None:
        super().__init__(message)
        self.issues = tuple(issues)


class SchemaRefused(ToolDefinitionError):  # noqa: N818 - reads as what it says
    """A tool's JSON Schema broke the limits, or is no schema; the first guard says so.

    Its `issues` list every finding.
    """


class GraphDefinitionError(RenderCallError, ValueError):
    """A graph cannot be built from what was given."""


class SkillRefused(GraphDefinitionError):  # noqa: N818 - reads as what it says
    """A skill breaks the rules, or clashes with what is there already.

    Attributes:
        issues: every finding, where the guards of its schemas or of its text made them.
    """

    def __init__(self, message: str, issues: Sequence[Issue] = ()) -> None:
        super().__init__(message)
        self.issues = tuple(issues)


class RenderNotOk(RenderCallError):  # noqa: N818 - reads as what it says where it is caught
    """A value was required of a result that has none.

    Attributes:
        status: the result's status, never `ok`.
        issues: the result's errors.
    """

    def __init__(self, message: str, status: str, issues: Sequence[Issue] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.issues = tuple(issues)


class StateError(RenderCallError):
    """A thread's messages were stored in a way that loses tool calls; the message says which."""


class ModelError(RenderCallError):
    """A chat model could not be found, started or used; the message says what to do."""


class ProjectError(RenderCallError):
    """The working directory's langgraph.json is missing or names what cannot be loaded."""


class MissingExtra(RenderCallError, ImportError):  # noqa: N818 - same
    """An optional dependency is not installed.

    Attributes:
        extra: the extra that brings it, as in `pip install 'rendercall[extra]'`.
    """

    def __init__(self, module: str, extra: str) -> None:
        super().__init__(
            f"{module} is not installed. Install it with: pip install 'rendercall[{extra}]'"
        )
        self.extra = extra


def import_extra(module: str, extra: str) -> ModuleType:
    """Import an optional module where it is used.

    Raises:
        MissingExtra: it is not installed; the error names the extra.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if module.partition(".")[0] == (error.name or "").partition(".")[0]:
            raise MissingExtra(module, extra) from None
        raise

"""One tree of errors. Each carries data, and says what was wrong, where, and what to do.

```
RenderCallError
├── ToolDefinitionError   a render tool cannot be made from what was given
├── GraphDefinitionError  a graph cannot be built from what was given
├── RenderNotOk           `Rendered.require()` on anything but an `ok` result
├── StateError            a thread's messages were stored in a way that loses tool calls
├── ModelError            a chat model could not be found, started or used
├── ProjectError          the working directory's langgraph.json is missing or wrong
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
    "MissingExtra",
    "ModelError",
    "ProjectError",
    "RenderCallError",
    "RenderNotOk",
    "StateError",
    "ToolDefinitionError",
    "import_extra",
]

IssueKind: TypeAlias = Literal[
    "json_syntax",
    "not_object",
    "empty_args",
    "bounds",
    "schema",
    "truncated",
    "content_filter",
    "refusal",
    "provider_malformed_call",
    "empty_message",
    "not_shown",
    "aborted",
]
"""The layer that refused: text, bounds, schema, or the provider's own report."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is wrong with an answer.

    Attributes:
        pointer: where, as a JSON Pointer (RFC 6901); `""` is the whole answer.
        kind: the layer that found it.
        code: the rule that was broken, e.g. `greater_than`, `missing`, `duplicate_key`.
        message: what was expected, in words; it holds no value of the answer.
    """

    pointer: str
    kind: IssueKind
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer or '(whole answer)'}: {self.message}"


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


class GraphDefinitionError(RenderCallError, ValueError):
    """A graph cannot be built from what was given."""


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

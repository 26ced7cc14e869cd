"""The render tool: what a model may show, and the check of what it wrote."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Generic, Literal, TypeVar, overload

from pydantic import TypeAdapter

from rendercall.contract.args import Args, read_args
from rendercall.contract.bounds import MAX_DEPTH, Bounds
from rendercall.contract.content_guard import ContentCheck
from rendercall.contract.content_policy import DEFAULT_POLICY, ContentPolicy
from rendercall.contract.mend import Mend, Mender
from rendercall.contract.provider_forms import ProviderForms
from rendercall.contract.provider_schema import ProviderSchema, RestoringCheck
from rendercall.contract.pydantic_check import PydanticCheck
from rendercall.contract.schema_check import SchemaCheck
from rendercall.contract.schema_limits import OWN, SchemaLimits
from rendercall.contract.sent_nulls import SentNulls
from rendercall.contract.shown_type import (
    adapter_of,
    description_of,
    name_of,
    refuse_other_than_object,
)
from rendercall.contract.targets import RULES, Target, TargetRules, rules_of
from rendercall.contract.value_check import Check, ValueCheck
from rendercall.contract.verdict import Checker, Verdict
from rendercall.errors import ToolDefinitionError

__all__ = ["RenderTool"]

T = TypeVar("T")

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Tool names that every provider takes (OpenAI API reference, `function.name`)."""


class RenderTool(Generic[T]):
    """A display-only tool: the args of its call are the structured answer.

    The model calls it to show something; it is never executed. Its call ends the run.

    Args:
        model: a Pydantic model, TypedDict, dataclass, or any type or `TypeAdapter` whose
            JSON form is an object.
        name: what the model calls; `render_` and the class name in snake case by default.
        description: what the model reads about it; the class docstring by default.
        strict: True checks in strict JSON mode: `"20"` is not 20, `true` is not 1. None
            follows the model's own configuration.
        bounds: size limits on the args, checked before the schema.
        mend: None takes an answer as it is. "lossless" mends its syntax and packaging where
            that loses and guesses nothing (fences, chatter, double encoding, trailing
            commas ...); each change is a notice. A cut-off is never mended.
        content: what is done about findings in the text of an answer.
        check: what the schema cannot know, e.g. whether a cited record exists: it is called with
            every valid value and returns what is wrong with it. Its issues make the answer
            invalid, and the model is told of them. Readers need the same check as the graph.
        target: for which provider the schema is written that the model gets, see
            `rendercall.contract.targets`; or a target's rules with other limits. "portable" is
            for every provider's ordinary mode, "auto" for the strict mode of the provider in
            use, where that can take the schema. Whatever a provider cannot enforce is enforced
            here. Readers need the same target as the graph.

    Attributes:
        name: the tool's name.
        description: the tool's description.
        bounds: the limits.
        mend: how answers are mended.
        content: the policy for findings.
        target: the rules for the schema that is sent, or "auto".
        nulls: which nulls of an answer mean that a key is not there; None where none does.

    Raises:
        ToolDefinitionError: the type is no object, has no JSON Schema, the name is not
            `[a-zA-Z0-9_-]{1,64}`, or there is no such `mend` or `target`.
        SchemaRefused: the target cannot take the schema, the name or the description.

    Example:
        ```python
        plan_tool = RenderTool(LearningPlan)  # "render_learning_plan"
        ```
    """

    __slots__ = (
        "__weakref__", "_checker", "_forms", "_mender", "_restoring", "bounds", "content",
        "description", "mend", "name", "nulls", "target",
    )  # fmt: skip

    name: str
    description: str
    bounds: Bounds
    mend: Mend | None
    content: ContentPolicy
    target: TargetRules | Literal["auto"]
    _checker: ContentCheck[T]
    nulls: SentNulls | None
    _restoring: Checker[T]
    _mender: Mender[T] | None
    _forms: ProviderForms

    @overload
    def __init__(
        self,
        model: type[T],
        *,
        name: str | None = ...,
        description: str | None = ...,
        strict: bool | None = ...,
        bounds: Bounds = ...,
        mend: Mend | None = ...,
        content: ContentPolicy = ...,
        check: Check[T] | None = ...,
        target: Target | TargetRules | Literal["auto"] = ...,
    ) -> None: ...

    @overload
    def __init__(
        self,
        model: TypeAdapter[T],
        *,
        name: str,
        description: str | None = ...,
        strict: bool | None = ...,
        bounds: Bounds = ...,
        mend: Mend | None = ...,
        content: ContentPolicy = ...,
        check: Check[T] | None = ...,
        target: Target | TargetRules | Literal["auto"] = ...,
    ) -> None: ...

    def __init__(
        self,
        model: type[T] | TypeAdapter[T],
        *,
        name: str | None = None,
        description: str | None = None,
        strict: bool | None = True,
        bounds: Bounds | None = None,
        mend: Mend | None = None,
        content: ContentPolicy = DEFAULT_POLICY,
        check: Check[T] | None = None,
        target: Target | TargetRules | Literal["auto"] = "portable",
    ) -> None:
        self.name = name or name_of(model)
        self.description = description or description_of(model)
        checker = PydanticCheck(adapter_of(model), strict=strict)
        self._fill(checker, bounds or Bounds(), mend, content, target, check=check)

    @classmethod
    def from_json_schema(
        cls,
        name: str,
        description: str,
        schema: dict[str, Any],
        *,
        envelope: bool = False,
        limits: SchemaLimits = OWN,
        bounds: Bounds | None = None,
        mend: Mend | None = None,
        content: ContentPolicy = DEFAULT_POLICY,
        check: Check[dict[str, Any]] | None = None,
        target: Target | TargetRules | Literal["auto"] = "portable",
    ) -> RenderTool[dict[str, Any]]:
        """Make a render tool from a raw JSON Schema; its values are plain dicts.

        Args:
            name: what the model calls, as it is: no prefix is added.
            description: what the model reads about it.
            schema: the schema of the args, draft 2020-12 unless `$schema` says otherwise.
                References stay inside it: nothing is ever fetched.
            envelope: whether the schema is of a part, `data`, beside which the model writes a
                one-sentence `summary`; it may then describe any JSON, not only an object.
            limits: what the schema may cost and ask for: `OWN`, or `GUEST` where others wrote
                it, or your own.
            bounds: size limits on the args. Where the schema contains itself, values may nest
                no deeper than `limits.max_depth`.
            mend: None, or "lossless"; see the class.
            content: what is done about findings in the text of an answer.
            check: what the schema cannot know; see the class.
            target: for which provider the sent schema is written; see the class.

        Raises:
            SchemaRefused: the schema breaks the limits, is not valid, or refers outside itself,
                or the target cannot take it; every finding is listed.
            ToolDefinitionError: it does not describe an object, or as for the class.
        """
        bounds = bounds or Bounds()
        if len(description) > limits.max_text:
            raise ToolDefinitionError(f"the description of {name} is over {limits.max_text}")
        checker = SchemaCheck(schema, limits, envelope=envelope)
        if checker.is_recursive:
            max_depth = min(bounds.max_depth, limits.max_depth + envelope)
            bounds = replace(bounds, max_depth=max_depth)
        tool: RenderTool[dict[str, Any]] = RenderTool.__new__(RenderTool)
        tool.name, tool.description = name, description
        tool._fill(checker, bounds, mend, content, target, check=check)
        return tool

    def _fill(
        self,
        checker: Checker[T],
        bounds: Bounds,
        mend: Mend | None,
        content: ContentPolicy,
        target: Target | TargetRules | Literal["auto"],
        *,
        check: Check[T] | None,
    ) -> None:
        if not _NAME.fullmatch(self.name):
            raise ToolDefinitionError(
                f"the tool name {self.name!r} is not [a-zA-Z0-9_-]{{1,64}}: pass name="
            )
        refuse_other_than_object(self.name, checker.schema, raw=isinstance(checker, SchemaCheck))
        if mend not in {None, "lossless"}:
            raise ToolDefinitionError('mend is None or "lossless"')
        if bounds.max_depth > MAX_DEPTH:
            raise ToolDefinitionError(f"bounds.max_depth is over {MAX_DEPTH}: validators recurse")
        self.bounds = bounds
        self.mend = mend
        self.content = content
        if isinstance(target, str) and target not in (*RULES, "auto"):
            raise ToolDefinitionError(f"target is one of {', '.join(RULES)}, auto")
        self._checker = ContentCheck(checker, content)
        fills = isinstance(checker, PydanticCheck)
        self._forms = ProviderForms(
            checker.schema, self.name, self.description, with_defaults=not fills
        )
        self.target = "auto" if target == "auto" else rules_of(target)
        read = self._forms.read_as(self.target)
        self.nulls = read.nulls
        whole = ValueCheck(self._checker, check) if check else self._checker
        self._restoring = RestoringCheck(whole, read) if read.nulls else whole
        self._mender = Mender(self.name, self._restoring, bounds) if mend else None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the args."""
        return self._checker.schema

    @property
    def checker(self) -> Checker[T]:
        """What checks the args: `PydanticCheck` or `SchemaCheck`."""
        return self._checker.inner

    def sent(self, target: Target | TargetRules) -> ProviderSchema:
        """The tool as a target takes it; made once.

        Raises:
            SchemaRefused: the target cannot take it; every reason is listed.
        """
        return self._forms.of(target)

    def spec(self) -> dict[str, Any]:
        """The tool as `bind_tools` takes it, in OpenAI's function format, for its target."""
        return self.sent("portable" if self.target == "auto" else self.target).spec()

    def validate(self, text: str) -> Verdict[T]:
        """Judge the raw text of a call's args: bounds, schema, text, and mending if it is on.

        Args:
            text: the args as the model wrote them, JSON.

        Returns:
            The value, or every error. It never raises on any text.
        """
        return self.judge(read_args(text, self.bounds))

    def judge(self, args: Args) -> Verdict[T]:
        """As `validate`, of args that `read_args` has read within the tool's bounds."""
        verdict: Verdict[T] = Verdict(args.state, issues=args.issues)
        if args.state == "complete":
            verdict = self._restoring.check(args)
        return self._mender.mended(args, verdict) if self._mender else verdict

    def __repr__(self) -> str:
        return f"RenderTool({self.name!r}, {', '.join(self.schema.get('properties', {}))})"

"""A tool's schema in the form that a provider takes, and the way back from it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from rendercall.contract.args import Args
from rendercall.contract.sent_nulls import SentNulls
from rendercall.contract.target_lint import lint_schema, lint_tool
from rendercall.contract.target_rewrite import Rewriter
from rendercall.contract.targets import Target, TargetRules, rules_of
from rendercall.contract.verdict import Checker, Verdict
from rendercall.errors import SchemaRefused

__all__ = ["ProviderSchema", "RestoringCheck"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProviderSchema:
    """A tool as one target takes it.

    Attributes:
        rules: the target's.
        name: the tool's name.
        description: the tool's description.
        parameters: the schema to send.
        nulls: which nulls of an answer mean absence; None where none does.
        wrapped: the key of the object that was put around a root that is no object; None where
            the root is one.
    """

    rules: TargetRules
    name: str
    description: str
    parameters: dict[str, Any]
    nulls: SentNulls | None = None
    wrapped: str | None = None

    @classmethod
    def of(
        cls,
        schema: dict[str, Any],
        target: Target | TargetRules,
        name: str,
        description: str,
        *,
        with_defaults: bool = True,
    ) -> ProviderSchema:
        """Rewrite a tool's schema for a target.

        A schema that the target takes as it is stays as it is. References stay where they may;
        objects are closed, optional keys become nullable, unions become `anyOf`, and what the
        target does not know is told in the description, where the target asks for that.
        Whatever it no longer says is still enforced by the tool's own check.

        Args:
            schema: a valid JSON Schema; it is not changed.
            target: for whom, or its rules with other limits.
            name: the tool's name.
            description: the tool's description, which is never cut.
            with_defaults: whether a null that means absence stands for the schema's `default`;
                false where the tool's check fills defaults itself.

        Raises:
            SchemaRefused: the target cannot take what the schema says; every reason is listed.
        """
        rules = rules_of(target)
        issues = [*lint_tool(name, description, rules)]
        if not issues and not lint_schema(schema, rules):
            return cls(rules, name, description, schema)
        written = Rewriter(schema, rules)
        issues += lint_schema(written.schema, rules)
        if issues:
            listed = "; ".join(f"{issue} [{issue.code}]" for issue in issues)
            raise SchemaRefused(f"{rules.name} cannot take the schema of {name}: {listed}", issues)
        nulls: SentNulls | None = None
        if written.nullable:
            nulls = SentNulls(written.reading, written.nullable, with_defaults=with_defaults)
        return cls(rules, name, description, written.schema, nulls, written.wrapped)

    def spec(self) -> dict[str, Any]:
        """The tool in OpenAI's function format, as every `bind_tools` takes it."""
        parameters = {key: one for key, one in self.parameters.items() if key != "description"}
        strict = {"strict": True} if self.rules.strict else {}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": {**function, **strict}}

    def restored(self, args: Args) -> Args:
        """An answer to this schema as the tool's own schema has it.

        Args:
            args: `complete` args, as the model wrote them.

        Returns:
            The same where nothing was written for this schema alone; else without the nulls
            that mean absence, each a notice, and without the object around a root that is none.
        """
        value: Any = args.value
        notices = args.notices
        if self.nulls is not None:
            kept, found = self.nulls.restored(value)
            value = kept if found else value
            notices = (*found, *notices)
        if self.wrapped is not None and value.keys() == {self.wrapped}:
            value = value[self.wrapped]
        if value is args.value:
            return args
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return replace(args, text=text, value=value, notices=notices)


class RestoringCheck(Generic[T]):
    """A check of args that were written for a provider's schema.

    Args:
        inner: the check by the tool's own schema.
        sent: the schema that was sent.
    """

    def __init__(self, inner: Checker[T], sent: ProviderSchema) -> None:
        self._inner = inner
        self._sent = sent

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the args: the tool's own."""
        return self._inner.schema

    def check(self, args: Args) -> Verdict[T]:
        """Judge `complete` args."""
        return self._inner.check(self._sent.restored(args))

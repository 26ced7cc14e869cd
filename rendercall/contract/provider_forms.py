"""One tool's schema in the forms of every target, each made once."""

from __future__ import annotations

from typing import Any, Literal

from rendercall.contract.provider_schema import ProviderSchema
from rendercall.contract.targets import Target, TargetRules, rules_of
from rendercall.errors import SchemaRefused

__all__ = ["ProviderForms"]


class ProviderForms:
    """The forms in which a tool is sent, and the one by which its answers are read.

    Args:
        schema: the tool's own.
        name: the tool's name.
        description: the tool's description.
        with_defaults: see `ProviderSchema.of`.
    """

    __slots__ = ("_made", "description", "name", "schema", "with_defaults")

    def __init__(
        self, schema: dict[str, Any], name: str, description: str, *, with_defaults: bool
    ) -> None:
        self.schema = schema
        self.name = name
        self.description = description
        self.with_defaults = with_defaults
        self._made: dict[TargetRules, ProviderSchema] = {}

    def of(self, target: Target | TargetRules) -> ProviderSchema:
        """The tool as a target takes it.

        Raises:
            SchemaRefused: the target cannot take it; every reason is listed.
        """
        rules = rules_of(target)
        if rules not in self._made:
            self._made[rules] = ProviderSchema.of(
                self.schema, rules, self.name, self.description, with_defaults=self.with_defaults
            )
        return self._made[rules]

    def read_as(self, target: TargetRules | Literal["auto"]) -> ProviderSchema:
        """The form by which answers are read: of "auto", the only one in which nulls may come.

        Raises:
            SchemaRefused: the target cannot take it; of "auto", no target can.
        """
        if target != "auto":
            return self.of(target)
        portable = self.of("portable")
        try:
            return self.of("openai_strict")
        except SchemaRefused:
            return portable

"""What each provider takes as a tool's schema: one table of rules for each target.

Sources, read in 2026: OpenAI's guide "Structured Outputs", section "Supported schemas"
(developers.openai.com/api/docs/guides/structured-outputs); Anthropic's "Structured outputs",
section "JSON Schema limitations" (platform.claude.com/docs/en/build-with-claude/structured-outputs)
and its SDK (anthropic-sdk-python, `lib/_parse/_transform.py`); Google's API reference of
`FunctionDeclaration.parametersJsonSchema` and `responseJsonSchema` (ai.google.dev/api). Where a
rule is known by a refusal only, it names the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

__all__ = ["RULES", "Target", "TargetRules", "rules_of"]

Target: TypeAlias = Literal["openai_strict", "anthropic_strict", "gemini", "portable"]
"""For whom a schema is written:

- `openai_strict`: OpenAI's tools with `strict: true`, chat completions and Responses.
- `anthropic_strict`: Anthropic's tools with `strict: true`.
- `gemini`: Google's function declarations, which have one mode.
- `portable`: ordinary tools, not strict, of OpenAI, Anthropic, Mistral and servers like them.
"""

_NAME = r"[a-zA-Z0-9_-]{1,64}"
_SHAPE = frozenset(
    {"type", "title", "description", "enum", "properties", "required", "additionalProperties"}
    | {"items", "minItems", "anyOf", "$ref", "$defs", "format"}
)
_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_BOUNDS = frozenset({"minimum", "maximum", "maxItems"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRules:
    """What one target takes. Another limit is `dataclasses.replace(RULES["gemini"], max_depth=6)`.

    Attributes:
        name: the target.
        strict: whether the tool is sent with `strict: true`.
        keywords: the words a schema may use; None lets it use all.
        formats: what `format` may say; None lets it say anything.
        closed: whether every object must list its keys and forbid others.
        all_required: whether every key must be required, an optional one being nullable.
        typed: whether every place must say its type.
        recursion: whether a schema may refer to itself: yes, no, or within keys only that are
            not required.
        bare_refs: whether nothing may stand beside `$ref`.
        text_enums: whether only texts may be listed in `enum`.
        regex: what `pattern` may use: all but look-around, or no back-references and word
            boundaries either; None lets it use anything.
        max_min_items: the largest `minItems`.
        tool_name: pattern of the tool's name.
        key: pattern of the names of the root's properties; None lets them be anything.
        max_description: characters of the tool's description.
        max_depth: nesting of objects and arrays, the root being 1.
        max_properties: properties in all.
        max_names: characters of all property names, definition names, and texts in `enum` and
            `const`.
        max_enum: values of all enumerations.
        long_enum: from how many values on the texts of one enumeration are counted, and how many
            characters they may have.
        max_optional: optional properties in all.
        max_unions: properties with a union of types in all.
    """

    name: Target
    strict: bool = False
    keywords: frozenset[str] | None = None
    formats: frozenset[str] | None = None
    closed: bool = False
    all_required: bool = False
    typed: bool = False
    recursion: Literal["yes", "optional", "no"] = "yes"
    bare_refs: bool = False
    text_enums: bool = False
    regex: Literal["no_lookaround", "simple"] | None = "no_lookaround"
    max_min_items: int | None = None
    tool_name: str = _NAME
    key: str | None = None
    max_description: int | None = None
    max_depth: int | None = None
    max_properties: int | None = None
    max_names: int | None = None
    max_enum: int | None = None
    long_enum: tuple[int, int] | None = None
    max_optional: int | None = None
    max_unions: int | None = None


_STRICT = TargetRules(
    name="openai_strict",
    strict=True,
    # "Supported properties"; `$ref cannot have keywords {'description'}` (openai-python#1637).
    keywords=_SHAPE
    | _BOUNDS
    | {"const", "pattern", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"},
    formats=_FORMATS,
    closed=True,
    all_required=True,
    typed=True,
    bare_refs=True,
    max_description=1_024,  # "string too long. Expected a string with maximum length 1024"
    max_depth=10,
    max_properties=5_000,
    max_names=120_000,
    max_enum=1_000,
    long_enum=(250, 15_000),
)

_ANTHROPIC = TargetRules(
    name="anthropic_strict",
    strict=True,
    keywords=_SHAPE | {"const", "default", "pattern"},
    formats=_FORMATS | {"uri"},
    closed=True,
    typed=True,
    recursion="no",
    bare_refs=True,
    regex="simple",
    max_min_items=1,  # "'minItems' values other than 0 or 1 are not supported"
    key=r"[a-zA-Z0-9_.-]{1,64}",  # "Property keys should match pattern"
    max_optional=24,
    max_unions=16,
)

_GEMINI = TargetRules(
    name="gemini",
    keywords=_SHAPE | _BOUNDS | {"oneOf", "prefixItems", "propertyOrdering"},
    formats=frozenset({"date-time", "date", "time"}),
    recursion="optional",  # "may only be used within non-required properties"
    bare_refs=True,
    text_enums=True,  # "Invalid value at '...enum[0]' (TYPE_STRING), 0" (azure-devops-mcp#139)
    regex=None,
    # "Must start with a letter or an underscore" (gemini-cli#6704).
    tool_name=r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}",
    max_depth=4,  # unpublished; 4 was seen (js-genai#882, Portkey-AI/gateway#1616)
)

_PORTABLE = TargetRules(
    name="portable",
    key=_ANTHROPIC.key,
    max_description=_STRICT.max_description,
)

RULES: Mapping[Target, TargetRules] = MappingProxyType(
    {rules.name: rules for rules in (_STRICT, _ANTHROPIC, _GEMINI, _PORTABLE)}
)
"""The rules of each target."""


def rules_of(target: Target | TargetRules) -> TargetRules:
    """The rules of a target, or the rules themselves.

    Raises:
        KeyError: there is no such target.
    """
    return target if isinstance(target, TargetRules) else RULES[target]

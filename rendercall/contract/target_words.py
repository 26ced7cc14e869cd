"""The words of a subschema that a target does not know: told in its description, or left out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from rendercall.contract.targets import TargetRules

__all__ = ["described", "pattern_fault"]

_PHRASES: Mapping[str, str] = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "pattern": "matches {}",
    "format": "format: {}",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} keys",
    "maxProperties": "at most {} keys",
    "const": "always {}",
}
_DESCRIBES_KEYS = frozenset({"if", "then", "else", "dependentSchemas", "dependencies"})
"""Words that may be all that describes a key: a closed object needs what they say."""

_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


def described(schema: Mapping[str, Any], rules: TargetRules) -> tuple[dict[str, Any], str]:
    """Take what a target does not know out of a subschema.

    Args:
        schema: the subschema.
        rules: the target's.

    Returns:
        What is left, and what it no longer says in words; `""` where that is nothing.
    """
    kept = dict(schema)
    notes: list[str] = []
    _list_values(kept, rules, notes)
    if pattern_fault(kept.get("pattern"), rules) is not None:
        del kept["pattern"]  # it would tell a model nothing
    text = kept.get("format")
    if rules.formats is not None and text is not None and text not in rules.formats:
        notes.append(_PHRASES["format"].format(kept.pop("format")))
    fewest = kept.get("minItems", 0)
    if rules.max_min_items is not None and fewest > rules.max_min_items:
        notes.append(_PHRASES["minItems"].format(fewest))
        kept["minItems"] = rules.max_min_items
    for word in [one for one in kept if rules.keywords is not None and one not in rules.keywords]:
        if word in _REWRITTEN or (rules.closed and _describes_keys(word, kept[word])):
            continue
        value = kept.pop(word)
        if word in _PHRASES and not isinstance(value, bool):
            notes.append(_PHRASES[word].format(value))
        elif word == "uniqueItems" and value:
            notes.append("no item twice")
    if rules.closed and _only_asks_for_keys(kept.get("anyOf")) and "properties" in kept:
        del kept["anyOf"]
    return kept, "; ".join(notes)


def _list_values(kept: dict[str, Any], rules: TargetRules, notes: list[str]) -> None:
    """Give listed values the form that the target has for them."""
    if rules.keywords is not None and "const" in kept and "const" not in rules.keywords:
        kept["enum"] = [kept.pop("const")]
    values = kept.get("enum", [kept["const"]] if "const" in kept else [])
    if values and rules.keywords is not None and "type" not in kept:
        kinds = list(dict.fromkeys(_KINDS.get(type(value), "") for value in values))
        if "" not in kinds:
            kept["type"] = kinds[0] if len(kinds) == 1 else kinds
    if rules.text_enums and not all(isinstance(value, str) for value in values):
        del kept["enum"]
        listed = ", ".join(json.dumps(value, ensure_ascii=False) for value in values)
        notes.append(f"one of: {listed}")


_LOOKAROUND = re.compile(r"\(\?<?[=!]")
_NOT_SIMPLE = re.compile(r"\\[1-9bB]|\\k<|\(\?P=")


def pattern_fault(pattern: Any, rules: TargetRules) -> tuple[str, str] | None:
    """The rule that a regular expression breaks, and what to do; None where it is fine.

    OpenAI: "regex lookaround is not supported. Found at $.properties.email.pattern".
    """
    if rules.regex is None or not isinstance(pattern, str):
        return None
    if _LOOKAROUND.search(pattern):
        return "regex_lookaround", "regex look-around is not supported"
    if rules.regex == "simple" and _NOT_SIMPLE.search(pattern):
        return "regex_unsupported", "back-references and word boundaries are not supported"
    return None


_REWRITTEN = frozenset({"oneOf", "allOf", "prefixItems", "$ref", "$defs", "definitions"})
"""Words that are no words to be told: they are rewritten, or refused."""


def _describes_keys(word: str, part: Any) -> bool:
    if word == "patternProperties":
        return True
    return word in _DESCRIBES_KEYS and '"properties"' in json.dumps(part)


def _only_asks_for_keys(branches: Any) -> bool:
    return isinstance(branches, list) and all(
        isinstance(one, dict) and one.keys() <= {"required"} for one in branches
    )

"""Questions about Pydantic's core schemas that the plan of a type depends on."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

__all__ = [
    "NO_KEY",
    "Schema",
    "has_safe_defaults",
    "input_keys",
    "is_text",
    "keeps_keys",
    "may_be_text",
    "may_change_text",
    "takes_info",
]

Schema: TypeAlias = dict[str, Any]

NO_KEY = "\ud800"
"""A key of no document, because no lone surrogate is read."""

_FUNCTIONS = ("function-before", "function-after", "function-wrap", "function-plain")
_OBJECTS = ("model-fields", "typed-dict", "dataclass-args")
_INNER = (
    "schema",
    "items_schema",
    "values_schema",
    "keys_schema",
    "arguments_schema",
    "fields",
    "json_schema",
    "strict_schema",
    "lax_schema",
    "steps",
)
_REWRITING = ("strip_whitespace", "to_lower", "to_upper")
_CHANGING = (*_REWRITING, "pattern")


def takes_info(schema: Any, definitions: dict[str, Schema], seen: frozenset[str]) -> bool:
    """Whether a validator in it takes the `info` of the object around it.

    Args:
        schema: a core schema, a list of them, or anything else, which takes none.
        definitions: what references point at.
        seen: the references that were followed already.
    """
    if isinstance(schema, list | tuple):
        return any(takes_info(one, definitions, seen) for one in cast("list[Any]", schema))
    if not isinstance(schema, dict):
        return False
    schema = cast("Schema", schema)
    kind = schema.get("type")
    if kind == "definition-ref":
        name = schema["schema_ref"]
        return name not in seen and takes_info(definitions[name], definitions, seen | {name})
    if kind in _FUNCTIONS and schema["function"]["type"] == "with-info":
        return True
    if kind in _OBJECTS:
        return False
    choices = schema.get("choices")
    inner = list(choices.values()) if isinstance(choices, dict) else choices
    return takes_info([inner, *(schema.get(name) for name in _INNER)], definitions, seen)


def has_safe_defaults(schema: Any) -> bool:
    """Whether no default in it can be refused: none is checked, and only empty containers are made.

    A schema that refers to another is not looked into.

    Args:
        schema: a core schema, a part of one, or a list of them.
    """
    if isinstance(schema, list | tuple):
        return all(map(has_safe_defaults, cast("list[Any]", schema)))
    if not isinstance(schema, dict):
        return True
    schema = cast("Schema", schema)
    if schema.get("type") == "definition-ref" or schema.get("validate_default"):
        return False
    if schema.get("default_factory", list) not in _SAFE_FACTORIES:
        return False
    inner = (one for name, one in schema.items() if name not in {"metadata", "serialization"})
    return all(map(has_safe_defaults, inner))


_SAFE_FACTORIES = (list, dict, set, frozenset, tuple)


def may_change_text(schema: Schema, config: Schema) -> bool:
    """Whether a `str` schema takes only some texts beyond length, or gives back others."""
    rules = [schema.get(name, config.get(f"str_{name}")) for name in _CHANGING]
    return any(rule not in (None, False) for rule in rules) or bool(schema.get("ascii_only"))


def is_text(schema: Schema) -> bool:
    """Whether it takes strings, by rules that are the same for JSON and for Python."""
    kind = schema["type"]
    if kind in {"default", "nullable"}:
        return is_text(schema["schema"])
    return kind == "str" or (kind == "literal" and all(type(x) is str for x in schema["expected"]))


def may_be_text(schema: Schema) -> bool:
    """Whether a strict check by it may take a string."""
    if schema["type"] == "model":
        return bool(schema.get("custom_init")) or schema["schema"]["type"] != "model-fields"
    return schema["type"] not in _NO_STRINGS


_NO_STRINGS = ("int", "float", "bool", "none", "list", "dict", "typed-dict")


def keeps_keys(schema: Schema, config: Schema) -> bool:
    """Whether a schema of keys gives back the strings that it takes, or what equals them."""
    if schema["type"] == "str":
        return not any(schema.get(name, config.get(f"str_{name}")) for name in _REWRITING)
    return schema["type"] == "any" or schema.get("sub_type") == "str" or is_text(schema)


def input_keys(name: str, alias: Any, config: Schema) -> list[str]:
    """The JSON keys that a field may be read from; the first one found counts.

    A first key that is not the field itself (an `AliasPath` leads into its value) comes
    after `NO_KEY`, so that it is taken for one that may be overruled.
    """
    keys: list[str] = []
    if alias is not None and config.get("validate_by_alias", True):
        paths: list[Any] = [[alias]] if isinstance(alias, str) else alias
        if not isinstance(paths[0], list):
            paths = [paths]
        for path in paths:
            keys += [path[0]] if len(path) == 1 or keys else [NO_KEY, path[0]]
    by_name = config.get("validate_by_name") or config.get("populate_by_name")
    return [*keys, name] if not keys or by_name else keys

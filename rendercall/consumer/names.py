"""Tool names as models write them: known wrappers around a known name are taken off."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["known_name"]

_PREFIXES = ("functions.", "function.", "tools.", "default_api.", "to=functions.")


def known_name(name: str, known: Collection[str]) -> str | None:
    """Find which known name a model meant.

    Models put their own channel tokens and namespaces around a name:
    `functions.search_docs`, `search_docs<|channel|>commentary`. Nothing else is guessed.

    Returns:
        The known name, or None where it is none of them.
    """
    if name in known:
        return name
    bare = name.strip().partition("<|")[0].strip()
    for prefix in _PREFIXES:
        bare = bare.removeprefix(prefix)
    return bare if bare in known else None

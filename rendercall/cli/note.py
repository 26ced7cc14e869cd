"""What is said about the model before it is used: which one, where it runs, who pays."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

__all__ = ["model_note"]


def model_note(name: str, environment: Mapping[str, str]) -> str:
    """One line about a model.

    Args:
        name: `"provider:name"`, `"local"` or `"offline"`.
        environment: where keys and addresses are found; no key is ever quoted.
    """
    if name == "offline":
        return "model: offline, a rule-based planner without any model"
    if name == "local":
        return "model: local, on this machine"
    provider = name.partition(":")[0].upper().replace("-", "_")
    url = environment.get(f"{provider}_BASE_URL") or environment.get(f"{provider}_API_BASE") or ""
    where = f" at {urlsplit(url).hostname}" if url else ""
    key = f"{provider}_API_KEY"
    charged = f"; {key} was found and its account will be charged" if environment.get(key) else ""
    return f"model: {name}{where}{charged}"

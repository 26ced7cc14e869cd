"""The model of a run: from its context, else from the environment, else the rules of the graph."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from langchain_core.language_models import BaseChatModel

from rendercall.models import Rule, RuleBasedChatModel, default_model_name, load_chat_model

__all__ = ["Context", "chosen_model"]


@dataclass(frozen=True)
class Context:
    """What a run may choose.

    Attributes:
        model: `"provider:name"`, `"local"` or `"offline"`; empty asks the environment.
        pace: seconds between two pieces of the rule-based model, so that one can watch the
            answer form.
    """

    model: str = ""
    pace: float = 0.01


def chosen_model(
    context: Context | None, *, offline: Rule, local: Callable[[str | None], BaseChatModel]
) -> BaseChatModel:
    """The chat model that a run asks for.

    Args:
        context: the run's; None where the caller gave none.
        offline: the rule that answers without a model.
        local: makes the local model; it gets the path of other weights, or None.
    """
    context = context or Context()
    name = context.model or default_model_name(os.environ)
    return _chat_model(name, context.pace, offline, local)


@lru_cache(maxsize=64)
def _chat_model(
    name: str, pace: float, offline: Rule, local: Callable[[str | None], BaseChatModel]
) -> BaseChatModel:
    if name == "offline":
        return RuleBasedChatModel(rule=offline, pace=pace)
    if name == "local":
        return local(os.environ.get("RENDERCALL_LOCAL_GGUF") or None)
    return load_chat_model(name)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel

from graphs.parts.chosen_model import Context, chosen_model
from rendercall.errors import ModelError
from rendercall.models import Reply, RuleBasedChatModel, ScriptedChatModel


def rule(messages: Sequence[Any], tools: Sequence[Any]) -> Reply:
    del messages, tools
    return Reply("x")


def local(path: str | None) -> BaseChatModel:
    return ScriptedChatModel(script=[], model_name=path or "packaged")


def name_of(context: Context | None) -> str:
    return str(getattr(chosen_model(context, offline=rule, local=local), "model_name", ""))


def test_the_context_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the run, else by the environment; the local one may have other weights."""
    monkeypatch.setenv("RENDERCALL_MODEL", "local")
    assert name_of(Context("offline")) == "rule-based"
    assert name_of(Context()) == name_of(None) == "packaged"


def test_other_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """RENDERCALL_LOCAL_GGUF names them."""
    monkeypatch.setenv("RENDERCALL_LOCAL_GGUF", "big.gguf")

    def fresh(path: str | None) -> BaseChatModel:
        return local(path)

    model = chosen_model(Context("local"), offline=rule, local=fresh)
    assert isinstance(model, ScriptedChatModel)
    assert model.model_name == "big.gguf"


def test_the_pace() -> None:
    """It is the rule-based model's; equal wishes share a model."""
    model = chosen_model(Context("offline", 0.5), offline=rule, local=local)
    assert isinstance(model, RuleBasedChatModel)
    assert model.pace == 0.5
    assert chosen_model(Context("offline", 0.5), offline=rule, local=local) is model


def test_an_unknown_name() -> None:
    """It is told as for any graph."""
    with pytest.raises(ModelError):
        chosen_model(Context("nothing"), offline=rule, local=local)

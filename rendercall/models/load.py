"""A chat model from its name in a setting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any, cast

from langchain_core.language_models import BaseChatModel

from rendercall.errors import MissingExtra, ModelError, import_extra
from rendercall.models.local import is_installed, local_chat_model

__all__ = ["DEFAULT_OPENAI_MODEL", "default_model_name", "load_chat_model"]

DEFAULT_OPENAI_MODEL = "openai:gpt-5-mini"
"""What a found OPENAI_API_KEY is used with, unless a model is named."""


def default_model_name(env: Mapping[str, str]) -> str:
    """The model to use: RENDERCALL_MODEL, else OpenAI's with a key, else "local" or "offline".

    Args:
        env: the environment; RENDERCALL_LOCAL_GGUF is the path of other local weights.
    """
    if named := env.get("RENDERCALL_MODEL", "").strip():
        return named
    if env.get("OPENAI_API_KEY", "").strip():
        return DEFAULT_OPENAI_MODEL
    return "local" if is_installed(env.get("RENDERCALL_LOCAL_GGUF") or None) else "offline"


def load_chat_model(
    spec: str, *, extra: Mapping[str, Callable[[], BaseChatModel]] | None = None, **kwargs: Any
) -> BaseChatModel:
    """The chat model that a name stands for.

    Args:
        spec: "provider:name", such as "openai:gpt-5-mini"; "local"; or a name in `extra`.
        extra: names that the caller provides, such as "offline", and what makes them.
        **kwargs: handed to the model: for "local" those of `local_chat_model`; for a
            provider those of its client, e.g. `base_url` for vLLM, Ollama or llama.cpp.

    Raises:
        ModelError: the name, the provider or an argument is not known, or there is no key.
        MissingExtra: the provider's package is not installed.
    """
    if extra and spec in extra:
        return extra[spec]()
    if spec == "local":
        return local_chat_model(**kwargs)
    if spec == "offline":
        raise ModelError(
            '"offline" is the planner that the app provides, not a model: run it through the '
            "app's graph, or pass it in extra=."
        )
    provider, colon, name = spec.partition(":")
    if not (provider and colon and name):
        raise ModelError(
            f'"{spec}" names no model. Write "provider:name", such as '
            f'"{DEFAULT_OPENAI_MODEL}", or "local".'
        )
    return _provided(provider, name, kwargs)


def _provided(provider: str, name: str, kwargs: dict[str, Any]) -> BaseChatModel:
    """A provider's client, by langchain where it is installed; OpenAI's also without it."""
    if provider == "openai":
        make: Callable[..., Any] = import_extra("langchain_openai", "openai").ChatOpenAI
    elif find_spec("langchain") is None:
        raise MissingExtra("langchain", "langchain")
    else:
        init = import_extra("langchain.chat_models", "langchain").init_chat_model
        make = _by_langchain(init, provider)
    try:
        return cast("BaseChatModel", make(model=name, **kwargs))
    except ImportError as error:
        package = f"langchain-{provider.replace('_', '-')}"
        raise ModelError(
            f"The package of the provider {provider} is not installed; it is probably {package}: "
            f"pip install {package}"
        ) from error
    except Exception as error:  # noqa: BLE001 - each client has errors of its own
        # The cause may quote arguments, keys among them: it stays out of the message.
        raise ModelError(
            f"{provider}:{name} could not be set up ({type(error).__name__}). Is its API key set "
            "in the environment, is the provider one of langchain's, do the arguments fit it?"
        ) from None


def _by_langchain(init: Callable[..., Any], provider: str) -> Callable[..., Any]:
    def make(**kwargs: Any) -> Any:
        return init(model_provider=provider, **kwargs)

    return make

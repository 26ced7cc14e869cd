"""The graph node that calls the model, and leaves the truth about its answer in the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda, run_in_executor
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime, get_runtime

from rendercall.langgraph.failed_generation import message_of_failure
from rendercall.langgraph.model_call import ModelCall
from rendercall.langgraph.policy import Policy
from rendercall.models import load_chat_model

__all__ = ["ModelNode", "ModelSource"]

ModelSource: TypeAlias = BaseChatModel | str | Callable[[Runtime[Any]], BaseChatModel]
"""A chat model, `"provider:name"`, or a function that picks the model of a run."""


class ModelNode:
    """Calls the model with a history that is valid, and corrects what comes back.

    `node()` is the runnable to add to a graph, sync and async. It takes a state with
    `messages` and returns the model's message, and the answers that the graph itself gives.

    Args:
        model: the chat model, its name, or a function of the run that gives it.
        policy: the graph's rules.
        tools: the ordinary tools, as the model is offered them.
        prompt: a system message put before every request; not stored.
        tool_choice: passed to `bind_tools`; None leaves the choice to the model.
        frame_interval: seconds between two render frames of a call, see `frames`.
    """

    def __init__(
        self,
        model: ModelSource,
        policy: Policy,
        *,
        tools: Sequence[BaseTool] = (),
        prompt: str | None = None,
        tool_choice: str | None = None,
        frame_interval: float = 0.04,
    ) -> None:
        self.policy = policy
        self._model = load_chat_model(model) if isinstance(model, str) else model
        self._tools = tuple(tools)
        self._prompt = prompt
        self._tool_choice = tool_choice
        self._frame_interval = frame_interval

    def node(self) -> Runnable[Any, Any]:
        """The node's runnable."""
        return RunnableLambda(self._run, afunc=self._arun, name="model")

    def model(self, runtime: Runtime[Any] | None = None) -> BaseChatModel:
        """The chat model of this run."""
        if isinstance(self._model, BaseChatModel):
            return self._model
        return self._model(runtime or get_runtime())

    def _run(self, state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        call = self._call(state)
        model = self.model()
        request = self._prompted(call.request(model))
        bound = self._bound(model, call.options(model))
        try:
            message = bound.invoke(request, call.recorded(config))
        except Exception as error:  # noqa: BLE001 - it goes on, unless the answer is in it
            message = self._of_failure(error)
        return {"messages": call.settle(message, state.get("remaining_steps"))}

    async def _arun(self, state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        call = self._call(state)
        # Picking a model may read files, and a server's event loop must not wait for them.
        model = await run_in_executor(config, self.model, get_runtime())
        request = self._prompted(call.request(model))
        bound = self._bound(model, call.options(model))
        try:
            message = await bound.ainvoke(request, call.recorded(config))
        except Exception as error:  # noqa: BLE001 - it goes on, unless the answer is in it
            message = self._of_failure(error)
        return {"messages": call.settle(message, state.get("remaining_steps"))}

    def _of_failure(self, error: Exception) -> AIMessage:
        """What the model wrote, where the provider's error holds it; else the error goes on."""
        message = message_of_failure(error, self.policy)
        if message is None:
            raise error
        return message

    def _call(self, state: Mapping[str, Any]) -> ModelCall:
        return ModelCall(state["messages"], self.policy, self._frame_interval)

    def _bound(self, model: BaseChatModel, options: dict[str, Any]) -> Runnable[Any, AIMessage]:
        offered: list[dict[str, Any] | BaseTool] = [
            *self._tools,
            *(tool.spec() for tool in self.policy.renders),
        ]
        if self._tool_choice:
            options = {**options, "tool_choice": self._tool_choice}
        return model.bind_tools(offered, **options)

    def _prompted(self, request: list[AnyMessage]) -> list[AnyMessage]:
        return [SystemMessage(self._prompt), *request] if self._prompt else request

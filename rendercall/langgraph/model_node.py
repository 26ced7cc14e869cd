"""The graph node that calls the model, and leaves the truth about its answer in the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langchain_core.runnables.config import merge_configs
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime, get_runtime

from rendercall.contract import RenderTool
from rendercall.langgraph.correction import correct
from rendercall.langgraph.decision import Budget, decide
from rendercall.langgraph.history import prepare_messages, provider_of
from rendercall.langgraph.notes import note_of
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.recording import Recorder
from rendercall.models import load_chat_model

__all__ = ["ModelNode", "ModelSource"]

ModelSource: TypeAlias = BaseChatModel | str | Callable[[Runtime[Any]], BaseChatModel]
"""A chat model, `"provider:name"`, or a function that picks the model of a run."""

STEPS_PER_CALL = 2
"""A model call and its tools take two steps of LangGraph's recursion limit."""


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
    """

    def __init__(
        self,
        model: ModelSource,
        policy: Policy,
        *,
        tools: Sequence[BaseTool] = (),
        prompt: str | None = None,
        tool_choice: str | None = None,
    ) -> None:
        self.policy = policy
        self._model = load_chat_model(model) if isinstance(model, str) else model
        self._tools = tuple(tools)
        self._prompt = prompt
        self._tool_choice = tool_choice

    def node(self) -> Runnable[Any, Any]:
        """The node's runnable."""
        return RunnableLambda(self._run, afunc=self._arun, name="model")

    def model(self, runtime: Runtime[Any] | None = None) -> BaseChatModel:
        """The chat model of this run."""
        if isinstance(self._model, BaseChatModel):
            return self._model
        return self._model(runtime or get_runtime())

    def _run(self, state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        recorder = Recorder()
        model = self.model()
        request = self._request(state, model)
        message = self._bound(model).invoke(request, _recorded(config, recorder))
        return self._settle(state, message, recorder)

    async def _arun(self, state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        recorder = Recorder()
        model = self.model()
        request = self._request(state, model)
        message = await self._bound(model).ainvoke(request, _recorded(config, recorder))
        return self._settle(state, message, recorder)

    def _bound(self, model: BaseChatModel) -> Runnable[Any, AIMessage]:
        offered: list[dict[str, Any] | BaseTool] = [
            *self._tools,
            *(tool.spec() for tool in self.policy.renders),
        ]
        options = {"tool_choice": self._tool_choice} if self._tool_choice else {}
        return model.bind_tools(offered, **options)

    def _request(self, state: Mapping[str, Any], model: BaseChatModel) -> list[AnyMessage]:
        messages = state["messages"]
        request = prepare_messages(messages, self.policy.renders, provider=provider_of(model))
        if messages and _asks_again(messages[-1]):
            request.append(HumanMessage(_reminder(self.policy.renders)))
        return [SystemMessage(self._prompt), *request] if self._prompt else request

    def _settle(
        self, state: Mapping[str, Any], message: AIMessage, recorder: Recorder
    ) -> dict[str, Any]:
        message = correct(message, recorder, self.policy)
        left = Budget.of(state["messages"], self.policy)
        steps = state.get("remaining_steps", STEPS_PER_CALL * left.model_calls + 1)
        calls = min(left.model_calls - 1, (steps - 1) // STEPS_PER_CALL)
        decision = decide(message, Budget(calls, left.repairs), self.policy)
        return {"messages": [decision.message, *decision.answers]}


def _recorded(config: RunnableConfig, recorder: Recorder) -> RunnableConfig:
    return merge_configs(config, {"callbacks": [recorder]})


def _asks_again(last: AnyMessage) -> bool:
    """Whether the model is asked again after a message without calls, which nothing answers."""
    return isinstance(last, AIMessage) and note_of(last).get("next") == "model"


def _reminder(renders: Sequence[RenderTool[Any]]) -> str:
    names = " or ".join(tool.name for tool in renders)
    return f"Give the final answer now, as a call of {names}."

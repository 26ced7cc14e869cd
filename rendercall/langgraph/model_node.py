"""The graph node that calls the model, and leaves the truth about its answer in the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda, run_in_executor
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime, get_runtime

from rendercall.langgraph.model_call import ModelCall
from rendercall.langgraph.offers import binding
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.skill_registry import SkillRegistry
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
        skills: those that a run may take up, where the state has `active_skills`.
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
        skills: SkillRegistry | None = None,
    ) -> None:
        self.policy = policy
        self._model = load_chat_model(model) if isinstance(model, str) else model
        self._tools = tuple(tools)
        self._prompt = prompt
        self._tool_choice = tool_choice
        self._frame_interval = frame_interval
        self._skills = skills

    def node(self) -> Runnable[Any, Any]:
        """The node's runnable."""
        if self._skills is None:
            return RunnableLambda(self._run, afunc=self._arun, name="model")
        return RunnableLambda(partial(self._skilled, self._skills), name="model")

    def _skilled(self, skills: SkillRegistry, state: Mapping[str, Any]) -> Runnable[Any, Any]:
        """The node with the rules and tools of the skills that are active; it runs next."""
        active = state.get("active_skills") or ()
        told = skills.prompt(active, state["messages"])
        node = ModelNode(
            self._model,
            skills.policy(self.policy, active),
            tools=(*self._tools, *skills.offered(active)),
            prompt="\n\n".join(filter(None, [self._prompt, told])),
            tool_choice=self._tool_choice,
            frame_interval=self._frame_interval,
        )
        return node.node()

    def model(self, runtime: Runtime[Any] | None = None) -> BaseChatModel:
        """The chat model of this run."""
        if isinstance(self._model, BaseChatModel):
            return self._model
        return self._model(runtime or get_runtime())

    def _run(self, state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        model = self.model()
        call = self._call(state, model)
        request, bound = self._prompted(call.request()), self._bound(model, call)
        try:
            message = bound.invoke(request, call.recorded(config))
        except BaseException as error:  # noqa: BLE001 - it goes on, unless an answer came of it
            message = call.instead(error)
        return {"messages": call.settle(message, state.get("remaining_steps"))}

    async def _arun(self, state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        # Picking a model may read files, and a server's event loop must not wait for them.
        model = await run_in_executor(config, self.model, get_runtime())
        call = self._call(state, model)
        request, bound = self._prompted(call.request()), self._bound(model, call)
        try:
            message = await bound.ainvoke(request, call.recorded(config))
        except BaseException as error:  # noqa: BLE001 - the same
            message = call.instead(error)
        return {"messages": call.settle(message, state.get("remaining_steps"))}

    def _call(self, state: Mapping[str, Any], model: BaseChatModel) -> ModelCall:
        return ModelCall(state["messages"], self.policy, model, self._frame_interval)

    def _bound(self, model: BaseChatModel, call: ModelCall) -> Runnable[Any, AIMessage]:
        tools, settings = binding(model, self._tools, call.renders)
        if self._tool_choice:
            settings["tool_choice"] = call.choice(self._tool_choice)
        options = {**call.options(), **settings}
        return model.bind_tools(tools, **options) if tools else model.bind(**options)

    def _prompted(self, request: list[AnyMessage]) -> list[AnyMessage]:
        return [SystemMessage(self._prompt), *request] if self._prompt else request

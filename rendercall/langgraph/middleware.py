"""The promises of a render graph inside `langchain.agents.create_agent` and deepagents.

The only module that imports langchain (extra `langchain`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

from langchain.agents.middleware import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    hook_config,
)
from langchain_core.messages import AIMessage
from langchain_core.runnables.config import set_config_context
from langchain_core.tools import BaseTool
from langgraph.config import get_config
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime

from rendercall.contract import RenderTool
from rendercall.errors import GraphDefinitionError
from rendercall.langgraph.budget import Budget
from rendercall.langgraph.frames import EnableCustom
from rendercall.langgraph.model_call import ModelCall
from rendercall.langgraph.offers import binding
from rendercall.langgraph.policy import Ack, Mixed, OnError, Policy, Repair, as_tuple
from rendercall.langgraph.review import Edits, Reviewed
from rendercall.langgraph.tool_calls import (
    Answer,
    AsyncExecute,
    Execute,
    awatched_call,
    batch_terminates,
    watched_call,
)

__all__ = ["RenderMiddleware"]

State: TypeAlias = AgentState[Any]
Update: TypeAlias = dict[str, Any]


class RenderMiddleware(AgentMiddleware[State, Any, Any]):
    """Lets an agent of langchain end on a display-only render call.

    ```python
    agent = create_agent(model, tools=[search_docs], middleware=[RenderMiddleware(plan_tool)])
    shown = last_render(agent.invoke({"messages": [...]}), plan_tool)
    ```

    The render tools are offered to the model and never executed; a right call ends the run,
    a wrong one is answered with its errors and the model is asked again, as in
    `render_graph`. List it after middleware that changes the request in `wrap_model_call`
    (tools, model, messages), so that it sees what the model is sent, and before middleware
    that must see the answer in `after_model` (human in the loop, redaction, limits), because
    those run from the last to the first and a jump leaves the rest out.

    Args:
        render: the render tool, or several.
        mixed: a render call beside ordinary calls: `"rerender"` runs them and has the model
            render again with their results, `"finish"` runs them and ends.
        max_repairs: how often the model may be asked again in one turn, after a wrong, cut
            or missing answer.
        max_model_calls: model calls in one turn: tools, mixed turns and repairs together.
        required: remind a model that answers with text only; it counts as a repair.
        ack: `"state"` stores an answer to every call when the run ends, because these agents
            answer what they find unanswered in the next turn, and say that it failed;
            `"request"` answers in the request only, so that the state ends on the render
            call. deepagents needs `"state"`.
        repair: how a wrong call is repaired, see `render_graph`.
        on_error: what a definite error does while the call arrives, see `render_graph`.
        tool_choice: passed to the model's `bind_tools`, e.g. `"any"`.
        frame_interval: seconds between two render frames of a call, see `frames`.

    Raises:
        GraphDefinitionError: no render tool, equal names, limits below their minimum, or
            `mixed="finish"` without `ack="state"`: the agent would run the open render call.
    """

    transformers = (EnableCustom,)

    def __init__(
        self,
        render: RenderTool[Any] | Sequence[RenderTool[Any]],
        *,
        mixed: Mixed = "rerender",
        max_repairs: int = 2,
        max_model_calls: int = 10,
        required: bool = False,
        ack: Ack = "state",
        repair: Repair = "patch",
        on_error: OnError = "finish_then_patch",
        tool_choice: str | None = None,
        frame_interval: float = 0.04,
    ) -> None:
        super().__init__()
        if mixed == "finish" and ack != "state":
            raise GraphDefinitionError(
                'mixed="finish" needs ack="state" here: the agent runs every call that has no '
                "answer in the state, so the shown render call must get one"
            )
        self._ack: Ack = ack
        # What is shown is answered in `after_model`, when the run really ends: a human may
        # still reject it. So the decision itself answers nothing that is shown.
        self._policy = Policy(
            renders=as_tuple(render),
            mixed=mixed,
            max_repairs=max_repairs,
            max_model_calls=max_model_calls,
            required=required,
            ack="request",
            repair=repair,
            on_error=on_error,
        )
        self._tool_choice = tool_choice
        self._frame_interval = frame_interval

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Send a request that every provider takes, record the answer, and decide on it."""
        call, prepared = self._prepare(request)
        with set_config_context(call.recorded(get_config())) as context:
            try:
                response = context.run(handler, prepared)
            except BaseException as error:  # noqa: BLE001 - it goes on, unless an answer came of it
                response = ModelResponse([call.instead(error)])
        return _settled(call, response)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """As `wrap_model_call`, asynchronously."""
        call, prepared = self._prepare(request)

        async def answer() -> ModelResponse[Any]:
            return await handler(prepared)

        with set_config_context(call.recorded(get_config())) as context:
            try:
                response = await asyncio.create_task(answer(), context=context)
            except BaseException as error:  # noqa: BLE001 - the same
                response = ModelResponse([call.instead(error)])
        return _settled(call, response)

    @hook_config(can_jump_to=["end"])
    def before_model(self, state: State, runtime: Runtime[Any]) -> Update | None:
        """End where a shown call only waited for the tools, or where their results say so."""
        del runtime
        last = Reviewed.of(state["messages"], self._policy.renders)
        waited = last is not None and last.note.get("after_tools") == "end"
        ends = waited or batch_terminates(state["messages"])
        return {"jump_to": "end"} if ends else None

    def wrap_tool_call(self, request: ToolCallRequest, handler: Execute) -> Answer:
        """Write the events of an ordinary call; what a tool raises is raised on."""
        return watched_call(request, handler)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncExecute) -> Answer:
        """As `wrap_tool_call`, asynchronously."""
        return await awatched_call(request, handler)

    @hook_config(can_jump_to=["model", "end"])
    def after_model(self, state: State, runtime: Runtime[Any]) -> Update | None:
        """Go where the decision says; the agent itself sends the ordinary calls to the tools."""
        del runtime
        last = Reviewed.of(state["messages"], self._policy.renders)
        if last is None or last.note.get("next") not in {"model", "tools", "end"}:
            return None
        edits = cast("Edits", state.get("hitl_edited_tool_calls") or {})
        if last.goes_back(edits):
            more = Budget.of(state["messages"], self._policy).model_calls > 0
            return {"jump_to": "model" if more else "end"}
        update: Update = {"messages": last.with_edits(edits, acknowledge=self._ack == "state")}
        return update if last.note["next"] == "tools" else {**update, "jump_to": "end"}

    def _prepare(self, request: ModelRequest[Any]) -> tuple[ModelCall, ModelRequest[Any]]:
        if request.response_format is not None:
            raise GraphDefinitionError(
                "RenderMiddleware and response_format= are two ways to end a run: the one waits "
                "for a render call, the other forces its own. Leave response_format= out, and "
                "read the result with last_render."
            )
        names = frozenset(filter(None, map(_name, request.tools)))
        policy = replace(self._policy, tool_names=names)
        call = ModelCall(request.state["messages"], policy, request.model, self._frame_interval)
        tools, settings = binding(request.model, request.tools, call.renders)
        choice = call.choice(self._tool_choice or request.tool_choice)
        if choice and not tools:  # then it is no agent's to pass on
            settings["tool_choice"] = choice
        prepared = request.override(
            messages=call.request(request.messages),
            tools=tools,
            model_settings={**request.model_settings, **call.options(), **settings},
            tool_choice=choice,
        )
        return call, prepared


def _settled(call: ModelCall, response: ModelResponse[Any]) -> ModelResponse[Any]:
    *before, message = response.result
    if not isinstance(message, AIMessage):
        return response
    return replace(response, result=[*before, *call.settle(message)])


def _name(tool: BaseTool | Mapping[str, Any]) -> str:
    """The name of a tool, also of one that the provider or the client runs."""
    if isinstance(tool, BaseTool):
        return tool.name
    return str(tool.get("function", tool).get("name", ""))

"""One call of the model: what is sent, what is recorded of it, and what is made of the answer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.config import get_stream_writer

from rendercall.consumer.judge import judge_message
from rendercall.consumer.messages import read_message
from rendercall.consumer.rendered import Rendered
from rendercall.contract import RenderTool
from rendercall.langgraph.abort import StoppingRecorder
from rendercall.langgraph.budget import Budget
from rendercall.langgraph.correction import correct, sent_calls
from rendercall.langgraph.decision import Decision, decide
from rendercall.langgraph.failed_generation import message_of_failure
from rendercall.langgraph.frames import FrameWriter
from rendercall.langgraph.history import prepare_messages
from rendercall.langgraph.ledger import cost_of
from rendercall.langgraph.notes import note_of, with_note
from rendercall.langgraph.patch import standing_of
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.provider_rules import calls_tools, loses_refusals, provider_of

__all__ = ["STEPS_PER_CALL", "ModelCall"]

STEPS_PER_CALL = 2
"""A model call and its tools take two steps of LangGraph's recursion limit."""


class ModelCall:
    """One call of the model in a run, whoever makes it.

    It is made inside a node: frames go to the run's stream writer.

    Args:
        messages: the thread's messages.
        policy: the graph's rules.
        model: the chat model that is called.
        frame_interval: seconds between two render frames, see `frames`.

    Attributes:
        renders: what the model is offered beside the ordinary tools: the render tools, and
            the patch tool where a wrong call stands to be corrected.
    """

    def __init__(
        self,
        messages: Sequence[AnyMessage],
        policy: Policy,
        model: BaseChatModel,
        frame_interval: float,
    ) -> None:
        if not calls_tools(model):
            policy = replace(policy, repair="reask")  # it cannot choose between two tools
        self._messages = messages
        self._policy = policy
        self._model = model
        self._frames = FrameWriter(get_stream_writer(), frame_interval)
        self._recorder = StoppingRecorder(policy, self._frames)
        if provider_of(model) == "anthropic_thinking":
            self._recorder.armed = False
        patches = policy.repair == "patch"
        self._standing = standing_of(messages, policy.renders) if patches else None
        tool = self._standing and self._standing.patch_tool()
        self.renders: tuple[RenderTool[Any], ...] = (*policy.renders, *([tool] if tool else []))
        self._began = time.monotonic()

    def request(self, messages: Sequence[AnyMessage] | None = None) -> list[AnyMessage]:
        """The messages to send: every call answered, and a reminder where one is due.

        Args:
            messages: what to send instead of the thread's messages, e.g. a shortened copy.
        """
        chosen = self._messages if messages is None else messages
        request = prepare_messages(chosen, self._policy.known, provider=provider_of(self._model))
        if self._messages and _asks_again(self._messages[-1]):
            names = " or ".join(tool.name for tool in self._policy.renders) or "a skill's tool"
            request.append(HumanMessage(f"Give the final answer now, as a call of {names}."))
        return request

    def options(self) -> dict[str, Any]:
        """Further options of this call.

        langchain-openai drops a refusal that is streamed, and an empty message is left
        (`_convert_delta_to_message_chunk` reads no `refusal`). Asked again, it comes whole.
        """
        empty = bool(self._messages) and _is_empty(self._messages[-1])
        return {"stream": False} if empty and loses_refusals(self._model) else {}

    def choice(self, tool_choice: Any) -> Any:
        """The caller's choice of a tool: one that names a render tool leaves the patch free."""
        names = {tool.name for tool in self._policy.renders}
        return "any" if self._standing and tool_choice in names else tool_choice

    def recorded(self, config: RunnableConfig) -> RunnableConfig:
        """The config with which the model must be called."""
        self._began = time.monotonic()
        return merge_configs(config, {"callbacks": [self._recorder]})

    def instead(self, error: BaseException) -> AIMessage:
        """What the model sent, where the call raised and returned nothing.

        Raises:
            BaseException: the error, where it was no answer.
        """
        message = self._recorder.message(error)
        if message is None and isinstance(error, Exception):
            message = message_of_failure(error, self._policy)
        if message is None:
            raise error
        return message

    def settle(self, message: AIMessage, remaining_steps: int | None = None) -> list[AnyMessage]:
        """What goes to state: the message, corrected, and what the graph adds to it.

        Args:
            message: as the model returned it.
            remaining_steps: what LangGraph's recursion limit still allows; None is no limit.
        """
        seconds = time.monotonic() - self._began
        message = correct(message, self._recorder, self._policy)
        left = Budget.of(self._messages, self._policy)
        calls = left.model_calls - 1
        if remaining_steps is not None:
            calls = min(calls, (remaining_steps - 1) // STEPS_PER_CALL)
        budget = Budget(calls, left.repairs)
        decision = decide(message, budget, self._policy, self._standing)
        self._frames.finish(decision.shown)
        shown = self._shown_whole(decision.call_made) if decision.call_made else decision.shown
        return self._with_cost(decision, shown, seconds).messages

    def _shown_whole(self, made: AIMessage) -> Rendered[Any] | None:
        """The outcome of a call that no model has streamed; those who watch the frames are told."""
        shown = judge_message(read_message(made), self._policy.renders)
        if shown is not None:
            self._frames.whole(shown)
        return shown

    def _with_cost(
        self, decision: Decision, shown: Rendered[Any] | None, seconds: float
    ) -> Decision:
        """With the turn's cost noted on the message that ends it, or goes on from it."""
        last = decision.last
        ended = shown is not None and shown.status == "ok" and note_of(last).get("next") == "end"
        first = self._frames.first
        cost = cost_of(
            self._messages,
            decision.message,
            shown.args_text if shown and ended else None,
            sent_calls(decision.message.id or "", self._recorder),
            seconds=seconds,
            first_field=None if first is None else first - self._began,
        )
        return decision.with_last(with_note(last, cost=cost.to_note()))


def _is_empty(last: AnyMessage) -> bool:
    """Whether the model is asked again because it said nothing."""
    return _asks_again(last) and not (last.content or read_message(last).calls)


def _asks_again(last: AnyMessage) -> bool:
    """Whether the model is asked again after a message without calls, which nothing answers."""
    return isinstance(last, AIMessage) and note_of(last).get("next") == "model"

"""One call of the model: what is sent, what is recorded of it, and what is made of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.config import get_stream_writer

from rendercall.consumer.judge import judge_message
from rendercall.consumer.messages import read_message
from rendercall.langgraph.correction import correct
from rendercall.langgraph.decision import Budget, decide
from rendercall.langgraph.frames import FrameWriter
from rendercall.langgraph.history import prepare_messages
from rendercall.langgraph.notes import note_of
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.provider_rules import loses_refusals, provider_of
from rendercall.langgraph.recording import Recorder

__all__ = ["STEPS_PER_CALL", "ModelCall"]

STEPS_PER_CALL = 2
"""A model call and its tools take two steps of LangGraph's recursion limit."""


class ModelCall:
    """One call of the model in a run, whoever makes it.

    It is made inside a node: frames go to the run's stream writer.

    Args:
        messages: the thread's messages.
        policy: the graph's rules.
        frame_interval: seconds between two render frames, see `frames`.
    """

    def __init__(
        self, messages: Sequence[AnyMessage], policy: Policy, frame_interval: float
    ) -> None:
        self._messages = messages
        self._policy = policy
        self._frames = FrameWriter(get_stream_writer(), frame_interval)
        self._recorder = Recorder(policy, self._frames)

    def request(
        self, model: BaseChatModel, messages: Sequence[AnyMessage] | None = None
    ) -> list[AnyMessage]:
        """The messages to send: every call answered, and a reminder where one is due.

        Args:
            model: whose provider's rules to keep.
            messages: what to send instead of the thread's messages, e.g. a shortened copy.
        """
        chosen = self._messages if messages is None else messages
        renders = self._policy.renders
        request = prepare_messages(chosen, renders, provider=provider_of(model))
        if self._messages and _asks_again(self._messages[-1]):
            names = " or ".join(tool.name for tool in renders)
            request.append(HumanMessage(f"Give the final answer now, as a call of {names}."))
        return request

    def options(self, model: BaseChatModel) -> dict[str, Any]:
        """Further options of this call.

        langchain-openai drops a refusal that is streamed, and an empty message is left
        (`_convert_delta_to_message_chunk` reads no `refusal`). Asked again, it comes whole.
        """
        empty = bool(self._messages) and _is_empty(self._messages[-1])
        return {"stream": False} if empty and loses_refusals(model) else {}

    def recorded(self, config: RunnableConfig) -> RunnableConfig:
        """The config with which the model must be called."""
        return merge_configs(config, {"callbacks": [self._recorder]})

    def settle(self, message: AIMessage, remaining_steps: int | None = None) -> list[AnyMessage]:
        """What goes to state: the message, corrected, and the answers that the graph gives.

        Args:
            message: as the model returned it.
            remaining_steps: what LangGraph's recursion limit still allows; None is no limit.
        """
        message = correct(message, self._recorder, self._policy)
        self._frames.finish(judge_message(read_message(message), self._policy.renders))
        left = Budget.of(self._messages, self._policy)
        calls = left.model_calls - 1
        if remaining_steps is not None:
            calls = min(calls, (remaining_steps - 1) // STEPS_PER_CALL)
        decision = decide(message, Budget(calls, left.repairs), self._policy)
        return [decision.message, *decision.answers]


def _is_empty(last: AnyMessage) -> bool:
    """Whether the model is asked again because it said nothing."""
    return _asks_again(last) and not (last.content or read_message(last).calls)


def _asks_again(last: AnyMessage) -> bool:
    """Whether the model is asked again after a message without calls, which nothing answers."""
    return isinstance(last, AIMessage) and note_of(last).get("next") == "model"

"""The calls of one model message, sorted by what can be done with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage

from rendercall.consumer.judge import judge_message, tool_of
from rendercall.consumer.messages import Call, Message, read_message
from rendercall.consumer.names import known_name
from rendercall.consumer.rendered import Rendered
from rendercall.contract import read_args
from rendercall.langgraph import answers
from rendercall.langgraph.patch import Standing, patched_call
from rendercall.langgraph.policy import Policy

__all__ = ["Calls"]


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of one message, sorted.

    Attributes:
        read: the message.
        renders: its render calls.
        runnable: calls of ordinary tools.
        refused: calls that no tool can take, each with the answer's text and reason.
        patches: calls that patch what stands; they count where nothing else is called.
        shown: the outcome of the render call that counts; None without one.
    """

    read: Message
    renders: tuple[Call, ...]
    runnable: tuple[Call, ...]
    refused: tuple[tuple[Call, str, str], ...]
    patches: tuple[Call, ...]
    shown: Rendered[Any] | None

    @classmethod
    def of(cls, message: AIMessage, policy: Policy, standing: Standing | None) -> Calls:
        """Sort the calls of a message, of which patches are for what stands."""
        read = read_message(message)
        tools = [standing.tool] if standing else []
        renders: list[Call] = []
        runnable: list[Call] = []
        refused: list[tuple[Call, str, str]] = []
        patches: list[Call] = []
        for call in read.calls:
            args = read_args(call.text or "{}", policy.bounds)
            if tool_of(call, policy.renders):
                renders.append(call)
            elif patched_call(call, tools):
                patches.append(call)
            elif known_name(call.name, policy.tool_names) is None:
                text = answers.unknown_tool(call.name, policy.names)
                refused.append((call, text, "unknown_tool"))
            elif args.state != "complete":
                refused.append((call, answers.ask_again(call.name, args.issues), "invalid"))
            else:
                runnable.append(call)
        shown = judge_message(read, policy.renders)
        return cls(read, tuple(renders), tuple(runnable), tuple(refused), tuple(patches), shown)

    @property
    def all(self) -> tuple[Call, ...]:
        """Every call, in order."""
        return self.read.calls

    @property
    def alone(self) -> bool:
        """Whether nothing stands beside the render calls or patches."""
        return not self.runnable and not self.refused

    def answer_refused(self) -> list[ToolMessage]:
        """Answer what is neither run nor shown, and patches that stand beside other calls."""
        beside = [(call, answers.not_alone(call.name), "mixed") for call in self.patches]
        return [
            answers.answer(self.read.id, call, text, reason)
            for call, text, reason in (*beside, *self.refused)
        ]

    def answer_patches(self, text: str, reason: str) -> tuple[ToolMessage, ...]:
        """Answer all patches alike: they are one."""
        return tuple(answers.answer(self.read.id, one, text, reason) for one in self.patches)

    def answer_renders(self, text: str, reason: str) -> list[ToolMessage]:
        """Answer the render call that counts with `text`, and the ones before it as superseded."""
        *earlier, last = self.renders
        older = [
            answers.answer(self.read.id, call, answers.superseded(call.name), "superseded")
            for call in earlier
        ]
        return [*older, answers.answer(self.read.id, last, text, reason)]

"""What follows a model's message: which calls are answered at once, and where the graph goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from rendercall.consumer.judge import judge_call, judge_silence, tool_of
from rendercall.consumer.messages import Call, Message, read_message
from rendercall.consumer.names import known_name
from rendercall.consumer.rendered import Rendered
from rendercall.contract import read_args
from rendercall.langgraph import answers
from rendercall.langgraph.history import answer_for
from rendercall.langgraph.notes import note_of, with_note
from rendercall.langgraph.policy import Policy

__all__ = ["Budget", "Decision", "Next", "decide"]

Next: TypeAlias = Literal["model", "tools", "end"]


@dataclass(frozen=True, slots=True)
class Budget:
    """What is left of a turn's limits.

    Attributes:
        model_calls: further calls of the model.
        repairs: further times that it may be asked again.
    """

    model_calls: int
    repairs: int

    @classmethod
    def of(cls, messages: Sequence[AnyMessage], policy: Policy) -> Budget:
        """Count from the current turn's messages, so that nothing else must be stored."""
        calls = repairs = 0
        for message in reversed(messages):
            if isinstance(message, HumanMessage):
                break
            if isinstance(message, AIMessage):
                note = note_of(message)
                calls += not note.get("search_first")
                repairs += bool(note.get("repair"))
        return cls(policy.max_model_calls - calls, policy.max_repairs - repairs)


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows a message.

    Attributes:
        message: the message, with the decision noted on it.
        answers: tool messages to store right after it.
    """

    message: AIMessage
    answers: tuple[ToolMessage, ...] = ()


def decide(message: AIMessage, budget: Budget, policy: Policy) -> Decision:
    """Decide what follows a corrected model message.

    Args:
        message: the model's message, as `correct` made it.
        budget: what is left *after* this message.
        policy: the graph's rules.
    """
    decision = _decide(message, budget, policy)
    return _acknowledged(decision, policy) if policy.ack == "state" else decision


def _decide(message: AIMessage, budget: Budget, policy: Policy) -> Decision:
    calls = _Calls.of(message, policy)
    may_repair = budget.repairs > 0 and budget.model_calls > 0
    if not calls.all:
        return _after_silence(message, calls.read, policy, may_repair=may_repair)
    if calls.shown and calls.shown.status == "filtered":
        return Decision(with_note(message, next="end"))
    if calls.shown and calls.shown.status != "ok":
        return _after_wrong(message, calls, may_repair=may_repair)
    if calls.alone:
        return Decision(with_note(message, next="end"))  # the turn ends on it
    return _after_ordinary(message, calls, budget, policy, may_repair=may_repair)


def _acknowledged(decision: Decision, policy: Policy) -> Decision:
    """With every call answered in the state, where the turn ends and no tool will answer it."""
    note = note_of(decision.message)
    if "end" not in {note.get("next"), note.get("after_tools")}:
        return decision
    taken = {one.tool_call_id for one in decision.answers} | set(note.get("run", ()))
    calls = [call for call in read_message(decision.message).calls if call.id not in taken]
    added = [answer_for(decision.message, call, policy.renders) for call in calls]
    return Decision(decision.message, (*decision.answers, *added))


@dataclass(frozen=True, slots=True)
class _Calls:
    """The calls of one message, sorted."""

    read: Message
    renders: tuple[Call, ...]
    runnable: tuple[Call, ...]
    refused: tuple[tuple[Call, str, str], ...]
    """Calls that no tool can take, each with the answer's text and reason."""
    shown: Rendered[Any] | None

    @classmethod
    def of(cls, message: AIMessage, policy: Policy) -> _Calls:
        read = read_message(message)
        renders: list[Call] = []
        runnable: list[Call] = []
        refused: list[tuple[Call, str, str]] = []
        for call in read.calls:
            args = read_args(call.text or "{}", policy.bounds)
            if tool_of(call, policy.renders):
                renders.append(call)
            elif known_name(call.name, policy.tool_names) is None:
                text = answers.unknown_tool(call.name, policy.names)
                refused.append((call, text, "unknown_tool"))
            elif args.state != "complete":
                refused.append((call, answers.ask_again(call.name, args.issues), "invalid"))
            else:
                runnable.append(call)
        shown = None
        if renders:
            tool = tool_of(renders[-1], policy.renders)
            shown = judge_call(read, renders[-1], tool, rejected=False) if tool else None
        return cls(read, tuple(renders), tuple(runnable), tuple(refused), shown)

    @property
    def all(self) -> tuple[Call, ...]:
        return self.read.calls

    @property
    def alone(self) -> bool:
        return not self.runnable and not self.refused

    def answer_refused(self) -> list[ToolMessage]:
        return [
            answers.answer(self.read.id, call, text, reason) for call, text, reason in self.refused
        ]

    def answer_renders(self, text: str, reason: str) -> list[ToolMessage]:
        """Answer the render call that counts with `text`, and the ones before it as superseded."""
        *earlier, last = self.renders
        older = [
            answers.answer(self.read.id, call, answers.superseded(call.name), "superseded")
            for call in earlier
        ]
        return [*older, answers.answer(self.read.id, last, text, reason)]


def _after_silence(
    message: AIMessage, read: Message, policy: Policy, *, may_repair: bool
) -> Decision:
    """A message without calls: text, a refusal, a filter, or nothing at all."""
    silence = judge_silence(read)
    ask = silence.status in {"failed", "truncated"} if silence else policy.required
    if ask and may_repair:
        return Decision(with_note(message, next="model", repair=True))
    return Decision(with_note(message, next="end"))


def _after_wrong(message: AIMessage, calls: _Calls, *, may_repair: bool) -> Decision:
    """The render call that counts is wrong or cut: ask again while the limits allow it."""
    if not may_repair or calls.shown is None or calls.shown.tool is None:
        return Decision(with_note(message, next="end"))
    text = answers.ask_again(calls.shown.tool.name, calls.shown.errors)
    added = [*calls.answer_renders(text, "invalid"), *calls.answer_refused()]
    then: Next = "tools" if calls.runnable else "model"
    noted = with_note(message, next=then, run=[call.id for call in calls.runnable], repair=True)
    return Decision(noted, tuple(added))


def _after_ordinary(
    message: AIMessage, calls: _Calls, budget: Budget, policy: Policy, *, may_repair: bool
) -> Decision:
    """Ordinary calls, with or without a right render call beside them."""
    finish = calls.shown is not None and policy.mixed == "finish"
    if not finish and not (budget.model_calls > 0 and (calls.runnable or may_repair)):
        return _give_up(message, calls, budget)
    added = calls.answer_refused()
    if calls.shown and calls.shown.tool and not finish:
        text = answers.not_yet(calls.shown.tool.name)
        added = [*calls.answer_renders(text, "mixed"), *added]
    then: Next = "tools" if calls.runnable else "end" if finish else "model"
    noted = with_note(
        message,
        next=then,
        run=[call.id for call in calls.runnable],
        after_tools="end" if finish else "",
        repair=not calls.runnable and not finish,
    )
    return Decision(noted, tuple(added))


def _give_up(message: AIMessage, calls: _Calls, budget: Budget) -> Decision:
    """The limits are used up while the model still wants something else than to finish."""
    if budget.model_calls > 0:
        failure = {"code": "max_repairs", "message": "the model kept calling unknown tools"}
    else:
        failure = {
            "code": "max_model_calls",
            "message": "the turn's model calls are used up, and no final render call was made",
        }
    text = answers.not_run(failure["message"])
    added = [answers.answer(calls.read.id, call, text, failure["code"]) for call in calls.all]
    return Decision(with_note(message, next="end", failure=failure), tuple(added))

"""What follows a model's message: which calls are answered at once, and where the graph goes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from rendercall.consumer.judge import judge_silence
from rendercall.consumer.messages import Message, read_message
from rendercall.consumer.rendered import Rendered
from rendercall.langgraph import answers
from rendercall.langgraph.budget import Budget
from rendercall.langgraph.history import answer_for
from rendercall.langgraph.notes import note_of, with_note
from rendercall.langgraph.patch import TRIES, Standing, ask_to_repair
from rendercall.langgraph.policy import Policy
from rendercall.langgraph.sorted_calls import Calls

__all__ = ["Decision", "Next", "decide"]

Next: TypeAlias = Literal["model", "tools", "end"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows a message.

    Attributes:
        message: the message, with the decision noted on it.
        answers: tool messages to store right after it.
        made: the render call that the graph itself makes after them, of args that a patch made
            right, and its answer where the state is to have one.
        shown: the outcome of the render call in `message`; None where it holds none.
    """

    message: AIMessage
    answers: tuple[ToolMessage, ...] = ()
    made: tuple[AnyMessage, ...] = ()
    shown: Rendered[Any] | None = None

    @property
    def messages(self) -> list[AnyMessage]:
        """All of it, as the state gets it."""
        return [self.message, *self.answers, *self.made]

    @property
    def call_made(self) -> AIMessage | None:
        """The render call that the graph itself makes, if it makes one."""
        made = next(iter(self.made), None)
        return made if isinstance(made, AIMessage) else None

    @property
    def last(self) -> AIMessage:
        """The AI message that the state then ends on, answers aside."""
        return self.call_made or self.message

    def with_last(self, message: AIMessage) -> Decision:
        """The same with another last AI message."""
        if self.made:
            return replace(self, made=(message, *self.made[1:]))
        return replace(self, message=message)


def decide(
    message: AIMessage, budget: Budget, policy: Policy, standing: Standing | None = None
) -> Decision:
    """Decide what follows a corrected model message.

    Args:
        message: the model's message, as `correct` made it.
        budget: what is left *after* this message.
        policy: the graph's rules; with `repair="patch"` only where the model can patch.
        standing: what the message may patch.
    """
    calls = Calls.of(message, policy, standing)
    decision = replace(_decide(message, calls, budget, policy, standing), shown=calls.shown)
    return _acknowledged(decision, policy) if policy.ack == "state" else decision


def _decide(
    message: AIMessage, calls: Calls, budget: Budget, policy: Policy, standing: Standing | None
) -> Decision:
    may_repair = budget.repairs > 0 and budget.model_calls > 0
    if not calls.all:
        return _after_silence(message, calls.read, policy, may_repair=may_repair)
    if calls.shown and calls.shown.status in {"filtered", "refused"}:
        return Decision(with_note(message, next="end"))
    if calls.shown and calls.shown.status != "ok":
        return _after_wrong(message, calls, policy, may_repair=may_repair)
    if calls.patches and not calls.shown and calls.alone and standing:
        return _after_patch(message, calls, standing, may_repair=may_repair)
    if calls.alone:
        return Decision(with_note(message, next="end"))  # the turn ends on it
    return _after_ordinary(message, calls, budget, policy, may_repair=may_repair)


def _acknowledged(decision: Decision, policy: Policy) -> Decision:
    """With every call answered in the state, where the turn ends and no tool will answer it."""
    last = decision.last
    note = note_of(last)
    if "end" not in {note.get("next"), note.get("after_tools")}:
        return decision
    taken = {one.tool_call_id for one in decision.answers} | set(note.get("run", ()))
    calls = [call for call in read_message(last).calls if call.id not in taken]
    added = [answer_for(last, call, policy.renders) for call in calls]
    if decision.made:
        return replace(decision, made=(*decision.made, *added))
    return replace(decision, answers=(*decision.answers, *added))


def _after_silence(
    message: AIMessage, read: Message, policy: Policy, *, may_repair: bool
) -> Decision:
    """A message without calls: text, a refusal, a filter, or nothing at all."""
    silence = judge_silence(read)
    ask = silence.status in {"failed", "truncated"} if silence else policy.required
    if ask and may_repair:
        return Decision(with_note(message, next="model", repair=True))
    return Decision(with_note(message, next="end"))


def _after_wrong(message: AIMessage, calls: Calls, policy: Policy, *, may_repair: bool) -> Decision:
    """The render call that counts is wrong or cut: ask again while the limits allow it."""
    if not may_repair or calls.shown is None or calls.shown.tool is None:
        return Decision(with_note(message, next="end"))
    may_patch = policy.repair == "patch"
    text = ask_to_repair(calls.read, calls.renders[-1], calls.shown, may_patch=may_patch)
    added = [*calls.answer_renders(text, "invalid"), *calls.answer_refused()]
    then: Next = "tools" if calls.runnable else "model"
    noted = with_note(message, next=then, run=[call.id for call in calls.runnable], repair=True)
    return Decision(noted, tuple(added))


def _after_patch(
    message: AIMessage, calls: Calls, standing: Standing, *, may_repair: bool
) -> Decision:
    """A patch alone: the call that it makes right ends the turn, any other is tried again."""
    after, refused = standing.patched(calls.patches)
    if refused is None and not after.issues:
        text = answers.applied(after.tool.name)
        made = with_note(after.message(message), next="end")
        return Decision(
            with_note(message, next="end"), calls.answer_patches(text, "shown"), (made,)
        )
    if not may_repair:
        return Decision(with_note(message, next="end"))
    again = after.tries < TRIES
    do = (
        f"Correct them with {after.name}."
        if again
        else f"Call {after.tool.name} again, with all its args."
    )
    if refused is not None:
        added = calls.answer_patches(answers.not_patched(refused, do), "unpatched")
    else:
        added = calls.answer_patches(answers.patched(after.issues, after.args, do), "patched")
    return Decision(with_note(message, next="model", repair=True), added)


def _after_ordinary(
    message: AIMessage, calls: Calls, budget: Budget, policy: Policy, *, may_repair: bool
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


def _give_up(message: AIMessage, calls: Calls, budget: Budget) -> Decision:
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

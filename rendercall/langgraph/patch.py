"""Patch repair: a wrong call is corrected by operations on its args, not written again.

After a wrong render call the model is offered a small tool beside the render tools. Its
operations are applied to the args that stand; if the whole is then right, the graph itself
makes the render call that the turn ends on. What stands, and how often it was tried, is read
from the turn's messages: nothing else is stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from rendercall.consumer.judge import judge_call, tool_of
from rendercall.consumer.kept import kept_of
from rendercall.consumer.messages import Call, Message, read_message
from rendercall.consumer.names import known_name
from rendercall.consumer.rendered import Rendered
from rendercall.contract import RenderTool, read_args
from rendercall.contract.json_patch import OPERATIONS, apply_patch, value_at
from rendercall.errors import Issue
from rendercall.langgraph import answers
from rendercall.langgraph.notes import KEY, note_of, with_note

__all__ = [
    "TRIES",
    "Standing",
    "ask_to_repair",
    "is_edited",
    "patch_name",
    "patched_call",
    "standing_of",
]

TRIES = 2
"""Patches that the model may try on one call before it is asked for the whole again."""

_NAME_LENGTH = 64
_NAMED = 2000
"""Characters of pointers up to which the patch tool's schema names them: a model made the keys."""


def patch_name(tool: RenderTool[Any]) -> str:
    """What the model calls to patch a call of this tool."""
    return f"patch_{tool.name}"[:_NAME_LENGTH]


@dataclass(frozen=True, slots=True)
class Standing:
    """Args that are wrong, and stand to be patched.

    Attributes:
        tool: the render tool.
        call_id: of the render call that they came in.
        args: as they are by now, plain JSON.
        issues: what is wrong with them.
        stopped: whether the call was stopped in mid-stream, so that the rest is missing.
        patches: ids of the patch calls that are in them.
        tries: how many messages have tried to patch them.
    """

    tool: RenderTool[Any]
    call_id: str
    args: Any
    issues: tuple[Issue, ...]
    stopped: bool = False
    patches: tuple[str, ...] = ()
    tries: int = 0

    @classmethod
    def of(cls, message: Message, call: Call, tool: RenderTool[Any]) -> Standing | None:
        """What a wrong render call leaves to be patched; None where it must be written again."""
        shown = judge_call(message, call, tool, rejected=False)
        if shown.status != "invalid":
            return None
        args = read_args(call.text, tool.bounds)
        stopped = args.state != "complete" and bool(message.note.get("stopped"))
        value = kept_of(call.text, tool.bounds) if stopped else args.value
        if args.state != "complete" and not stopped:
            return None
        return cls(tool, call.id, {}, (), stopped).with_args(value).worth_patching()

    @property
    def name(self) -> str:
        """What the patch tool is called."""
        return patch_name(self.tool)

    def worth_patching(self) -> Standing | None:
        """Itself; None where so much is wrong that the whole is asked for."""
        return self if 0 < len(self.issues) <= answers.MAX_ISSUES else None

    def with_args(self, args: Any) -> Standing:
        """The same with other args, checked whole."""
        verdict = self.tool.validate(json.dumps(args, ensure_ascii=False))
        return replace(self, args=args, issues=verdict.issues)

    def patched(self, calls: Sequence[Call]) -> tuple[Standing, Issue | None]:
        """Apply the patch calls of one message, as one patch.

        Returns:
            What stands after it, and why it does not apply, if it does not.
        """
        tried = replace(self, tries=self.tries + 1)
        operations: list[Any] = []
        for call in calls:
            args = read_args(call.text, self.tool.bounds)
            if args.state != "complete":
                return tried, args.issues[0]
            given = args.value.get("ops")
            operations += given if isinstance(given, list) else [given]
        result = apply_patch(self.args, operations)
        if result.issue is not None:
            return tried, result.issue
        ids = tuple(call.id for call in calls)
        return replace(tried, patches=(*self.patches, *ids)).with_args(result.document), None

    def patch_tool(self) -> RenderTool[dict[str, Any]]:
        """The tool that the model may call to correct the args."""
        pointers = list(dict.fromkeys(issue.pointer for issue in self.issues))
        path: dict[str, Any] = {"type": "string"}
        named = sum(map(len, pointers)) <= _NAMED
        if named and not self.stopped and all(map(self._is_leaf, pointers)):
            path["enum"] = pointers
        fields = {"op": {"type": "string", "enum": [*OPERATIONS]}, "path": path, "value": {}}
        item = {"type": "object", "properties": fields, "required": ["op", "path", "value"]}
        ops = {"type": "array", "items": item}
        parameters = {"type": "object", "properties": {"ops": ops}, "required": ["ops"]}
        description = f"Corrects the last {self.tool.name}: JSON Patch on its args, as one."
        return RenderTool.from_json_schema(self.name, description, parameters)

    def _is_leaf(self, where: str) -> bool:
        """Whether an error can only be mended at its own place."""
        value, _ = value_at(self.args, where)
        return bool(where) and not isinstance(value, dict | list)

    def message(self, source: AIMessage) -> AIMessage:
        """The render call that carries the whole, made by the graph.

        Args:
            source: the model's message with the patch that made it right.
        """
        seed = " ".join([self.call_id, *self.patches])
        call_id = f"call_{sha256(seed.encode()).hexdigest()[:24]}"
        call = {"name": self.tool.name, "args": self.args, "id": call_id, "type": "tool_call"}
        made = AIMessage("", id=f"patched-{source.id}", tool_calls=[call])
        patches = list(self.patches)
        patched = {"call_id": self.call_id, "patches": patches, "digest": _digest(self.args)}
        return with_note(made, raw_seen=True, patched=patched)


def is_edited(made: AIMessage) -> bool:
    """Whether somebody, a human, changed the args of a render call that the graph made."""
    digest = note_of(made).get("patched", {}).get("digest")
    return any(_digest(call["args"]) != digest for call in made.tool_calls)


def _digest(args: Any) -> str:
    return sha256(json.dumps(args, sort_keys=True).encode()).hexdigest()[:16]


def patched_call(call: Call, tools: Iterable[RenderTool[Any]]) -> RenderTool[Any] | None:
    """The render tool whose calls this call patches."""
    named = {patch_name(tool): tool for tool in tools}
    name = known_name(call.name, named)
    return named[name] if name else None


def ask_to_repair(message: Message, call: Call, shown: Rendered[Any], *, may_patch: bool) -> str:
    """What the model is told of a wrong render call.

    Args:
        message: the message that holds it.
        call: the call.
        shown: its outcome.
        may_patch: whether the patch tool will be offered.
    """
    tool = shown.tool
    assert tool is not None  # noqa: S101 - a render call has one
    standing = Standing.of(message, call, tool)
    args = standing.args if standing else None
    patch = standing.name if standing and may_patch else ""
    if message.note.get("stopped"):
        issues = standing.issues if standing and patch else shown.errors
        return answers.stopped(tool.name, issues, args, patch)
    return answers.ask_again(tool.name, shown.errors, args, patch)


def standing_of(
    messages: Sequence[AnyMessage], tools: Sequence[RenderTool[Any]]
) -> Standing | None:
    """What the next message of the model may patch.

    Args:
        messages: the thread's messages, the last call answered.
        tools: the render tools.

    Returns:
        The last wrong render call of the turn with what was patched since; None where there is
        none, where it is right or broken, or where patching has failed often enough.
    """
    standing: Standing | None = None
    for message, reasons in _turn(messages):
        read = read_message(message)
        renders = [(call, tool) for call in read.calls if (tool := tool_of(call, tools))]
        if renders:
            call, tool = renders[-1]
            wrong = reasons.get(call.id) == "invalid"
            standing = Standing.of(read, call, tool) if wrong else None
            continue
        patches = [one for one in read.calls if reasons.get(one.id) in {"patched", "unpatched"}]
        if standing is not None and patches:
            standing, _ = standing.patched(patches)
    return standing if standing is not None and standing.tries < TRIES else None


def _turn(messages: Sequence[AnyMessage]) -> list[tuple[AIMessage, Mapping[str, str]]]:
    """The turn's AI messages, each with the reasons of the answers that the graph gave."""
    found: list[tuple[AIMessage, Mapping[str, str]]] = []
    reasons: dict[str, str] = {}
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        if isinstance(message, ToolMessage):
            noted = message.additional_kwargs.get(KEY) or {}
            reasons[message.tool_call_id] = noted.get("reason", "")
        if isinstance(message, AIMessage):
            found.append((message, reasons))
            reasons = {}
    return found[::-1]

"""A chat model that plays a script: the fake with which a graph is tested.

```python
model = ScriptedChatModel(script=[Reply(calls=[Call("render_learning_plan", {...})])])
```
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field, PrivateAttr, SkipValidation, field_validator
from typing_extensions import override

from rendercall.errors import ModelError
from rendercall.models.reply import Reply
from rendercall.models.replying import Choice, ReplyingChatModel

__all__ = ["Request", "ScriptItem", "ScriptedChatModel"]

ScriptItem: TypeAlias = (
    Reply | AIMessage | Exception | Callable[[list[BaseMessage]], Reply | AIMessage]
)
"""One answer: a reply, a message, an error that is raised, or a function of the messages."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the model was asked.

    Attributes:
        messages: the conversation.
        tools: the bound tools, in OpenAI's form.
        tool_choice: the bound choice, as it was given.
        kwargs: every other argument of the call.
    """

    messages: list[BaseMessage]
    tools: list[dict[str, Any]]
    tool_choice: Choice | None
    kwargs: dict[str, Any]


class _Play:
    """How far the script is played, and what was asked; shared by every binding of a model."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.requests: list[Request] = []

    def record(self, request: Request) -> int:
        """Keep the request; its number, from 0."""
        with self._lock:
            self.requests.append(request)
            return len(self.requests) - 1


class ScriptedChatModel(ReplyingChatModel):
    """A fake chat model for tests: it answers with a script, one item a call, and streams it.

    It takes part in everything a real model does: tools are bound, callbacks see every
    chunk, a graph's stream shows its fragments. It is no model and never thinks.

    Attributes:
        script: the answers, in order; see `ScriptItem`.
        repeat_last: True answers with the last item for ever; False raises a `ModelError`
            once the script is used up.
        delay: seconds before each chunk of a stream.
        chunk_size: characters a chunk; a sequence of sizes is cycled.
        disable_streaming: True makes a model that never streams.
    """

    script: Annotated[list[ScriptItem], SkipValidation]
    repeat_last: bool = False
    delay: float = Field(default=0.0, ge=0)
    model_name: str = "scripted"
    _play: _Play = PrivateAttr(default_factory=_Play)

    @field_validator("script")
    @classmethod
    def _playable(cls, script: list[ScriptItem]) -> list[ScriptItem]:
        for number, item in enumerate(script):
            if not (isinstance(item, Reply | AIMessage | Exception) or callable(item)):
                raise ValueError(  # noqa: TRY004 - pydantic collects ValueError alone
                    f"script[{number}] is a {type(item).__name__}; give a Reply, an AIMessage, "
                    "an exception instance, or a function of the messages."
                )
        return list(script)

    @property
    def requests(self) -> list[Request]:
        """What was asked so far, in order; those that ended in an error too."""
        return list(self._play.requests)

    @property
    @override
    def _llm_type(self) -> str:
        return "scripted"

    @override
    def _pause(self) -> float:
        return self.delay

    @override
    def _reply(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> Reply:
        rest = {key: kwargs[key] for key in kwargs if key not in {"tools", "tool_choice"}}
        request = Request(
            list(messages), list(kwargs.get("tools") or ()), kwargs.get("tool_choice"), rest
        )
        item = self._item(self._play.record(request))
        if isinstance(item, Exception):
            raise item
        answer = item if isinstance(item, Reply | AIMessage) else item(messages)
        return Reply.of(answer) if isinstance(answer, AIMessage) else answer

    def _item(self, number: int) -> ScriptItem:
        total = len(self.script)
        if number < total:
            return self.script[number]
        if self.repeat_last and total:
            return self.script[-1]
        raise ModelError(
            f"the script of {total} replies is used up: this is call {number + 1}. "
            "Add a reply to the script, or set repeat_last=True."
        )

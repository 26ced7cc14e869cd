"""The local model of `benchmarks.repair`: real words, behind the same wire as the scripted ones."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from benchmarks.repair_model import CHUNK, Case, tools_of
from rendercall.models import is_installed, local_chat_model
from tests.providers.http import Answer

__all__ = ["SIZE", "LocalModel", "is_installed"]

SIZE = 600
"""Characters of its plans: no list of over five, since `bounded_schema` allows no longer one."""

_CONTEXT = 8192
_MAX_TOKENS = 700


@dataclass
class LocalModel:
    """Answers the requests of one case; every answer but the first is the local model's.

    llama.cpp's grammar lets no wrong leaf through, so the first answer is the case's wrong plan.
    Asked again, it writes the args of the patch tool where one is offered, else those of the
    answer's: a model of this size cannot choose. What it is told, it is told in plain text.
    """

    case: Case
    delay: float = 0.0
    answers: list[Answer] = field(default_factory=list[Answer])
    _ids: Any = field(default_factory=count)

    def __call__(self, request: dict[str, Any]) -> Answer:
        """The answer to a request in OpenAI's form."""
        answer, patch = tools_of(request)
        name, text = answer, json.dumps(self.case.wrong)
        if self.answers:
            name = patch or answer
            functions = {tool["function"]["name"]: tool["function"] for tool in request["tools"]}
            text = _written(request["messages"], functions[name])
        call = (name, text, f"call_{next(self._ids)}")
        said = Answer(calls=[call], delay=self.delay, chunk=CHUNK)
        self.answers.append(said)
        return said


def _written(messages: list[dict[str, Any]], function: dict[str, Any]) -> str:
    """The args as the model writes them, held to the tool's schema; cut where it finds no end."""
    chat = local_chat_model(context=_CONTEXT, max_tokens=_MAX_TOKENS, seed=1)
    tool = {"type": "function", "function": function}
    bound = chat.bind_tools([tool], tool_choice=function["name"])
    chunks = bound.stream([_plain(one) for one in messages])
    return "".join(
        piece["args"] or "" for chunk in chunks for piece in getattr(chunk, "tool_call_chunks", ())
    )


def _plain(message: dict[str, Any]) -> BaseMessage:
    text = message.get("content") or ""
    if message["role"] == "assistant":
        args = [call["function"]["arguments"] for call in message.get("tool_calls") or ()]
        return AIMessage("\n".join([text, *args]).strip())
    return SystemMessage(text) if message["role"] == "system" else HumanMessage(text)

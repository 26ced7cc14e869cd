"""Runs one case of `tests/cases` (see its FORMAT.md) and gives what the library makes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import openai
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    AnyMessage,
    HumanMessage,
    ToolMessage,
    convert_to_messages,
)
from langchain_core.tools import tool

from rendercall import Rendered, RenderStream, RenderTool, last_render
from rendercall.consumer.messages import Call, read_message
from rendercall.consumer.partial import PartialModel
from rendercall.contract import read_args
from rendercall.contract.provider_schema import ProviderSchema
from rendercall.contract.target_lint import lint_schema, lint_tool
from rendercall.contract.targets import Target
from rendercall.errors import Issue, SchemaRefused
from rendercall.langgraph import prepare_messages, render_graph
from rendercall.models import Call as ScriptedCall
from rendercall.models import Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan

NAME = "render_learning_plan"
STATES = {"complete": "complete", "incomplete": "incomplete", "invalid": "invalid"}


@dataclass
class Seen:
    """What the library made of a case.

    Attributes:
        result: the outcome at the end.
        calls: every call after assembly.
        partials: the value so far after each event, by its number.
        messages: the state's messages after a graph run.
        requests: what the model was asked, in a graph run.
        prepared: the next request's messages.
        lint: what a provider refuses in a schema.
        sent: the schema as it is sent; None where it was refused.
        refused: the refusal.
    """

    result: Rendered[Any] | None = None
    calls: tuple[Call, ...] = ()
    partials: dict[int, Any] = field(default_factory=dict)
    messages: list[AnyMessage] = field(default_factory=list)
    requests: int = 0
    prepared: list[AnyMessage] = field(default_factory=list)
    lint: tuple[Issue, ...] = ()
    sent: ProviderSchema | None = None
    refused: SchemaRefused | None = None


def tool_of(case: dict[str, Any], mend: str | None = None) -> RenderTool[Any]:
    """The render tool that the case is about."""
    options: dict[str, Any] = {"mend": mend} if mend else {}
    if "schema" in case["input"] and case["input"]["type"] != "schema":
        if "sent_as" in case["input"]:
            options["target"] = case["input"]["sent_as"]
        return RenderTool.from_json_schema(NAME, "A plan.", case["input"]["schema"], **options)
    return RenderTool(LearningPlan, **options)


def run(case: dict[str, Any], mend: str | None = None) -> Seen:
    """Run a case by the kind of its input."""
    kind = case["input"]["type"]
    runner = {
        "openai_sse": run_stream,
        "anthropic_sse": run_stream,
        "lc_chunks": run_stream,
        "sdk_events": run_stream,
        "openai_response": run_response,
        "args_text": run_args,
        "wire_messages": run_messages,
        "model_script": run_script,
        "schema": run_schema,
    }[kind]
    return runner(case["input"], tool_of(case, mend))


def run_stream(given: dict[str, Any], render: RenderTool[Any]) -> Seen:
    """Feed events, and look after each."""
    events = given.get("chunks") or given.get("events") or []
    if given["type"] == "lc_chunks":
        events = [_chunk(fields) for fields in events]
    stream = RenderStream(render)
    seen = Seen()
    value: Any = {}
    for number, event in enumerate(events):
        update = stream.feed(event)
        if update is not None:
            value = json.loads(json.dumps(shown_value(update)))
        seen.partials[number] = value
    seen.result = stream.finish()
    seen.calls = stream.calls
    return seen


def _chunk(fields: dict[str, Any]) -> Any:
    """A chunk as langchain-core has it; as a dict where it would refuse the fields."""
    try:
        return AIMessageChunk(**fields)
    except ValueError:
        return {"type": "AIMessageChunk", **fields}


def shown_value(update: Any) -> Any:
    """What may be shown: the typed partial, as plain JSON."""
    return plain(update.partial)


def plain(value: Any) -> Any:
    """A typed partial or a complete value as JSON."""
    if isinstance(value, PartialModel):
        return {name: plain(getattr(value, name)) for name in dir(value)}
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(one) for one in value]
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


def run_response(given: dict[str, Any], render: RenderTool[Any]) -> Seen:
    """One whole answer of a provider."""
    message = {**given["message"], "finish_reason": given["finish_reason"]}
    history = [{"role": "user", "content": "plan"}, message]
    return Seen(last_render(history, render), read_message(message).calls)


def run_args(given: dict[str, Any], render: RenderTool[Any]) -> Seen:
    """The finished args text of one call, read at once and in pieces: the same both ways."""
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": NAME, "arguments": given["text"]},
    }
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [call],
        "finish_reason": "tool_calls",
    }
    seen = Seen(last_render([{"role": "user", "content": "plan"}, message], render))
    stream = RenderStream(render)
    for at in range(0, len(given["text"]), 3):
        stream.feed_text(given["text"][at : at + 3])
    result = stream.finish()
    assert seen.result is not None
    assert (result.status, result.value) == (seen.result.status, seen.result.value)
    return seen


def run_messages(given: dict[str, Any], render: RenderTool[Any]) -> Seen:
    """Messages as a client received them."""
    messages = given["messages"]
    seen = Seen(last_render(messages, render))
    calls = [call for one in messages for call in read_message(one).calls]
    seen.calls = tuple(calls)
    kept = messages[-given["keep_last"] :] if "keep_last" in given else messages
    seen.prepared = prepare_messages([_message(one) for one in kept], render)
    return seen


def _message(source: dict[str, Any]) -> AnyMessage:
    """A wire dict as the message object that a thread holds."""
    kinds: dict[str, Any] = {"human": HumanMessage, "ai": AIMessage, "tool": ToolMessage}
    fields = {key: value for key, value in source.items() if key != "type"}
    if source["type"] in kinds:
        return kinds[source["type"]](**fields)
    return convert_to_messages([source])[0]  # type: ignore[return-value]


def run_schema(given: dict[str, Any], render: RenderTool[Any]) -> Seen:
    """A tool's schema, looked at and rewritten for a provider."""
    del render
    target: Target = "portable" if given["target"] == "any" else given["target"]
    found = (*lint_tool(given["tool_name"], given["description"], target),)
    seen = Seen(lint=(*found, *lint_schema(given["schema"], target)))
    try:
        seen.sent = ProviderSchema.of(
            given["schema"], target, given["tool_name"], given["description"]
        )
    except SchemaRefused as error:
        seen.refused = error
    return seen


@tool
def search_docs(query: str) -> str:
    """Search the documentation."""
    return f"hits for {query}"


def run_script(given: dict[str, Any], render: RenderTool[Any]) -> Seen:
    """A graph whose model answers by a script, one human text after the other."""
    model = ScriptedChatModel(script=[_reply(one) for one in given["responses"]])
    tools = [search_docs] if "search_docs" in given["tools"] else []
    graph = render_graph(model, render, tools=tools)
    messages: list[AnyMessage] = []
    for number, text in enumerate(given["user"]):
        ask = [*messages, HumanMessage(text, id=f"h{number}")]
        messages = graph.invoke({"messages": ask})["messages"]
    seen = Seen(last_render(messages, render), messages=messages, requests=len(model.requests))
    seen.prepared = model.requests[-1].messages  # type: ignore[assignment]
    return seen


def _reply(response: dict[str, Any]) -> Any:
    if "http_error" in response:
        request = httpx.Request("POST", "http://127.0.0.1/v1/chat/completions")
        refused = httpx.Response(response["http_error"], request=request)
        return openai.BadRequestError("refused", response=refused, body=response["body"])
    calls = [
        ScriptedCall(one["function"]["name"], one["function"]["arguments"], one["id"])
        for one in response.get("tool_calls") or ()
    ]
    return Reply(response.get("content") or "", calls, response.get("finish_reason"))


def state_of(call: Call, render: RenderTool[Any]) -> str:
    """Whether a call's text is a whole object."""
    return read_args(call.text, render.bounds).state


def outline(messages: list[AnyMessage]) -> list[list[Any]]:
    """Messages as the pairs of `history_out`."""
    pairs: list[list[Any]] = []
    for one in messages:
        if isinstance(one, AIMessage):
            pairs.append(["ai", [call["id"] for call in one.tool_calls]])
        elif isinstance(one, ToolMessage):
            pairs.append(["tool", one.tool_call_id])
        elif isinstance(one, HumanMessage):
            pairs.append(["human", one.text])
    return pairs


__all__ = ["NAME", "Seen", "outline", "run", "state_of", "tool_of"]

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    ToolMessage,
    trim_messages,
)

from rendercall import RenderTool
from rendercall.langgraph import prepare_messages
from rendercall.langgraph.provider_rules import Provider, native, provider_of
from schemas.learning_plan import LearningPlan
from tests.langgraph.provider_clients import PROVIDERS
from tests.langgraph.scripted_graph import BAD, CUT, GOOD, NAME
from tests.providers.http import Answer

TOOL = RenderTool(LearningPlan)
NAMES: dict[str, Provider] = {
    "openai chat": "openai",
    "responses, stored reasoning": "openai",
    "anthropic": "anthropic",
    "anthropic thinking": "anthropic_thinking",
    "gemini 3": "google",
    "mistral": "mistral",
}


class Nowhere:
    base_url = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(("name", "provider"), NAMES.items(), ids=NAMES)
def test_a_model_is_known_by_its_client(name: str, provider: Provider) -> None:
    """The rules that are kept are those of the model that is asked."""
    assert provider_of(PROVIDERS[name].client(Nowhere(), True)) == provider


THOUGHTFUL = AIMessage(
    [{"type": "reasoning", "reasoning": "Hm.", "extras": {"signature": "s"}}, {"type": "text", "text": "Here."}],
    additional_kwargs={"signatures": "s"},
    response_metadata={"model_provider": "anthropic", "output_version": "v1", "rendercall": {"next": "end"}},
)  # fmt: skip


def test_a_foreign_message_is_its_text_and_its_calls() -> None:
    """What only its own provider can read is left out of the copy; the stored one is untouched."""
    sent = native(THOUGHTFUL, "google")
    assert (sent.content, sent.additional_kwargs) == ("Here.", {})
    assert sent.response_metadata == {"rendercall": {"next": "end"}}
    assert isinstance(THOUGHTFUL.content, list)


@pytest.mark.parametrize("provider", ["anthropic", "anthropic_thinking", None])
def test_a_providers_own_message_is_the_same_object(provider: Provider | None) -> None:
    """Nothing of it is lost."""
    assert native(THOUGHTFUL, provider) is THOUGHTFUL


def said(name: str, args: Any, call_id: str, maker: str) -> AIMessage:
    metadata = {"model_provider": maker} if maker else {}
    if isinstance(args, str):
        broken = {
            "name": name,
            "args": args,
            "id": call_id,
            "error": None,
            "type": "invalid_tool_call",
        }
        return AIMessage(
            "", id=f"a-{call_id}", invalid_tool_calls=[broken], response_metadata=metadata
        )
    call = {"name": name, "args": args, "id": call_id, "type": "tool_call"}
    return AIMessage("", id=f"a-{call_id}", tool_calls=[call], response_metadata=metadata)  # fmt: skip


turn = st.tuples(
    st.sampled_from(["c1", "c2", "functions.render:0", "x" * 60]),
    st.sampled_from([GOOD, BAD, CUT, {"query": "x"}]),
    st.sampled_from(["", "openai", "anthropic", "google_genai", "mistralai"]),
    st.booleans(),
)


def history(turns: list[Any]) -> list[AnyMessage]:
    messages: list[AnyMessage] = []
    for number, (call_id, args, maker, answered) in enumerate(turns):
        name = "search_docs" if args == {"query": "x"} else NAME
        messages += [
            HumanMessage(f"turn {number}", id=f"h{number}"),
            said(name, args, call_id, maker),
        ]
        if answered:
            messages.append(ToolMessage("done", tool_call_id=call_id, id=f"t{number}"))
    return messages


@pytest.fixture(scope="module")
def served() -> Iterator[dict[str, tuple[Any, Any]]]:
    """Every provider, with its real client."""
    servers = {
        name: one.server(lambda _request: Answer(text="ok")) for name, one in PROVIDERS.items()
    }
    for server in servers.values():
        server.__enter__()
    yield {
        name: (server, PROVIDERS[name].client(server, False)) for name, server in servers.items()
    }
    for server in servers.values():
        server.__exit__(None, None, None)


@settings(max_examples=20)
@given(turns=st.lists(turn, min_size=1, max_size=4), tokens=st.integers(1, 16))
def test_any_history_trimmed_to_any_size_is_taken_by_every_provider(
    turns: list[Any], tokens: int, served: dict[str, tuple[Any, Any]]
) -> None:
    """`trim_messages` may cut between a call and its answer: what is left is still answered."""
    kept = trim_messages(history(turns), max_tokens=tokens, token_counter=len, strategy="last")
    messages = [*kept, HumanMessage("go on")]
    for server, model in served.values():
        prepared = prepare_messages(messages, TOOL, provider=provider_of(model))
        model.bind_tools([TOOL.spec()]).invoke(prepared)
        assert server.refusals == []
        assert "go on" in json.dumps(server.requests[-1])

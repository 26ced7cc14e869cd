from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessageChunk
from langchain_openai import ChatOpenAI

from rendercall import RenderTool
from rendercall.consumer.assembler import ArrivingCall, Assembler, readings_of
from rendercall.consumer.deltas import apply
from rendercall.consumer.fragments import from_chunk
from rendercall.consumer.open_call import OpenCall
from schemas.learning_plan import LearningPlan
from tests.providers.anthropic import AnthropicServer
from tests.providers.http import Answer, ProviderServer
from tests.providers.openai_chat import OpenAIChatServer
from tests.providers.openai_responses import OpenAIResponsesServer

TOOL = RenderTool(LearningPlan)
TEXT = json.dumps({"topic": "SQL windows", "level": "beginner"})[:-1]


def chunk(
    args: str | None,
    *,
    name: str | None = None,
    index: int = 0,
    call_id: str | None = None,
    **more: Any,
) -> AIMessageChunk:
    call_id = "call_1" if name else call_id
    piece = {"name": name, "args": args, "id": call_id, "index": index}
    return AIMessageChunk("", tool_call_chunks=[piece], **more)


def arriving(*pieces: str, name: str = TOOL.name) -> ArrivingCall:
    assembler = Assembler(readings_of([TOOL]))
    call = None
    for number, piece in enumerate(pieces):
        for fragment in from_chunk(chunk(piece, name=None if number else name)):
            call, _ = assembler.feed(fragment)
    assert call is not None
    return call


def opened(*pieces: str, name: str = TOOL.name) -> OpenCall | None:
    return OpenCall.of(arriving(*pieces, name=name), AIMessageChunk, 0)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(opened('{"topic":"S'), id="one piece: the next may hold it again"),
        pytest.param(opened('{"to', '{"topic":"S'), id="a cumulative stream"),
        pytest.param(opened('{"a', '":1}', name="search"), id="an ordinary call"),
        pytest.param(opened("{", "}"), id="a whole object: another may follow"),
    ],
)
def test_a_call_that_may_go_on_otherwise_is_not_open(call: OpenCall | None) -> None:
    """Only where nothing but the next piece can come is the fast way taken."""
    assert call is None


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(chunk("x", name="render_quiz"), id="a name"),
        pytest.param(chunk("x", index=1), id="another place"),
        pytest.param(chunk("x", call_id="call_2"), id="an id"),
        pytest.param(chunk("x", response_metadata={"finish_reason": "stop"}), id="an end"),
        pytest.param(AIMessageChunk("text"), id="no call"),
        pytest.param(AIMessageChunk("", tool_call_chunks=chunk("x").tool_call_chunks * 2), id="two pieces"),
        pytest.param({"type": "AIMessageChunk"}, id="a dict"),
    ],
)  # fmt: skip
def test_a_chunk_that_is_more_than_a_piece_is_not_read(other: Any) -> None:
    """It is left to the careful way, and nothing of it was taken."""
    call = opened('{"topic":', '"SQL ')
    assert call is not None
    assert call.next_piece(other) is None
    assert call.next_piece(chunk("win")) == "win"


CLIENTS: dict[str, tuple[type[ProviderServer], type[Any], dict[str, Any]]] = {
    "OpenAI chat": (OpenAIChatServer, ChatOpenAI, {}),
    "OpenAI Responses": (OpenAIResponsesServer, ChatOpenAI, {"use_responses_api": True}),
    "Anthropic": (AnthropicServer, ChatAnthropic, {}),
}


@pytest.mark.parametrize(("server", "client", "options"), CLIENTS.values(), ids=CLIENTS)
def test_the_pieces_of_real_clients_are_ordinary(
    server: type[ProviderServer], client: type[Any], options: dict[str, Any]
) -> None:
    """Whatever each client puts beside them: else every chunk would be read the slow way."""
    with server([Answer(calls=[(TOOL.name, TEXT + "}", "call_1")], chunk=4)]) as running:
        model = client(model="imitation", base_url=running.base_url, api_key="none", **options)
        streamed = model.bind_tools([TOOL.spec()]).stream("Plan SQL")
        chunks = [chunk for chunk in streamed if chunk.tool_call_chunks]
    assembler, call = Assembler(readings_of([TOOL])), None
    first = [fragment for chunk in chunks[:4] for fragment in from_chunk(chunk)]
    for fragment in first:
        call, _ = assembler.feed(fragment)
    assert call is not None
    opened = OpenCall.of(call, AIMessageChunk, first[-1].index)
    assert opened is not None
    for chunk in chunks[4:]:
        piece = opened.next_piece(chunk)
        assert piece is not None
        opened.send(piece)
    assert opened.progress.complete


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_the_fast_way_reads_what_the_careful_way_reads(size: int) -> None:
    """Piece by piece the same deltas, and an empty piece changes nothing."""
    pieces = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    call = opened(*pieces[:2])
    assembler = Assembler(readings_of([TOOL]))
    slow = [
        assembler.feed(fragment)[1]
        for number, piece in enumerate(pieces)
        for fragment in from_chunk(chunk(piece, name=None if number else TOOL.name))
    ]
    assert call is not None
    assert [call.send(call.next_piece(chunk(piece)) or "") for piece in pieces[2:]] == slow[2:]
    assert call.next_piece(chunk(None)) == ""


def test_what_follows_the_object_in_its_last_piece_is_healed() -> None:
    """The fast way ends there, and the careful one goes on."""
    call = opened('{"topic":', '"S')
    assert call is not None
    deltas = call.send('QL"}{"topic":"CTEs"')
    assert call.progress.over
    assert apply({"topic": "S"}, call.end(deltas)) == {"topic": "CTEs"}

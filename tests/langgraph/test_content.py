from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage

from rendercall.langgraph.content import content_of

CALL: Any = {"name": "render_x", "args": {"a": 1}, "id": "c1", "type": "tool_call"}
THOUGHT = {"type": "reasoning", "reasoning": "Hm.", "extras": {"signature": "s"}}
TEXT = {"type": "text", "text": "Here."}


def message(content: Any, provider: str = "anthropic", **metadata: Any) -> AIMessage:
    metadata = {"model_provider": provider, **metadata}
    return AIMessage(content, tool_calls=[CALL], response_metadata=metadata)


SAME: dict[str, list[AIMessage]] = {
    "text": [
        message("Here."),
        message(["Here.", ""]),
        message([TEXT, {"type": "tool_use", "id": "c1", "name": "render_x", "input": {"a": 1}}]),
        message([TEXT, {**CALL, "index": 1}], output_version="v1"),
        message([{"type": "text", "text": "Here.", "id": "msg_1", "annotations": []}], "openai"),
    ],
    "reasoning": [
        message(
            [
                {"type": "thinking", "thinking": "Hm.", "signature": "s", "index": 0},
                {**TEXT, "index": 1},
                {"type": "tool_use", "id": "c1", "name": "render_x", "input": {}, "index": 2,
                 "partial_json": '{"a": 1}'},
            ]
        ),
        message([{**THOUGHT, "index": 0}, {**TEXT, "index": 1}, CALL], output_version="v1"),
    ],
}  # fmt: skip
EXPECTED: dict[str, Any] = {"text": "Here.", "reasoning": [THOUGHT, TEXT, CALL]}


@pytest.mark.parametrize("name", SAME)
def test_every_shape_of_a_content_becomes_one(name: str) -> None:
    """Text alone is a string; with anything else it is standard blocks, the call in its place."""
    for one in SAME[name]:
        assert content_of(one, [CALL]) == EXPECTED[name]


def test_a_broken_call_leaves_the_content() -> None:
    """What a merger of chunks made of its args is nowhere; the raw text is in the calls."""
    guessed = {**CALL, "args": {"a": 3}}
    one = message([THOUGHT, guessed], output_version="v1")
    assert content_of(one, [None]) == [THOUGHT]


def test_the_args_are_the_true_ones() -> None:
    """A block says what `tool_calls` says."""
    guessed = {**CALL, "args": {"a": 3}, "extras": {"item_id": "fc_1", "status": "completed"}}
    one = message([THOUGHT, guessed], output_version="v1")
    assert content_of(one, [CALL]) == [THOUGHT, {**CALL, "extras": {"item_id": "fc_1"}}]


def test_citations_are_kept() -> None:
    """Text with annotations stays in blocks."""
    cited = {**TEXT, "annotations": [{"type": "citation", "url": "https://example.com"}]}
    assert content_of(message([cited], output_version="v1"), []) == [cited]

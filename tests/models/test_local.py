"""The local model: its settings without weights, and one real answer with them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from rendercall.errors import MissingExtra, ModelError
from rendercall.models import LocalModel, bounded_schema, is_installed, local_chat_model
from rendercall.models import local as local_module

STRING = {"type": "string", "minLength": 1}
PLAN = {
    "type": "object",
    "properties": {
        "topic": STRING,
        "level": {"enum": ["beginner", "intermediate", "advanced"], "type": "string"},
        "objectives": {"type": "array", "items": STRING, "minItems": 1},
        "lessons": {"type": "array", "items": {"$ref": "#/$defs/Lesson"}, "minItems": 1},
        "total_minutes": {"type": "integer", "exclusiveMinimum": 0},
    },
    "required": ["topic", "level", "objectives", "lessons", "total_minutes"],
    "additionalProperties": False,
    "$defs": {
        "Lesson": {
            "type": "object",
            "properties": {
                "title": STRING,
                "duration_minutes": {"type": "integer", "exclusiveMinimum": 0},
            },
            "required": ["title", "duration_minutes"],
            "additionalProperties": False,
        }
    },
}
TOOL = {"type": "function", "function": {"name": "render_plan", "parameters": PLAN}}


@pytest.mark.parametrize(
    ("schema", "bounded"),
    [
        pytest.param({"type": "string"}, {"maxLength": 80}, id="string"),
        pytest.param({"type": "string", "maxLength": 9}, {}, id="own-maximum-stays"),
        pytest.param({"type": "string", "minLength": 500}, {"maxLength": 500}, id="own-minimum"),
        pytest.param({"type": "string", "enum": ["a"]}, {}, id="enum"),
        pytest.param({"type": "string", "pattern": "a+"}, {}, id="pattern"),
        pytest.param({"type": "array", "minItems": 8}, {"maxItems": 8}, id="array"),
        pytest.param({"type": "integer"}, {"maximum": 9999}, id="integer"),
        pytest.param({"type": "integer", "minimum": 10**6}, {"maximum": 10**6}, id="large-integer"),
        pytest.param({"type": "integer", "exclusiveMaximum": 5}, {}, id="exclusive-maximum"),
        pytest.param({"type": "boolean"}, {}, id="boolean"),
        pytest.param({"default": {"type": "string"}}, {}, id="a-default-is-no-schema"),
    ],
)
@pytest.mark.parametrize("place", ["", "items", "properties/type", "$defs/X", "anyOf/0"])
def test_what_has_no_end_gets_one(
    schema: dict[str, Any], bounded: dict[str, Any], place: str
) -> None:
    """Lists, strings and integers are bounded wherever they stand; nothing else changes."""

    def at(inner: dict[str, Any]) -> dict[str, Any]:
        keyword, _, name = place.partition("/")
        if not keyword:
            return inner
        if name == "0":
            return {keyword: [inner]}
        return {keyword: {name: inner} if name else inner}

    before = json.dumps(at(schema))
    assert bounded_schema(at(schema)) == at({**schema, **bounded})
    assert json.dumps(at(schema)) == before


@given(
    st.recursive(
        st.booleans() | st.just({"type": "string"}), lambda s: st.fixed_dictionaries({"items": s})
    )
)
def test_bounding_twice_changes_nothing_more(schema: Any) -> None:
    """It is idempotent, for the schemas true and false too."""
    assert bounded_schema(bounded_schema(schema)) == bounded_schema(schema)


def test_missing_weights_say_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No weights is a ModelError before anything starts."""
    pytest.importorskip("xllamacpp")
    assert not is_installed(tmp_path / "none.gguf")
    with pytest.raises(ModelError, match="Give a GGUF file"):
        local_chat_model(tmp_path / "none.gguf")
    monkeypatch.setattr(local_module, "_packaged_weights", lambda: None)
    assert not is_installed()
    with pytest.raises(ModelError, match="make local-model"):
        local_chat_model()


def test_a_missing_engine_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without xllamacpp the error names the extra."""
    monkeypatch.setattr(local_module, "find_spec", lambda _: None)
    assert not is_installed()
    with pytest.raises(MissingExtra, match=r"rendercall\[local\]"):
        local_chat_model()


@pytest.mark.model
def test_a_file_that_is_no_model_is_a_model_error(tmp_path: Path) -> None:
    """llama.cpp's refusal is told with the file and what to check."""
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF but not really")
    model = local_chat_model(broken)
    with pytest.raises(ModelError, match="complete GGUF file"):
        model.invoke("x")


@pytest.mark.model
def test_a_real_model_streams_a_valid_render_call(capfd: pytest.CaptureFixture[str]) -> None:
    """The topic asked for arrives as a schema-valid call, in many fragments, without logs."""
    model = local_chat_model(seed=1).bind_tools([TOOL])
    question = HumanMessage(
        "Make a learning plan about: Photosynthesis\n"
        'Answer in JSON. Start with {"topic": "Photosynthesis"'
    )
    first, *rest = model.stream([question])
    message: Any = first + rest  # type: ignore[operator]  # chunks add lists
    (call,) = message.tool_calls
    assert call["name"] == "render_plan"
    assert call["args"]["topic"] == "Photosynthesis"
    assert list(call["args"]) == list(PLAN["properties"])  # type: ignore[call-overload]
    assert message.response_metadata["finish_reason"] == "tool_calls"
    assert message.usage_metadata["output_tokens"] > 20
    assert message.content == ""
    assert len(rest) > 20
    assert capfd.readouterr() == ("", "")


@pytest.mark.model
def test_one_server_serves_every_loop_and_a_cut_answer_stays_cut() -> None:
    """Two event loops use the same server; too few tokens give "length" and the raw text."""
    chat = local_chat_model(seed=1)
    model = chat.bind_tools([TOOL])
    for _ in range(2):
        message = asyncio.run(model.ainvoke("Make a learning plan about: Git", max_tokens=8))
        assert message.response_metadata["finish_reason"] == "length"
        assert message.tool_calls == []
        assert message.invalid_tool_calls[0]["args"]
    weights = local_module._packaged_weights()
    assert weights
    assert LocalModel(weights).start() is LocalModel(weights).start()
    assert message.response_metadata["model_name"] == weights.stem

from __future__ import annotations

import json
from typing import Any

import pytest
from google.genai import types
from langchain.agents import create_agent
from langchain_core.tools import tool
from pydantic import BaseModel

from rendercall import RenderTool, last_render
from rendercall.errors import SchemaRefused
from rendercall.langgraph import RenderMiddleware, render_graph
from tests.langgraph.provider_clients import PROVIDERS
from tests.providers.http import Answer


class Lesson(BaseModel):
    """A lesson."""

    title: str
    minutes: int = 30


class Course(BaseModel):
    """A course."""

    topic: str
    level: int | str = 1
    lessons: list[Lesson | str]


class Tree(BaseModel):
    """A tree."""

    name: str
    kids: list[Tree]


class Deep(BaseModel):
    """Five levels."""

    a: list[list[list[list[int]]]]


@tool
def search_docs(query: str) -> str:
    """Search the documentation."""
    return f"hits for {query}"


TEXT = '{"topic":"Tea","level":null,"lessons":[{"title":"Pour","minutes":null}]}'
PLAIN = '{"topic":"Tea","lessons":[{"title":"Pour"}]}'


def build(kind: str, model: Any, render: RenderTool[Any]) -> Any:
    """A graph or an agent."""
    if kind == "graph":
        return render_graph(model, render, tools=[search_docs])
    return create_agent(model, [search_docs], middleware=[RenderMiddleware(render)])


def run(kind: str, name: str, render: RenderTool[Any], text: str) -> tuple[Any, dict[str, Any]]:
    """The state that a run leaves, and the request that it made."""
    provider = PROVIDERS[name]
    with provider.server([Answer(calls=[(render.name, text, "call12345")])]) as server:
        graph = build(kind, provider.client(server, False), render)
        state = graph.invoke({"messages": [("user", "Teach me.")]})
        return state, server.requests[0]


def schema_in(request: dict[str, Any], render: RenderTool[Any]) -> tuple[dict[str, Any], Any]:
    """The render tool's schema in a request, and whether it is strict."""
    for one in request["tools"]:
        for function in one.get("functionDeclarations", [one.get("function", one)]):
            if function["name"] == render.name:
                for key in ("parameters", "input_schema", "parameters_json_schema"):
                    if key in function:
                        return function[key], function.get("strict")
    raise AssertionError(request["tools"])


@pytest.mark.parametrize("kind", ["graph", "agent"])
@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("target", ["portable", "auto"])
def test_every_provider_accepts_the_form_that_it_gets(target: Any, name: str, kind: str) -> None:
    """Strict mode is used where "auto" says so and the provider has it; both end the same way."""
    render = RenderTool(Course, target=target)
    is_openai = name.startswith(("openai", "responses"))
    strict = target == "auto" and (is_openai or name == "anthropic")
    text = TEXT if strict and is_openai else PLAIN
    state, request = run(kind, name, render, text)
    shown = last_render(state["messages"], render)
    assert shown.require() == Course(topic="Tea", lessons=[Lesson(title="Pour")])
    schema, flag = schema_in(request, render)
    assert bool(flag) == strict
    assert flag is (strict if is_openai else (True if strict else None))
    assert ("additionalProperties" in schema) == strict


@pytest.mark.parametrize("kind", ["graph", "agent"])
@pytest.mark.parametrize("name", ["gemini", "openai chat", "anthropic", "mistral"])
def test_a_model_that_contains_itself_arrives_whole(name: str, kind: str) -> None:
    """Whatever the client does to schemas on their way, its own description is there."""
    render = RenderTool(Tree, target="auto")
    text = '{"name":"a","kids":[{"name":"b","kids":[]}]}'
    state, request = run(kind, name, render, text)
    assert last_render(state["messages"], render).status == "ok"
    schema = json.dumps(schema_in(request, render)[0])
    assert '"items": {"$ref": "#/$defs/Tree"}' in schema
    assert '"items": {}' not in schema


@pytest.mark.parametrize("kind", ["graph", "agent"])
def test_what_a_provider_cannot_take_is_refused_before_any_request(kind: str) -> None:
    """The reasons are in the error, and the server has seen nothing."""
    provider = PROVIDERS["gemini"]
    with provider.server() as server:
        graph = build(kind, provider.client(server, False), RenderTool(Deep))
        with pytest.raises(SchemaRefused, match="nest deeper than 4"):
            graph.invoke({"messages": [("user", "Teach me.")]})
        assert server.requests == []


REFUSALS = {
    "openai chat": "'additionalProperties' is required to be supplied and to be false.",
    "openai responses": "'additionalProperties' is required to be supplied and to be false.",
    "anthropic": "For 'object' type, 'additionalProperties' must be explicitly set to false",
}


@pytest.mark.parametrize(("name", "words"), REFUSALS.items())
def test_the_provider_refuses_a_strict_schema_that_is_not_rewritten(name: str, words: str) -> None:
    """In its own words: so the imitation's check is one, and rewriting is needed."""
    provider = PROVIDERS[name]
    schema = {key: one for key, one in RenderTool(Course).schema.items() if key != "description"}
    parts = {"name": "render_course", "description": "A course.", "strict": True}
    function = {"type": "function", "function": {**parts, "parameters": schema}}
    raw = {**parts, "input_schema": schema} if name == "anthropic" else function
    with provider.server() as server:
        bound = provider.client(server, False).bind_tools([raw])
        with pytest.raises(Exception, match="400"):
            bound.invoke("Teach me.")
        assert words in server.refusals[0].message


def test_gemini_refuses_a_schema_that_is_not_rewritten() -> None:
    """Numbers in an enum, in Google's own class."""
    provider = PROVIDERS["gemini"]
    schema = {"type": "object", "properties": {"week": {"type": "integer", "enum": [1, 2]}}}
    render = RenderTool.from_json_schema("render_week", "A week.", schema)
    declaration = types.FunctionDeclaration(name="x", parameters_json_schema=render.schema)
    with provider.server() as server:
        model = provider.client(server, False)
        bound = model.bind(tools=[types.Tool(function_declarations=[declaration])])
        with pytest.raises(Exception, match="invalid argument"):
            bound.invoke("Teach me.")
    run("graph", "gemini", render, '{"week":1}')

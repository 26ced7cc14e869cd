"""Render tools as they are bound to a chat model: the form and wire format of its provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from langchain_core.language_models import BaseChatModel

from rendercall.contract import RenderTool
from rendercall.contract.provider_schema import ProviderSchema
from rendercall.contract.targets import Target
from rendercall.errors import SchemaRefused
from rendercall.langgraph.provider_rules import Provider, provider_of

__all__ = ["binding"]

_STRICT: Mapping[Provider, Target] = {"openai": "openai_strict", "anthropic": "anthropic_strict"}
"""Strict modes. With extended thinking on, Anthropic answers any strict tool with a server error
after minutes (anthropics/anthropic-sdk-typescript#885)."""


def binding(
    model: BaseChatModel, tools: Sequence[Any], renders: Sequence[RenderTool[Any]]
) -> tuple[list[Any], dict[str, Any]]:
    """What to bind to a chat model, so that it is offered its tools and loses nothing of them.

    Args:
        model: the chat model of this call.
        tools: the ordinary tools, as its `bind_tools` takes them.
        renders: the render tools.

    Returns:
        The tools for `bind_tools`, and further options; without tools the options are for
        `bind`.

    Raises:
        SchemaRefused: the provider cannot take the schema of a render tool.
    """
    provider = provider_of(model)
    forms = [_form(tool, provider) for tool in renders]
    if provider == "google":
        return [], {"tools": _declared(tools, forms)}
    return [*tools, *(_spec(sent, provider) for sent in forms)], {}


def _spec(sent: ProviderSchema, provider: Provider | None) -> dict[str, Any]:
    """A render tool in the format that its provider's client keeps whole."""
    strict = provider is not None and sent.rules.name == _STRICT.get(provider)
    if strict and provider == "anthropic":
        # langchain-anthropic drops `strict` from a function in OpenAI's format.
        return {
            "name": sent.name,
            "description": sent.description,
            "input_schema": sent.parameters,
            "strict": True,
        }
    spec = sent.spec()
    if provider == "openai":
        # Responses may take a tool for strict where nothing is said (vercel/ai#7888).
        spec["function"]["strict"] = strict
    elif provider is not None:
        spec["function"].pop("strict", None)
    return spec


def _form(tool: RenderTool[Any], provider: Provider | None) -> ProviderSchema:
    """The tool's schema in the form for a provider: Google's models have one, and need it."""
    if provider == "google":
        rules = tool.target
        return tool.sent(rules if rules != "auto" and rules.name == "gemini" else "gemini")
    if tool.target != "auto":
        return tool.sent(tool.target)
    try:
        return tool.sent(_STRICT.get(provider, "portable") if provider else "portable")
    except SchemaRefused:
        return tool.sent("portable")


def _declared(tools: Sequence[Any], forms: Sequence[ProviderSchema]) -> list[Any]:
    """All tools in Google's own classes, the functions in one of them.

    langchain-google-genai rewrites a dict on its way: one type of a union is left of it, and a
    schema that contains itself ends in a text (`_function_utils`, `_dict_to_genai_schema`).
    """
    # Both are there, since the model is of this client.
    types = import_module("google.genai.types")
    client = import_module("langchain_google_genai._function_utils")
    declared: list[Any] = client.convert_to_genai_function_declarations(tools) if tools else []
    functions = [
        types.FunctionDeclaration(
            name=sent.name, description=sent.description, parameters_json_schema=sent.parameters
        )
        for sent in forms
    ]
    ordinary = [one for tool in declared for one in tool.function_declarations or ()]
    others = [tool for tool in declared if not tool.function_declarations]
    return [*others, types.Tool(function_declarations=[*ordinary, *functions])]

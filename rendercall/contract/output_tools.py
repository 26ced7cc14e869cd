"""Output tools ready to be used: the envelope around anybody's schema, and `final_output`."""

from __future__ import annotations

import json
from typing import Any

from rendercall.contract.bounds import Bounds
from rendercall.contract.content_policy import DEFAULT_POLICY, ContentPolicy
from rendercall.contract.render_tool import RenderTool

__all__ = ["final_output"]

_FINAL = {
    "type": "object",
    "properties": {
        "result": {"type": "object", "description": "The answer, as any JSON object."},
        "summary": {
            "type": "string",
            "maxLength": 280,
            "description": "What the result says, in one sentence.",
        },
    },
    "required": ["result"],
    "additionalProperties": False,
}


def final_output(
    name: str = "final_output",
    description: str = "Give the final answer. Call this once, when everything is known.",
    *,
    bounds: Bounds | None = None,
    content: ContentPolicy = DEFAULT_POLICY,
) -> RenderTool[dict[str, Any]]:
    """Make the output tool for an answer of no fixed form: `result`, and an optional `summary`.

    Its call ends the run like any render tool's. That says more than a model that merely
    calls no tool, which may be an end, a refusal, or a question.

    Args:
        name: what the model calls.
        description: what the model reads about it.
        bounds: size limits on the args.
        content: what is done about findings in its text.
    """
    schema = json.loads(json.dumps(_FINAL))
    return RenderTool.from_json_schema(name, description, schema, bounds=bounds, content=content)

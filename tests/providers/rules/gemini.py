"""The rules of Gemini's `POST /v1beta/models/{model}:generateContent` on the contents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .gemini_tools import declaration_messages
from .refusal import Refusal, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SIGNATURE_DOCS", "check"]

NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}")
NAME_RULE = (
    "Invalid function name. Must start with a letter or an underscore. Must be alphameric "
    "(a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64."
)
SIGNATURE_DOCS = "https://ai.google.dev/gemini-api/docs/thought-signatures"


def check(request: dict[str, Any], model: str = "") -> Refusal | None:
    """The first refusal that Gemini would give; `model` is the one in the request's path."""
    for refusal in _refusals(request, model):
        return refusal
    return None


def _refusals(request: dict[str, Any], model: str) -> Iterator[Refusal]:
    yield from _names(request)
    contents = request["contents"]
    for place, content in enumerate(contents):
        yield from _content(content, place)
    yield from _turns(contents)
    if model.startswith("gemini-3"):
        yield from _signatures(contents)


def _refuse(message: str) -> Refusal:
    error = {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}
    return Refusal(400, {"error": error}, message)


def _names(request: dict[str, Any]) -> Iterator[Refusal]:
    """https://github.com/google-gemini/gemini-cli/issues/6704."""
    for place, tool in enumerate(listed(request.get("tools"))):
        for number, function in enumerate(listed(tool.get("functionDeclarations"))):
            if not NAME.fullmatch(function["name"]):
                where = f"GenerateContentRequest.tools[{place}].function_declarations[{number}]"
                yield _refuse(f"* {where}.name: {NAME_RULE}\n")
            where = f"tools[{place}].function_declarations[{number}]"
            for message in declaration_messages(function, where):
                yield _refuse(message)


def _content(content: dict[str, Any], place: int) -> Iterator[Refusal]:
    """https://github.com/BerriAI/litellm/pull/22046, https://github.com/egoist/chatwise-releases/issues/250.

    A part without any data: https://github.com/boldsoftware/sketch/issues/68.
    """
    if content.get("role", "user") not in {"user", "model"}:
        yield _refuse("Please use a valid role: user, model.")
    where = f"* GenerateContentRequest.contents[{place}].parts"
    if not content.get("parts"):
        yield _refuse(f"{where}: contents.parts must not be empty.\n")
    for number, part in enumerate(listed(content.get("parts"))):
        if not part.keys() - {"thought", "thoughtSignature"}:
            rule = "required oneof field 'data' must have one initialized field"
            yield _refuse(f"{where}[{number}].data: {rule}\n")


def _turns(contents: list[Any]) -> Iterator[Refusal]:
    """A turn of calls stands after a user turn, and as many responses right after it.

    https://github.com/continuedev/continue/issues/11164 (calls),
    https://github.com/lobehub/lobehub/issues/7298 (responses),
    https://github.com/microsoft/vscode/issues/299295 (their number, orphaned calls too).
    Neighbours of one role are one turn.
    """
    turns = _merged(contents)
    empty: dict[str, Any] = {"role": "", "parts": []}
    for place, turn in enumerate(turns):
        before = turns[place - 1] if place else empty
        after = turns[place + 1] if place + 1 < len(turns) else None
        calls, responses = _parts(turn, "functionCall"), _parts(turn, "functionResponse")
        if calls and before["role"] != "user":
            yield _refuse(
                "Please ensure that function call turn comes immediately after a user turn or "
                "after a function response turn."
            )
        if responses and not _parts(before, "functionCall"):
            yield _refuse(
                "Please ensure that function response turn comes immediately after a function "
                "call turn."
            )
        if after and len(calls) != len(_parts(after, "functionResponse")) and calls:
            yield _refuse(
                "Please ensure that the number of function response parts is equal to the number "
                "of function call parts of the function call turn."
            )


def _merged(contents: list[Any]) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = []
    for content in contents:
        role = content.get("role", "user")
        if turns and turns[-1]["role"] == role:
            turns[-1]["parts"] += content["parts"]
        else:
            turns.append({"role": role, "parts": list(content["parts"])})
    return turns


def _parts(turn: dict[str, Any], key: str) -> list[Any]:
    return [part for part in turn["parts"] if key in part]


def _signatures(contents: list[Any]) -> Iterator[Refusal]:
    """The rule of `SIGNATURE_DOCS`; its words: https://github.com/lbjlaq/Antigravity-Manager/issues/3202.

    "The first functionCall part in each step of the current turn must include its
    thought_signature"; the turn starts at "the most recent user message with standard content
    (e.g. text)", and previous turns are not validated.
    """
    start = max(
        (place for place, content in enumerate(contents) if _speaks(content)),
        default=0,
    )
    for place, content in enumerate(contents):
        calls = _parts(content, "functionCall")
        if place > start and calls and not calls[0].get("thoughtSignature"):
            yield _refuse(
                "Function call is missing a thought_signature in functionCall parts. This is "
                "required for tools to work correctly, and missing thought_signature may lead to "
                "degraded model performance. Additional data, function call "
                f"`default_api:{calls[0]['functionCall']['name']}` , position {place + 1}. Please "
                f"refer to {SIGNATURE_DOCS} for more details."
            )


def _speaks(content: dict[str, Any]) -> bool:
    return content.get("role", "user") == "user" and bool(_parts(content, "text"))

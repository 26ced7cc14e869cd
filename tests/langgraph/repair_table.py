"""The repair table: what follows a wrong render call, in every agent.

A row is what the model writes, message by message, the last one again and again. Its outcome is
the status that `last_render` gives, the calls of the model, and the reasons of the answers that
the graph gave, under `max_repairs=2` unless the row has another.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rendercall.models import Call, Reply
from tests.langgraph.scripted_graph import BAD, CUT, GOOD, NAME, render, search

PATCH = f"patch_{NAME}"


class Row(NamedTuple):
    script: list[Reply]
    status: str
    model_calls: int
    reasons: list[str]
    options: dict[str, Any] = {}


def replace(path: str, value: Any) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


RIGHT = [replace("/level", "beginner"), replace("/total_minutes", 30)]


def patch(*operations: Any) -> Reply:
    """A message that patches."""
    return Reply(calls=[Call(PATCH, {"ops": list(operations)})])


def by(*calls: Call) -> Reply:
    return Reply("Some words.", calls=list(calls))


MANY = {**GOOD, "lessons": [{"title": "", "duration_minutes": 0}] * 11}

ROWS: dict[str, Row] = {
    "right at once": Row([render(BAD), patch(*RIGHT)], "ok", 2, ["invalid", "shown"]),
    "in two calls of a message": Row(
        [render(BAD), by(Call(PATCH, {"ops": RIGHT[:1]}), Call(PATCH, {"ops": RIGHT[1:]}))],
        "ok", 2, ["invalid", "shown", "shown"],
    ),
    "one leaf, then the other": Row(
        [render(BAD), patch(RIGHT[0]), patch(RIGHT[1])], "ok", 3, ["invalid", "patched", "shown"]
    ),
    "a wrong pointer, then right": Row(
        [render(BAD), patch(replace("/x/0", 1), *RIGHT), patch(*RIGHT)], "ok", 3, ["invalid", "unpatched", "shown"]
    ),
    "atomic: a right operation before a wrong one is undone": Row(
        [render(BAD), patch(*RIGHT, replace("/x/0", 1)), patch(RIGHT[1])], "invalid", 3, ["invalid", "unpatched"]
    ),
    "a wrong value, again and again": Row([render(BAD), patch(replace("/level", "hard"))], "invalid", 3, ["invalid", "patched"]),
    "a wrong pointer, again and again": Row([render(BAD), patch(replace("/x", 1))], "invalid", 3, ["invalid", "unpatched"]),
    "another field broken": Row(
        [render(BAD), patch(*RIGHT, {"op": "remove", "path": "/topic"}), patch({"op": "add", "path": "/topic", "value": "SQL"})],
        "ok", 3, ["invalid", "patched", "shown"],
    ),
    "another field broken, again and again": Row(
        [render(BAD), patch(*RIGHT, {"op": "add", "path": "/zz", "value": 1})], "invalid", 3, ["invalid", "patched"]
    ),
    "no operations": Row([render(BAD), patch()], "invalid", 3, ["invalid", "unpatched"]),
    "no JSON": Row([render(BAD), by(Call(PATCH, "{'ops'")), patch(*RIGHT)], "ok", 3, ["invalid", "unpatched", "shown"]),
    "args of another shape": Row([render(BAD), by(Call(PATCH, {"patch": 1}))], "invalid", 3, ["invalid", "unpatched"]),
    "two patches fail, then the whole is right": Row(
        [render(BAD), patch(replace("/x", 1)), patch(replace("/level", "hard")), render()],
        "ok", 4, ["invalid", "unpatched", "patched"], {"max_repairs": 3},
    ),
    "two patches fail, then the whole is wrong, then patched": Row(
        [render(BAD), patch(replace("/x", 1)), patch(replace("/x", 1)), render(BAD), patch(*RIGHT)],
        "ok", 5, ["invalid", "unpatched", "unpatched", "invalid", "shown"], {"max_repairs": 4},
    ),
    "a patch that nothing asks for any more": Row(
        [render(BAD), patch(replace("/x", 1))], "failed", 6,
        ["invalid", "unpatched", "unpatched", "unknown_tool", "unknown_tool", "max_repairs"], {"max_repairs": 5},
    ),
    "a patch that nothing asked for": Row([patch(*RIGHT), render()], "ok", 2, ["unknown_tool"]),
    "the whole again instead": Row([render(BAD), render()], "ok", 2, ["invalid"]),
    "the whole beside a patch": Row([render(BAD), by(Call(PATCH, {"ops": RIGHT}), Call(NAME, GOOD))], "ok", 2, ["invalid"]),
    "a wrong whole beside a patch": Row(
        [render(BAD), by(Call(PATCH, {"ops": RIGHT}), Call(NAME, BAD)), patch(*RIGHT)],
        "ok", 3, ["invalid", "invalid", "mixed", "shown"],
    ),
    "a search beside a patch, then right": Row(
        [render(BAD), by(Call(PATCH, {"ops": RIGHT}), search()), patch(*RIGHT)], "ok", 3, ["invalid", "mixed", "shown"]
    ),
    "a search first, then a patch": Row([render(BAD), by(search()), patch(*RIGHT)], "ok", 3, ["invalid", "shown"]),
    "wrong beside a search, then a patch": Row(
        [by(Call(NAME, BAD), search()), patch(*RIGHT)], "ok", 2, ["invalid", "shown"]
    ),
    "cut: the whole is asked for": Row([render(CUT), patch(*RIGHT), render()], "ok", 3, ["invalid", "unknown_tool"]),
    "broken: the whole is asked for": Row([render("{'a': 1}"), patch(*RIGHT), render()], "ok", 3, ["invalid", "unknown_tool"]),
    "too much is wrong: the whole is asked for": Row([render(MANY), patch(*RIGHT), render()], "ok", 3, ["invalid", "unknown_tool"]),
    "no repairs": Row([render(BAD), patch(*RIGHT)], "invalid", 1, [], {"max_repairs": 0}),
    "no patches": Row([render(BAD), patch(*RIGHT), render()], "ok", 3, ["invalid", "unknown_tool"], {"repair": "reask"}),
    "the last model call": Row([render(BAD), patch(replace("/x", 1))], "invalid", 2, ["invalid"], {"max_model_calls": 2}),
}  # fmt: skip

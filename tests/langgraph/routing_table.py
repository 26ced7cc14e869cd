"""The routing table: what follows each kind of model message, in every agent.

A row is one kind of message. Each is run streamed and whole, forced and free, since neither
may change its outcome.

- `render`: the render call that counts: right, breaking the schema, cut off in its args, or
  none at all.
- `company`: what stands before it in the message: nothing; an ordinary call; an ordinary
  call with broken args; a right call of the same render tool; a right call of another one.
  Without a render call: nothing, one, one broken, two of one tool, two of two tools.
- `text`: whether the message has text as well.

- `then_right`: the outcome where the model's next message is a right render call.
- `always`: the outcome where the model writes the same message again and again.

An outcome is the status that `last_render` gives, the model's calls, and how many ordinary
calls were run, under `max_repairs=2` and `max_model_calls=4`.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

from rendercall import RenderTool
from rendercall.models import Call, Reply
from tests.langgraph.scripted_graph import BAD, CUT, GOOD, NAME

Render: TypeAlias = Literal["valid", "invalid", "cut", "none"]
Company: TypeAlias = Literal["alone", "ordinary", "broken", "doubled", "two tools"]

FIRST = {**GOOD, "topic": "An earlier plan"}
QUIZ = RenderTool.from_json_schema("render_quiz", "A quiz.", {"type": "object"})
ARGS: dict[Render, Any] = {"valid": GOOD, "invalid": BAD, "cut": CUT}


class Outcome(NamedTuple):
    status: str
    model_calls: int
    executed: int


class Row(NamedTuple):
    render: Render
    company: Company
    text: bool
    then_right: Outcome
    always: Outcome

    @property
    def name(self) -> str:
        """The row's id in tests and reports."""
        return f"{self.render}, {self.company}{', text' if self.text else ''}"


def row(
    render: Render,
    company: Company,
    text: Literal["text", "-"],
    then_right: tuple[str, int, int],
    always: tuple[str, int, int],
) -> Row:
    return Row(render, company, text == "text", Outcome(*then_right), Outcome(*always))


ROWS = [
    row("valid", "alone", "-", ("ok", 1, 0), ("ok", 1, 0)),
    row("valid", "alone", "text", ("ok", 1, 0), ("ok", 1, 0)),
    row("valid", "ordinary", "-", ("ok", 2, 1), ("failed", 4, 3)),
    row("valid", "ordinary", "text", ("ok", 2, 1), ("failed", 4, 3)),
    row("valid", "broken", "-", ("ok", 2, 0), ("failed", 3, 0)),
    row("valid", "broken", "text", ("ok", 2, 0), ("failed", 3, 0)),
    row("valid", "doubled", "-", ("ok", 1, 0), ("ok", 1, 0)),
    row("valid", "doubled", "text", ("ok", 1, 0), ("ok", 1, 0)),
    row("valid", "two tools", "-", ("ok", 1, 0), ("ok", 1, 0)),
    row("valid", "two tools", "text", ("ok", 1, 0), ("ok", 1, 0)),
    row("invalid", "alone", "-", ("ok", 2, 0), ("invalid", 3, 0)),
    row("invalid", "alone", "text", ("ok", 2, 0), ("invalid", 3, 0)),
    row("invalid", "ordinary", "-", ("ok", 2, 1), ("invalid", 3, 2)),
    row("invalid", "ordinary", "text", ("ok", 2, 1), ("invalid", 3, 2)),
    row("invalid", "broken", "-", ("ok", 2, 0), ("invalid", 3, 0)),
    row("invalid", "broken", "text", ("ok", 2, 0), ("invalid", 3, 0)),
    row("invalid", "doubled", "-", ("ok", 2, 0), ("invalid", 3, 0)),
    row("invalid", "doubled", "text", ("ok", 2, 0), ("invalid", 3, 0)),
    row("invalid", "two tools", "-", ("ok", 2, 0), ("invalid", 3, 0)),
    row("invalid", "two tools", "text", ("ok", 2, 0), ("invalid", 3, 0)),
    row("cut", "alone", "-", ("ok", 2, 0), ("truncated", 3, 0)),
    row("cut", "alone", "text", ("ok", 2, 0), ("truncated", 3, 0)),
    row("cut", "ordinary", "-", ("ok", 2, 1), ("truncated", 3, 2)),
    row("cut", "ordinary", "text", ("ok", 2, 1), ("truncated", 3, 2)),
    row("cut", "broken", "-", ("ok", 2, 0), ("truncated", 3, 0)),
    row("cut", "broken", "text", ("ok", 2, 0), ("truncated", 3, 0)),
    row("cut", "doubled", "-", ("ok", 2, 0), ("truncated", 3, 0)),
    row("cut", "doubled", "text", ("ok", 2, 0), ("truncated", 3, 0)),
    row("cut", "two tools", "-", ("ok", 2, 0), ("truncated", 3, 0)),
    row("cut", "two tools", "text", ("ok", 2, 0), ("truncated", 3, 0)),
    row("none", "alone", "-", ("ok", 2, 0), ("failed", 3, 0)),
    row("none", "alone", "text", ("absent", 1, 0), ("absent", 1, 0)),
    row("none", "ordinary", "-", ("ok", 2, 1), ("failed", 4, 3)),
    row("none", "ordinary", "text", ("ok", 2, 1), ("failed", 4, 3)),
    row("none", "broken", "-", ("ok", 2, 0), ("failed", 3, 0)),
    row("none", "broken", "text", ("ok", 2, 0), ("failed", 3, 0)),
    row("none", "doubled", "-", ("ok", 2, 2), ("failed", 4, 6)),
    row("none", "doubled", "text", ("ok", 2, 2), ("failed", 4, 6)),
    row("none", "two tools", "-", ("ok", 2, 2), ("failed", 4, 6)),
    row("none", "two tools", "text", ("ok", 2, 2), ("failed", 4, 6)),
]


def reply(row: Row) -> Reply:
    """The model's message that a row is about."""
    search, broken = Call("search_docs", {"query": "rank"}), Call("search_docs", '{"query": ')
    if row.render == "none":
        calls: dict[Company, list[Call]] = {
            "alone": [],
            "ordinary": [search],
            "broken": [broken],
            "doubled": [search, search],
            "two tools": [search, Call("count_words", {"text": "a b"})],
        }
        return Reply("Some words." if row.text else "", calls=calls[row.company])
    before: dict[Company, list[Call]] = {
        "alone": [],
        "ordinary": [search],
        "broken": [broken],
        "doubled": [Call(NAME, FIRST)],
        "two tools": [Call("render_quiz", {"q": 1})],
    }
    return Reply(
        "Some words." if row.text else "",
        calls=[*before[row.company], Call(NAME, ARGS[row.render])],
        finish_reason="length" if row.render == "cut" else None,
    )

from __future__ import annotations

import json
from dataclasses import replace

from rendercall import last_render
from rendercall.consumer.cost import Cost
from tests.langgraph.scripted_graph import GOOD, NAME

COST = Cost(calls=2, written=300, repaired=90, seconds=1.25, first_field=0.5, output_tokens=80)


def test_a_noted_cost_is_read_back() -> None:
    """Through JSON, less what is as in a cost of nothing; no tokens are not unknown ones."""
    for cost in (COST, replace(COST, input_tokens=0), Cost()):
        noted = json.loads(json.dumps(cost.to_note()))
        assert "saved" not in noted
        assert Cost.of_note({"cost": noted}) == cost


def test_a_note_without_a_cost_has_none() -> None:
    """Nor has one that somebody else wrote, and what is not known of it is left out."""
    assert Cost.of_note({}) is None
    assert Cost.of_note({"cost": 3}) is None
    assert Cost.of_note({"cost": {"calls": 1, "later": 2}}) == Cost(calls=1)


def test_an_outcome_has_the_cost_of_its_turn(plan_tool: object) -> None:
    """From the turn's last message, whichever holds the call; outcomes compare without it."""
    call = {"name": NAME, "args": {**GOOD, "level": "easy"}, "id": "c1"}
    messages = [
        {"type": "human", "content": "plan"},
        {"type": "ai", "content": "", "tool_calls": [call], "response_metadata": {"rendercall": {"cost": {"calls": 1}}}},
        {"type": "ai", "content": "Hm.", "response_metadata": {"rendercall": {"cost": COST.to_note()}}},
    ]  # fmt: skip
    shown = last_render(messages, plan_tool)  # type: ignore[call-overload]
    assert shown.status == "invalid"
    assert shown.cost == COST
    assert last_render(messages[:2], plan_tool).cost == Cost(calls=1)  # type: ignore[call-overload]
    assert last_render(messages[:2], plan_tool) == shown  # type: ignore[call-overload]

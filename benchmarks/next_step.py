"""Which step a model takes after a tool's result: `python -m benchmarks.next_step [--json]`.

The situations are those of `tests/graphs/situations.py`, put to the rules of the incident graph
and to a chat model (the local one, or `--model provider:name`). The model reads the text that a
graph would give it, and answers with one of the four steps. It is measured, not asserted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import get_args

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage
from typing_extensions import TypedDict

from graphs.parts.next_step import Step, next_step
from rendercall import RenderTool, last_render
from rendercall.models import load_chat_model, local_chat_model
from tests.graphs.situations import SITUATIONS, Situation

STEPS = get_args(Step)

PROMPT = """\
You search logs in pages. Read the result of a search and choose the next step.
page_on: the result is truncated, and three pages or fewer are missing: call again with its cursor.
narrow: call with other arguments: much is missing, or the call was wrong, too large or too slow.
stop: the result is complete; answer.
report_gap: nothing was found, the tool failed for good, or no call is left; say what is missing."""


class NextStep(TypedDict):
    """Say what to do next."""

    step: Step


step_tool = RenderTool(NextStep)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", default="local", help='"local" or "provider:name"')
    parser.add_argument("--json", action="store_true", help="print JSON")
    chosen = parser.parse_args(argv)
    is_local = chosen.model == "local"
    model = local_chat_model(temperature=0.0, seed=0) if is_local else load_chat_model(chosen.model)
    rows = [(one, next_step(one.outcome, one.calls_left), asked(model, one)) for one in SITUATIONS]
    if chosen.json:
        told = [
            {"situation": one.name, "right": one.step, "rules": rules, "model": answer}
            for one, rules, answer in rows
        ]
        print(json.dumps(told, indent=2))
        return 0
    print(f"{'situation':40} {'right':11} {'rules':11} {chosen.model}")
    for one, rules, answer in rows:
        print(f"{one.name:40} {one.step:11} {rules:11} {answer}")
    _print_share("rules", [rules == one.step for one, rules, _ in rows])
    _print_share(chosen.model, [answer == one.step for one, _, answer in rows])
    commonest = max(Counter(one.step for one, _, _ in rows).values())
    print(f"always the commonest step: {commonest}/{len(rows)}; by chance: 1 in {len(STEPS)}")
    return 0


def asked(model: BaseChatModel, situation: Situation) -> str:
    """The step that the model takes; the status where it gave no answer."""
    left = f"Calls left: {situation.calls_left}. Call {step_tool.name}."
    messages = [SystemMessage(PROMPT), HumanMessage(f"{situation.message.text}\n\n{left}")]
    answer = model.bind_tools([step_tool.spec()]).invoke(messages)
    shown = last_render([*messages, answer], step_tool)
    return shown.value["step"] if shown.value else shown.status


def _print_share(name: str, right: Sequence[bool]) -> None:
    print(f"{name}: {sum(right)}/{len(right)} right")


if __name__ == "__main__":
    sys.exit(main())

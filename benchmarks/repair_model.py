"""The plans of `benchmarks.repair`, the damage to them, and a model that mends what it is told."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.providers.http import Answer

__all__ = ["CHUNK", "Case", "ScriptedModel", "cases", "tools_of"]

CHUNK = 16
"""Characters an event of a stream."""

SLIPS = 10
"""One plan in so many has a correction that goes wrong; every second of these has no other."""

_WORDS = [
    "define",
    "schema",
    "first",
    "then",
    "route",
    "the",
    "final",
    "call",
    "away",
    "from",
    "tools",
    "and",
    "check",
    "each",
    "field",
]
_WRONG: dict[str, tuple[Any, ...]] = {
    "level": ("easy", "expert", 3),
    "duration_minutes": (0, -15, "half an hour", None),
    "total_minutes": (0, -1, "a day"),
    "title": ("", None, 7),
    "topic": ("", None),
}
"""Values that every peer refuses, strict or not."""


@dataclass(frozen=True)
class Case:
    """One plan.

    Attributes:
        right: the plan that the model means.
        wrong: what it writes at first.
        places: where the two differ.
        slips: how many of the model's corrections go wrong as well: a pointer to nowhere, or one
            leaf that stays as it was.
    """

    right: dict[str, Any]
    wrong: dict[str, Any]
    places: tuple[tuple[str | int, ...], ...]
    slips: int

    def with_right_places(self, value: Any) -> Any:
        """A plan, right where the wrong one was wrong; as it is where it lacks such a place."""
        mended = copy.deepcopy(value)
        try:
            for path in self.places:
                *parents, last = path
                _at(mended, parents)[last] = _at(self.right, path)
        except (KeyError, IndexError):
            return value
        return mended


def cases(number: int, size: int = 3200) -> Iterator[Case]:
    """Plans of about `size` characters with one to three wrong leaves, one in ten with slips."""
    rng = random.Random(6)  # noqa: S311 - made-up documents are no secret
    for position in range(number):
        right = _plan(rng, size)
        wrong = copy.deepcopy(right)
        leaves = [("topic",), ("level",), ("total_minutes",)]
        leaves += [("lessons", n, "duration_minutes") for n in range(len(right["lessons"]))] * 2
        leaves += [("lessons", n, "title") for n in range(len(right["lessons"]))]
        places = tuple(sorted(set(rng.sample(leaves, 1 + position % 3)), key=str))
        for path in places:
            *parents, last = path
            _at(wrong, parents)[last] = rng.choice(_WRONG[str(last)])
        slips = (position % SLIPS == SLIPS - 1) * (99 if position % (2 * SLIPS) >= SLIPS else 1)
        yield Case(right, wrong, places, slips)


def _plan(rng: random.Random, size: int) -> dict[str, Any]:
    def words(n: int) -> str:
        return " ".join(rng.choices(_WORDS, k=n)).capitalize()

    plan: dict[str, Any] = {
        "topic": words(5),
        "level": rng.choice(["beginner", "intermediate", "advanced"]),
        "objectives": [words(6) for _ in range(5)],
        "lessons": [],
        "total_minutes": 0,
    }
    while len(json.dumps(plan)) < size:
        plan["lessons"].append({"title": words(6), "duration_minutes": rng.randint(5, 90)})
    plan["total_minutes"] = sum(lesson["duration_minutes"] for lesson in plan["lessons"])
    return plan


def _at(node: Any, path: Any) -> Any:
    for key in path:
        node = node[key]
    return node


def _pointer(path: Any) -> str:
    return "".join(f"/{key}" for key in path)


def tools_of(request: dict[str, Any]) -> tuple[str, str]:
    """The names of the answer's tool, and of the patch tool: ours, trustcall's; "" without one."""
    names = [tool["function"]["name"] for tool in request["tools"]]
    answer = next((one for one in names if not one.startswith(("patch_", "Patch"))), "")
    return answer, next((one for one in names if one.startswith(("patch_", "PatchFunction"))), "")


@dataclass
class ScriptedModel:
    """Answers the requests of one case as a model does that follows what it is told.

    It calls the answer's tool with the plan; asked again, it patches where a patch tool is
    offered (ours, trustcall's), and writes the whole again elsewhere. A leaf that it was not told
    of stays wrong.
    """

    case: Case
    delay: float = 0.0
    answers: list[Answer] = field(default_factory=list[Answer])
    _ids: Any = field(default_factory=count)

    def __call__(self, request: dict[str, Any]) -> Answer:
        """The answer to a request in OpenAI's form."""
        name, args = self._call(request)
        text = json.dumps(args)
        call = (name, text, f"call_{next(self._ids)}")
        answer = Answer(calls=[call], delay=self.delay, chunk=CHUNK)
        self.answers.append(answer)
        return answer

    def _call(self, request: dict[str, Any]) -> tuple[str, Any]:
        answer, patch = tools_of(request)
        if not self.answers:
            return answer, self.case.wrong
        slips = len(self.answers) <= self.case.slips
        target = self._target(request)
        if not patch:
            if slips:
                *parents, last = self.case.places[0]
                _at(target, parents)[last] = _at(self.case.wrong, parents)[last]
            return answer, target
        operations = list(_difference(self._standing(request), target, ()))
        if slips:
            operations[0] = {**operations[0], "op": "replace", "path": "/plan/0/nowhere"}
        if patch.startswith("patch_"):
            return patch, {"ops": operations}
        planned = {"json_doc_id": self._first_id(request), "planned_edits": "Correct the leaves."}
        return patch, {**planned, "patches": operations}

    def _target(self, request: dict[str, Any]) -> dict[str, Any]:
        """The plan as far as the model knows better: right at the places it was told of."""
        said = json.dumps(
            [one["content"] for one in request["messages"] if one["role"] != "assistant"]
        )
        told = [path for path in self.case.places if f"{_pointer(path)}:" in said]
        told = told or list(self.case.places)  # a peer that does not speak in pointers names all
        target = copy.deepcopy(self.case.wrong)
        for path in told:
            *parents, last = path
            _at(target, parents)[last] = _at(self.case.right, path)
        return target

    def _standing(self, request: dict[str, Any]) -> Any:
        """The args that are to be patched, with every patch since that applies."""
        calls = [
            call["function"]
            for message in request["messages"]
            for call in message.get("tool_calls") or ()
        ]
        standing: Any = json.loads(calls[0]["arguments"])
        for call in calls[1:]:
            operations = json.loads(call["arguments"]).get("ops", ())
            if not any("nowhere" in one["path"] for one in operations):
                for operation in operations:
                    _apply(standing, operation)
        return standing

    @staticmethod
    def _first_id(request: dict[str, Any]) -> str:
        text = json.dumps(request["messages"])
        return "call_0" if "call_0" in text else ""


def _difference(old: Any, new: Any, path: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    """Operations that turn one document into the other, the shortest that leaf by leaf gives."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in new.items():
            if key in old:
                yield from _difference(old[key], value, (*path, key))
            else:
                yield {"op": "add", "path": _pointer((*path, key)), "value": value}
    elif isinstance(old, list) and isinstance(new, list):
        for index, value in enumerate(new):
            if index < len(old):
                yield from _difference(old[index], value, (*path, index))
            else:
                yield {"op": "add", "path": _pointer((*path, "-")), "value": value}
    elif old != new or type(old) is not type(new):
        yield {"op": "replace", "path": _pointer(path), "value": new}


def _apply(document: Any, operation: dict[str, Any]) -> None:
    *parents, last = operation["path"].split("/")[1:]
    holder = document
    for key in parents:
        holder = holder[int(key) if isinstance(holder, list) else key]
    if last == "-":
        holder.append(operation["value"])
    else:
        holder[int(last) if isinstance(holder, list) else last] = operation["value"]

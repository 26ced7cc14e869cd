"""Every case of `tests/cases`, and of the folder that RENDERCALL_CASES names."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage

from tests.case_runner import Seen, outline, run, state_of, tool_of

FOLDERS = [Path(__file__).parent / "cases"]
if os.environ.get("RENDERCALL_CASES"):
    FOLDERS.append(Path(os.environ["RENDERCALL_CASES"]))
CASES = [
    json.loads(path.read_text()) for folder in FOLDERS for path in sorted(folder.glob("*.json"))
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_strict(case: dict[str, Any]) -> None:
    """As the case says, with the strict default."""
    seen = run(case)
    expected = case["expect"]
    check_result(seen, expected.get("result"))
    check_findings(seen, expected.get("result") or {})
    check_calls(seen, case)
    check_partials(seen, expected.get("partials", ()))
    check_run(seen, expected)
    if "history_out" in expected:
        assert outline(seen.prepared) == expected["history_out"]
    check_schema(seen, expected)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case["id"])
        for case in CASES
        if case["input"]["type"] not in {"schema", "model_script"} and "result" in case["expect"]
    ],
)
def test_mended(case: dict[str, Any]) -> None:
    """With mending: another answer only where the case has one."""
    seen = run(case, "lossless")
    check_findings(seen, case["expect"]["result"])
    check_result(seen, case["expect"].get("repair_result") or case["expect"]["result"])


def check_result(seen: Seen, expected: dict[str, Any] | None) -> None:
    if expected is None:
        return
    result = seen.result
    assert result is not None
    assert result.status == expected["status"], result
    assert result.error_kind == expected.get("error_kind")
    if "value" in expected:
        value = result.require()
        dumped = value.model_dump(mode="json") if hasattr(value, "model_dump") else value
        assert dumped == expected["value"]
        # 20 and 20.0 are equal in Python, and two things in JSON.
        assert json.dumps(dumped, sort_keys=True) == json.dumps(expected["value"], sort_keys=True)
    else:
        assert result.value is None
    if "error_paths" in expected:
        assert sorted(issue.pointer for issue in result.errors) == sorted(expected["error_paths"])
    codes = [notice.code for notice in result.warnings]
    assert set(expected.get("warnings", ())) <= set(codes)
    if "warnings_exact" in expected:
        assert codes == expected["warnings_exact"]
    if "refusal" in expected:
        assert result.refusal == expected["refusal"]


def check_findings(seen: Seen, expected: dict[str, Any]) -> None:
    """Each expected one at its place; a text may look like more than one thing."""
    if "findings" in expected:
        assert seen.result is not None
        found = {(one.pointer, one.kind) for one in seen.result.findings}
        assert {(one["path"], one["rule"]) for one in expected["findings"]} <= found


def check_calls(seen: Seen, case: dict[str, Any]) -> None:
    for call, expected in zip(seen.calls, case["expect"].get("calls", ()), strict=False):
        assert call.name == expected["name"]
        assert call.id == expected["id"] or (expected["id"] == "*" and call.id)
        assert state_of(call, tool_of(case)) == expected["state"]
        if "args_text" in expected:
            assert call.text == expected["args_text"]
        if "args" in expected:
            assert json.loads(call.text) == expected["args"]
    if "calls" in case["expect"] and case["input"]["type"] != "sdk_events":
        assert len(seen.calls) == len(case["expect"]["calls"])
        assert len({call.id for call in seen.calls}) == len(seen.calls)


def check_partials(seen: Seen, expected: Any) -> None:
    for partial in expected:
        assert seen.partials[partial["after"]] == partial["value"], partial["after"]


def check_schema(seen: Seen, expected: dict[str, Any]) -> None:
    """What a provider refuses in a schema, and the schema that it gets instead."""
    if "lint" in expected:
        found = {(issue.code, issue.pointer) for issue in seen.lint}
        assert found == {(one["rule"], one["path"]) for one in expected["lint"]}
        assert (not seen.lint) == expected["accept"]
        assert (seen.sent.parameters if seen.sent else None) == expected["rewritten"]
        assert (seen.refused is None) == (expected["rewritten"] is not None)


def check_run(seen: Seen, expected: dict[str, Any]) -> None:
    """Route, executed tools and answers, read from the messages that the graph left."""
    if "model_calls" in expected:
        assert seen.requests == expected["model_calls"]
    if "executed" in expected:
        executed = [
            one.tool_call_id
            for one in seen.messages
            if isinstance(one, ToolMessage) and not one.additional_kwargs
        ]
        assert executed == expected["executed"]
    if "tool_messages" in expected:
        given = {one.tool_call_id: one for one in seen.messages if isinstance(one, ToolMessage)}
        for answer in expected["tool_messages"]:
            message = given[answer["tool_call_id"]]
            assert message.status == answer["status"]
            assert all(word in message.text for word in answer.get("must_mention", ()))
    if seen.messages and expected.get("route"):
        route = expected["route"] if isinstance(expected["route"], list) else [expected["route"]]
        steps = [
            one.response_metadata["rendercall"]["next"]
            for one in seen.messages
            if isinstance(one, AIMessage)
        ]
        after_tools = ["model" if step == "tools" else None for step in steps]
        walked = [stop for pair in zip(steps, after_tools, strict=True) for stop in pair if stop]
        assert walked == route

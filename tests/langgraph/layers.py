"""One answer for each layer that can stop it while a graph runs."""

from __future__ import annotations

from typing import Any

from rendercall.errors import IssueKind, Layer
from rendercall.models import Call, Reply
from tests.langgraph.skilled import ARGS, DATA

Stopped = tuple[Reply, Layer, IssueKind, str, str]


def call(args: Any) -> Reply:
    return Reply(calls=[Call("output_weather", args)])


STOPPED: dict[str, Stopped] = {
    # the answer: layer, kind, rule, pointer
    "no JSON": (call("{'data': 1}"), "args", "json_syntax", "json_syntax", ""),
    "no args": (call(""), "args", "empty_args", "empty", ""),
    "no object": (call("[1]"), "args", "not_object", "not_object", ""),
    "a key twice": (call('{"data":{},"data":{}}'), "args", "bounds", "duplicate_key", "/data"),
    "too deep": (call('{"data":' * 99 + "1" + "}" * 99), "args", "bounds", "too_deep", "/data" * 64),
    "a wrong type": (call({**ARGS, "data": {**DATA, "high": "20"}}), "value", "schema", "type", "/data/high"),
    "an unknown key": (call({**ARGS, "x": 1}), "value", "schema", "additionalProperties", "/x"),
    "a missing key": (call({"data": DATA}), "value", "schema", "required", "/summary"),
    "its own check": (call({**ARGS, "data": {**DATA, "high": 99}}), "value", "check", "too_hot", "/data/high"),
    "hidden text": (call({**ARGS, "summary": "Mild\U000e0041"}), "text", "text", "unicode.tag", "/summary"),
    "a turned direction": (call({**ARGS, "summary": "\u202eMild"}), "text", "text", "bidi.override", "/summary"),
    "ANSI": (call({**ARGS, "data": {**DATA, "place": "\x1b[2J"}}), "text", "text", "control.escape", "/data/place"),
    "cut": (call(ARGS).cut(20), "provider", "truncated", "truncated", ""),
    "filtered": (Reply("Mild", finish_reason="content_filter"), "provider", "content_filter", "content_filter", ""),
    "refused": (Reply(refusal="I cannot."), "provider", "refusal", "refusal", ""),
    "malformed": (Reply("Mild", finish_reason="MALFORMED_FUNCTION_CALL"), "provider", "provider_malformed_call", "malformed_call", ""),
    "empty": (Reply(), "provider", "empty_message", "empty_message", ""),
    "never called": (Reply(calls=[Call("nothing", {})]), "run", "not_shown", "max_repairs", ""),
}  # fmt: skip

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import Runnable
from pydantic import ValidationError

from graphs.incident_report import PROMPT, graph, report_tool
from graphs.parts.log_files import ENVIRONMENT, log_index
from graphs.parts.log_lines import iso
from graphs.parts.log_tools import read_file, search_logs
from rendercall import Rendered, last_render
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.incident_report import Citation, Finding, IncidentReport, TimelineEntry

ASK = {"messages": [("human", "What went wrong in the shop?")]}
OFFLINE: Any = {"model": "offline", "pace": 0}


def run(runnable: Runnable[Any, Any], ask: Any = ASK) -> tuple[dict[str, Any], Rendered[Any]]:
    state = runnable.invoke(ask, context=OFFLINE)
    return state, last_render(state, report_tool)


@pytest.fixture(scope="module")
def report(_cache_home: None) -> IncidentReport:
    """What the rule-based investigator writes about the sample."""
    shown: IncidentReport = run(graph)[1].require()
    return shown


def citations(report: IncidentReport) -> list[Citation]:
    claims: list[TimelineEntry | Finding] = [*report.timeline, *report.findings]
    return [citation for claim in claims for citation in claim.citations]


def test_the_rules_find_the_incident(report: IncidentReport) -> None:
    """On the sample: who failed, what changed before it, what ended it, and what was not read."""
    assert report.severity == "major"
    assert report.title == "Errors in payments, checkout, gateway"
    inferences = [one.text for one in report.findings if one.kind == "inference"]
    assert "changes db.pool_size from 80 to 20" in inferences[0]
    assert "rollback of payments to 2.7.4 is complete" in inferences[1]
    assert report.gaps
    assert report.timeline == sorted(report.timeline, key=lambda one: one.time)


def test_every_citation_resolves_to_a_record_that_says_so(report: IncidentReport) -> None:
    """The cited line has the quote, the claim repeats what a fact's record says, times agree."""
    cited = {
        (one.artifact, one.line): log_index().lines(one.artifact, one.line, one.line)[0]
        for one in citations(report)
    }
    assert len(cited) >= 12
    for one in citations(report):
        assert one.quote in cited[one.artifact, one.line].message
    for entry in report.timeline:
        record = cited[entry.citations[0].artifact, entry.citations[0].line]
        assert entry.event == f"{record.service}: {record.message}"
        assert iso(entry.time) == record.time
    for finding in report.findings:
        record = cited[finding.citations[0].artifact, finding.citations[0].line]
        if finding.kind == "fact":
            assert record.message in finding.text
            assert record.service in finding.text


def changed(report: IncidentReport, change: Callable[[Any], None]) -> str:
    document = report.model_dump(mode="json")
    change(document)
    return json.dumps(document)


def in_first_citation(**values: Any) -> Callable[[Any], None]:
    return lambda document: document["findings"][0]["citations"][0].update(values)


BROKEN: dict[str, tuple[Callable[[Any], None], str, str]] = {
    "no such log": (in_first_citation(artifact="x.log"), "artifact", "no_such_log"),
    "a path": (in_first_citation(artifact="/etc/passwd"), "artifact", "no_such_log"),
    "no such line": (in_first_citation(line=18_008), "line", "no_such_line"),
    "a huge line": (in_first_citation(line=10**15), "line", "no_such_line"),
    "another line": (in_first_citation(line=1), "quote", "not_quoted"),
    "a letter": (in_first_citation(quote="a"), "quote", "short_quote"),
    "a blank": (in_first_citation(quote=" "), "quote", "short_quote"),
    "other words": (in_first_citation(quote="all is well"), "quote", "not_quoted"),
}


@pytest.mark.parametrize(("change", "field", "code"), BROKEN.values(), ids=BROKEN)
def test_a_citation_that_does_not_resolve_is_invalid(
    report: IncidentReport, change: Callable[[Any], None], field: str, code: str
) -> None:
    """One bad citation among good ones makes the report invalid, and its place is told."""
    assert report_tool.validate(report.model_dump_json()).state == "complete"
    verdict = report_tool.validate(changed(report, change))
    assert verdict.state == "invalid"
    assert [(one.pointer, one.code) for one in verdict.issues] == [
        (f"/findings/0/citations/0/{field}", code)
    ]


CLAIMS: dict[str, tuple[str, int, dict[str, Any], list[str]]] = {
    "a fact with a number of its own": ("findings", 0, {"text": "It failed 4711 times."}, ["/findings/0/text"]),
    "a fact with the record's number": ("findings", 0, {"text": "All 20 connections were in use."}, []),
    "a fact with the record's time": ("findings", 0, {"text": "It began at 12:08:06."}, []),
    "a fact of another record": ("findings", 3, {"text": "18% of the orders failed."}, ["/findings/3/text"]),
    "an inference may count": ("findings", 0, {"text": "About 99 orders failed.", "kind": "inference"}, []),
    "an event": ("timeline", 0, {"event": "deploy of payments 9.9"}, ["/timeline/0/event"]),
}  # fmt: skip


@pytest.mark.parametrize(("part", "number", "values", "places"), CLAIMS.values(), ids=CLAIMS)
def test_a_number_that_no_cited_record_has_is_no_fact(
    report: IncidentReport, part: str, number: int, values: dict[str, Any], places: list[str]
) -> None:
    """A quote that resolves does not make a false figure true."""
    verdict = report_tool.validate(
        changed(report, lambda document: document[part][number].update(values))
    )
    assert [one.pointer for one in verdict.issues] == places
    assert {one.code for one in verdict.issues} <= {"number_not_cited"}


def test_a_time_that_no_record_has_is_invalid(report: IncidentReport) -> None:
    """An event stands at the time of a record that it cites; another zone is the same time."""

    def move(document: Any) -> None:
        document["timeline"][0]["time"] = "2026-03-14T00:00:00Z"

    def other_zone(document: Any) -> None:
        time = report.timeline[0].time.isoformat().replace("T11:", "T13:").replace("T12:", "T14:")
        document["timeline"][0]["time"] = time.replace("+00:00", "+02:00")

    assert [one.code for one in report_tool.validate(changed(report, move)).issues] == [
        "time_not_cited"
    ]
    assert report_tool.validate(changed(report, other_zone)).state == "complete"


@pytest.mark.parametrize("kind", ["fact", "inference"])
def test_no_claim_without_a_citation(kind: Any) -> None:
    """Facts and inferences both rest on records."""
    with pytest.raises(ValidationError, match="citations"):
        Finding(kind=kind, text="It rained.", citations=[])


def scripted(*script: Any) -> tuple[ScriptedChatModel, Any]:
    model = ScriptedChatModel(script=list(script))
    built = render_graph(model, report_tool, tools=[search_logs, read_file], prompt=PROMPT)
    return model, built


def test_a_scripted_model_searches_reads_and_renders(report: IncidentReport) -> None:
    """A model that uses the tools gets text, and its report is taken; programs get the records."""
    shop = log_index().logs[0].id
    model, built = scripted(
        Reply(calls=[Call("search_logs", {"query": "rollback"})]),
        Reply(calls=[Call("read_file", {"artifact": shop, "first_line": 1, "last_line": 2})]),
        Reply(calls=[Call(report_tool.name, report.model_dump(mode="json"))]),
    )
    state, shown = run(built)
    assert shown.require() == report
    searched, read = [one for one in state["messages"] if isinstance(one, ToolMessage)]
    assert searched.artifact["structured"]["total"] == 2
    assert len(read.artifact["structured"]["records"]) == 2
    assert "structured" not in str([one.content for one in model.requests[-1].messages])


def test_the_model_is_asked_again_for_a_bad_citation(report: IncidentReport) -> None:
    """It is told where and why; a report that stays wrong is never a value."""
    bad = json.loads(changed(report, in_first_citation(line=1)))
    good = report.model_dump(mode="json")
    replies = [Reply(calls=[Call(report_tool.name, args)]) for args in (bad, good)]
    model, built = scripted(*replies)
    assert run(built)[1].require() == report
    told = str(model.requests[1].messages[-1].text)
    assert "- /findings/0/citations/0/quote: the cited line does not have these words" in told
    _, built = scripted(*[replies[0]] * 3)
    _, shown = run(built)
    assert (shown.status, shown.value) == ("invalid", None)


async def test_nothing_waits_in_the_event_loop(report: IncidentReport) -> None:
    """The whole run, its citations included, reads no file and no database in the loop."""
    log_index()
    with blockbuster_ctx():
        state = await graph.ainvoke(ASK, context=OFFLINE)
        assert last_render(state, report_tool).require() == report


def test_chinese() -> None:
    """A Chinese question is answered in Chinese; quotes stay as they are."""
    report = run(graph, {"messages": [("human", "商店出了什么问题")]})[1].require()
    assert "出现错误" in report.title
    assert "db.pool_size" in report.findings[3].text


def test_a_named_service_is_looked_into() -> None:
    """A service that the user names comes before those with more errors."""
    report = run(graph, {"messages": [("human", "what about inventory ?")]})[1].require()
    assert "inventory" in report.title


LOGS = {
    "nothing wrong": "2026-03-14 12:00:00 INFO a: fine\n",
    "empty": "",
    "a service with a number": "2026-03-14 12:00:00 ERROR 10.0.0.7: disk 3 of db-2 is full\n",
    "a service of two lines": '{"level": "error", "service": "a\\nb", "message": "disk is full"}\n',
    "a long line": "2026-03-14 12:00:00 ERROR a: " + "x" * 157 + "12345678\n",
    "one error without a change": "2026-03-14 12:00:00 ERROR a: disk full\n",
    "no times": '{"level": "error", "service": "a", "message": "x"}\n',
    "fatal": '{"time": "2026-03-14T12:00:00Z", "level": "fatal", "service": "a", "msg": "x"}\n',
}


@pytest.mark.parametrize("log", LOGS.values(), ids=LOGS)
def test_other_logs(log: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """On any log the rules write a valid report, and say what they did not find."""
    (tmp_path / "a.log").write_text(log)
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "a.log"))
    report = run(graph)[1].require()
    wrong = "ERROR" in log or "error" in log or "fatal" in log
    assert (report.severity == "none") != wrong
    assert bool(report.findings) == wrong
    assert report.gaps


def test_a_failing_search_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the tools fail the report says so, and claims nothing."""

    def fail(*_: Any) -> Any:
        raise RuntimeError("postgres://admin:hunter2@db")

    monkeypatch.setattr("graphs.parts.log_index.LogIndex.count", fail)
    state, shown = run(graph)
    report = shown.require()
    assert (report.severity, report.findings) == ("none", [])
    assert report.gaps == ["“error”: the search failed (INTERNAL)."]
    assert "hunter2" not in str(state["messages"])


def test_the_next_turn_looks_again() -> None:
    """A second question starts a second investigation, over what it finds then."""
    state, _ = run(graph)
    again, shown = run(graph, {"messages": [*state["messages"], ("human", "And now?")]})
    assert shown.status == "ok"
    calls = [one for one in again["messages"] if isinstance(one, AIMessage) and one.tool_calls]
    assert len(calls) == 2 * len([o for o in state["messages"] if isinstance(o, AIMessage)])

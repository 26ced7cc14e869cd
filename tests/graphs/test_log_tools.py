from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

import pytest
from langchain_core.messages import ToolMessage

from graphs.parts.log_files import ENVIRONMENT, log_index
from graphs.parts.log_index import Query
from graphs.parts.log_results import FoundRecords, ReadLines
from graphs.parts.log_tools import PAGE, RANGE, read_file, search_logs
from rendercall.results import Empty, Failed, Ok, Truncated
from rendercall.results.tool_message import outcome_of

MAX_TEXT = 32 * 1024


def call(tool: Any, **args: Any) -> ToolMessage:
    return cast(
        "ToolMessage",
        tool.invoke({"type": "tool_call", "name": tool.name, "id": "c", "args": args}),
    )


def found(message: ToolMessage) -> FoundRecords:
    return FoundRecords(**message.artifact["structured"])


def pages(tool: Any, **args: Any) -> list[ToolMessage]:
    """A result and all that follow it, each got as the one before it says."""
    walked = [call(tool, **args)]
    while isinstance(outcome := outcome_of(walked[-1]), Truncated):
        walked.append(call(tool, **{**args, **outcome.next}))
    return walked


def test_paging_gives_every_record_once() -> None:
    """Walking all pages gives what one look at the index gives, in order, and exact totals."""
    walked = pages(search_logs, level="error")
    records = [record for page in walked for record in found(page).records]
    whole = log_index().page(Query(level="error"), limit=10_000)
    places = [(record["artifact"], record["line"]) for record in cast("Any", records)]
    assert places == [(record.artifact, record.line) for record in whole]
    assert {found(page).total for page in walked} == {len(whole)}
    assert len(walked) == -(-len(whole) // PAGE)
    covered = [out.covered for page in walked if isinstance(out := outcome_of(page), Truncated)]
    assert [one.first for one in covered] == [1 + PAGE * n for n in range(len(covered))]


def test_a_cursor_fits_its_question_alone() -> None:
    """A cursor of one search does not open another."""
    part = outcome_of(call(search_logs, level="error"))
    assert isinstance(part, Truncated)
    other = outcome_of(call(search_logs, level="warn", **part.next))
    assert isinstance(other, Failed)
    assert other.error.code == "INVALID_ARGUMENT"


def test_the_model_reads_little_and_knows_how_much_there_is() -> None:
    """3 MB of records become a page of text with the total, the range and the way on."""
    text = str(call(search_logs).text)
    total = log_index().count(Query()).total
    assert len(text.encode()) <= MAX_TEXT
    assert f"{total:,} records, " in text
    assert f"records 1-{PAGE} of {total:,}" in text
    assert "cursor=" in text


def test_long_lines_of_any_script_stay_within_the_bound(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither a page nor a range of long lines is more than 32 KB for a page of the model."""
    (tmp_path / "long.log").write_text("日志" * 5000 + "\n" + "\U0001f600" * 9000 + "\n" * 300)
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "long.log"))
    assert len(str(call(search_logs).text).encode()) <= MAX_TEXT
    (log,) = log_index().logs
    assert len(str(call(read_file, artifact=log.id).text).encode()) <= MAX_TEXT


def test_every_shown_record_is_shown_with_its_citation() -> None:
    """The text names log, line, time, level and service of every record of the page."""
    message = call(search_logs, query="rollback")
    assert isinstance(outcome_of(message), Ok)
    for record in cast("Any", found(message).records):
        told = (
            f"[{record['artifact']} line {record['line']}] {record['time']} {record['level']} "
            f"{record['service']}: {record['message']}"
        )
        assert told in str(message.text)


def test_empty_is_said_and_is_no_failure() -> None:
    """Nothing found is a complete answer: how much was looked through, and an empty list."""
    message = call(search_logs, query="photosynthesis")
    assert message.status == "success"
    assert outcome_of(message) == Empty(f"{log_index().count(Query()).total:,} records")
    assert found(message).records == []
    assert "photosynthesis" not in str(message.artifact)


def test_a_range_goes_on() -> None:
    """A log that is longer than a range is read to its end, every line once."""
    shop, deploys = log_index().logs
    walked = pages(read_file, artifact=shop.id, first_line=17_900)
    lines = [one["line"] for page in walked for one in page.artifact["structured"]["records"]]
    assert lines == list(range(17_900, shop.lines + 1))
    part = outcome_of(walked[0])
    assert isinstance(part, Truncated)
    assert (part.covered.first, part.covered.last) == (17_900, 17_900 + RANGE - 1)
    whole = call(read_file, artifact=deploys.id, first_line=3, last_line=4)
    assert isinstance(outcome_of(whole), Ok)
    read = ReadLines(**whole.artifact["structured"])
    assert (len(read.records), read.total) == (2, deploys.lines)


FAILURES: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no time": (search_logs, {"since": "yesterday"}, "INVALID_ARGUMENT"),
    "no level": (search_logs, {"level": "loud"}, "INVALID_ARGUMENT"),
    "a made-up cursor": (search_logs, {"cursor": "1; DROP TABLE records"}, "INVALID_ARGUMENT"),
    "no such log": (read_file, {"artifact": "/etc/passwd"}, "NOT_FOUND"),
    "line 0": (read_file, {"artifact": "x", "first_line": 0}, "INVALID_ARGUMENT"),
    "a huge line": (read_file, {"artifact": "SHOP", "first_line": 10**30}, "INVALID_ARGUMENT"),
    "backwards": (
        read_file,
        {"artifact": "SHOP", "first_line": 9, "last_line": 3},
        "INVALID_ARGUMENT",
    ),
}


@pytest.mark.parametrize(("tool", "args", "code"), FAILURES.values(), ids=FAILURES)
def test_failures(tool: Any, args: dict[str, Any], code: str) -> None:
    """What cannot be done has a code, and says what to do; it never quotes the arguments."""
    shop = log_index().logs[0].id
    message = call(tool, **{key: shop if one == "SHOP" else one for key, one in args.items()})
    outcome = outcome_of(message)
    assert isinstance(outcome, Failed)
    assert outcome.error.code == code
    assert message.status == "error"
    for given in ("yesterday", "loud", "DROP", "passwd"):
        assert given not in message.model_dump_json()


def test_a_missing_file_is_told_without_its_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where a log is not there, neither channel says where it should have been."""
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "secret-place.log"))
    message = call(search_logs)
    outcome = outcome_of(message)
    assert isinstance(outcome, Failed)
    assert outcome.error.code == "UNAVAILABLE"
    dumped = message.model_dump_json()
    assert "secret-place" not in dumped
    assert str(tmp_path) not in dumped
    assert os.sep + "tmp" not in dumped


def test_secrets_in_a_log_do_not_leave_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A token that somebody logged is in neither channel, by search or by line."""
    token = "gh" + "p_" + "Ab3dEf6hIj" * 3 + "Kl9mNo"
    (tmp_path / "a.log").write_text(f"2026-03-14 12:00:00 ERROR ci: push failed with {token}\n")
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "a.log"))
    (log,) = log_index().logs
    for message in (call(search_logs, query="push"), call(read_file, artifact=log.id)):
        assert "push failed" in str(message.text)
        assert token not in message.model_dump_json()

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from pydantic import BaseModel

from rendercall import RenderStream, RenderTool, last_render
from rendercall.errors import Issue
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel, ScriptItem


class Quote(BaseModel):
    """Show a quote."""

    words: str
    page: int


PAGES = {1: "All happy families are alike", 2: "Call me Ishmael"}


def is_in_the_book(quote: Quote) -> Iterator[Issue]:
    if quote.words not in PAGES.get(quote.page, ""):
        yield Issue("/words", "check", "not_in_the_book", "the page does not have these words")


quote_tool = RenderTool(Quote, check=is_in_the_book)
RIGHT = {"words": "Ishmael", "page": 2}
WRONG = {"words": "Ishmael", "page": 1}
INVALID = {"words": "Ishmael", "page": "2"}


def test_a_valid_value_is_checked() -> None:
    """What the schema takes and the check does not is invalid, with the check's own issue."""
    assert quote_tool.validate(json.dumps(RIGHT)).value == Quote(words="Ishmael", page=2)
    verdict = quote_tool.validate(json.dumps(WRONG))
    assert (verdict.state, verdict.value) == ("invalid", None)
    (issue,) = verdict.issues
    assert (issue.pointer, issue.code, issue.layer) == ("/words", "not_in_the_book", "value")


def test_the_schema_comes_first() -> None:
    """The check never sees a value that the schema refuses."""

    def refuse_all(_: Quote) -> Iterator[Issue]:
        raise AssertionError
        yield

    tool = RenderTool(Quote, check=refuse_all)
    assert [issue.kind for issue in tool.validate(json.dumps(INVALID)).issues] == ["schema"]


def test_with_a_raw_schema() -> None:
    """A tool of a JSON Schema takes a check of plain dicts."""

    def check(value: dict[str, Any]) -> list[Issue]:
        return list(is_in_the_book(Quote.model_validate(value)))

    schema = Quote.model_json_schema()
    tool = RenderTool.from_json_schema("render_quote", "A quote.", schema, check=check)
    assert tool.validate(json.dumps(RIGHT)).value == RIGHT
    assert [one.code for one in tool.validate(json.dumps(WRONG)).issues] == ["not_in_the_book"]


@pytest.mark.parametrize("args", [RIGHT, WRONG], ids=["right", "wrong"])
def test_every_reader_agrees(args: dict[str, Any]) -> None:
    """The stream, the stored message and the tool give the same verdict."""
    call = {"name": "render_quote", "args": args, "id": "c1"}
    stored = last_render([AIMessage("", tool_calls=[call], id="m1")], quote_tool)
    stream = RenderStream(quote_tool)
    stream.feed_text(json.dumps(args))
    streamed = stream.finish()
    assert (stored.status, stored.errors, stored.value) == (
        streamed.status,
        streamed.errors,
        streamed.value,
    )
    assert stored.status == ("ok" if args is RIGHT else "invalid")


def test_the_model_is_told_and_asked_again() -> None:
    """The check's issue stands in the request for another answer, which is then taken."""
    script: list[ScriptItem] = [
        Reply(calls=[Call("render_quote", args)]) for args in (WRONG, RIGHT)
    ]
    model = ScriptedChatModel(script=script)
    state = render_graph(model, quote_tool).invoke({"messages": [("human", "A quote")]})
    assert last_render(state, quote_tool).require().page == 2
    told = str(model.requests[1].messages[-1].text)
    assert "- /words: the page does not have these words" in told

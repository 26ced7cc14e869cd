from __future__ import annotations

from html.parser import HTMLParser
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendercall import Issue, RenderStream, RenderTool
from rendercall.card.layout import lay_out
from rendercall.card.markup import article, outcome, snippet, step_list
from rendercall.card.steps import Step, Steps
from rendercall.card.words import StepStatus, told, told_step
from rendercall.contract.status import Status
from schemas.incident_report import IncidentReport
from schemas.learning_plan import LearningPlan
from tests.plans import PLAN

SCHEMA = RenderTool(LearningPlan).schema
TAGS = {
    "div", "style", "p", "span", "ul", "li", "article", "h1", "h2", "h5", "h6", "dl", "dt", "dd", "bdi",
    "table", "thead", "tbody", "tr", "th", "td", "meter",
}  # fmt: skip
ATTRIBUTES = {"class", "lang", "role", "scope", "value", "dir", "aria-busy", "aria-hidden"}


class Page(HTMLParser):
    """What a browser makes of the HTML: its tags, attributes and texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", get_args(Status))
def test_every_status(status: Status, language: Any) -> None:
    """Each outcome is told in words, with what was wrong and what to do about it."""
    issues = [Issue("/level", "schema", "enum", "one of three levels")]
    page = Page(outcome(status, language, issues))
    words = told(status, language)
    assert words.what in page.text
    assert words.next in page.text
    assert "/level: one of three levels" in page.text


def test_a_whole_plan() -> None:
    """Every text and number of the plan is there, and each row's share."""
    html = article(lay_out(SCHEMA, PLAN, complete=True), "en")
    assert Page(html).text == (
        "SQLLevelbeginnerTotal Minutes60ObjectivesRead a query."
        "LessonsTitleDuration MinutesShareSelect15 25%Join45 75%"
    )
    assert "missing" not in html


def test_while_it_arrives() -> None:
    """What is missing has an empty place, what is open a caret; afterwards neither waits."""
    card = lay_out(SCHEMA, {"topic": "SQL win"}, open_paths={(), ("topic",)})
    arriving = snippet(card, "partial", "en")
    assert 'SQL win<span class="caret"' in arriving
    assert arriving.count('class="missing"') == 6
    stopped = snippet(card, "aborted", "en")
    assert "SQL win…" in stopped
    assert 'class="missing"' not in stopped
    assert 'class="caret"' not in stopped


def test_nothing_moves() -> None:
    """All places are there from the beginning; only lists grow, at their ends."""
    steps: list[dict[str, Any]] = [
        {},
        {"topic": "SQL"},
        {"topic": "SQL", "level": "beginner"},
        PLAN | {"lessons": []},
        PLAN,
    ]
    html = [article(lay_out(SCHEMA, step, open_paths={()}), "en", is_busy=True) for step in steps]
    assert len({one.count("<dt>") for one in html}) == 1
    assert len({one.count("<th ") for one in html}) == 1
    assert len({one.count("<h2>") for one in html}) == 1
    rows = [one.count("<li>") + one.count("<tr>") for one in html]
    assert rows == sorted(rows)


STEPS = Steps(
    (
        Step("a", "success", "Search the logs", "1\u201320 of 503", 0.012),
        Step("b", "running", "读取日志"),
    ),
    earlier=3,
)


def test_steps() -> None:
    """Each tool call is an item: its status in words, what it is, and how long it took."""
    html = snippet(None, "partial", "en", steps=STEPS)
    assert Page(html).text == (
        "… Still arriving… 3 earlier✓ Done Search the logs · 1\u201320 of 503 12 ms● Running 读取日志 "
    )
    assert '<ul class="steps">' in html
    assert step_list(Steps(), "en") == ""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", get_args(StepStatus))
def test_every_step(status: StepStatus, language: Any) -> None:
    """No status is told by its colour or its sign alone."""
    html = step_list(Steps((Step("a", status, "x"),)), language)
    words = told_step(status, language)
    assert f'<span aria-hidden="true">{words.sign}</span> {words.what}' in html


def test_lists_within_rows() -> None:
    """A claim has its kind beside it and its citations below it, in the same cell."""
    cites = [{"artifact": "shop.jsonl@2b", "line": 8073, "quote": "20 of 20"}]
    report = {
        "title": "Errors",
        "findings": [
            {"kind": "fact", "text": "It was full.", "citations": cites},
            {"kind": "inference", "text": "It was small.", "citations": cites * 2},
        ],
    }
    card = lay_out(RenderTool(IncidentReport).schema, report, complete=True)
    cited = "Artifact shop.jsonl@2b · Line 8073 · Quote 20 of 20"
    assert Page(article(card, "en")).text == (
        f"ErrorsFindingsKindTextfactIt was full.Citations{cited}"
        f"inferenceIt was small.Citations{cited}{cited}"
    )
    assert '<td class="word"><bdi dir="auto">inference' in article(card, "en")


def test_a_column_without_a_head() -> None:
    """Nothing that has no words is read out as a head."""
    items = {"type": "object", "properties": {"tags": {"type": "array"}}}
    schema = {"properties": {"rows": {"type": "array", "items": items}}}
    html = article(lay_out(schema, {"rows": [{"tags": ["a"]}]}, complete=True), "en")
    assert "<th" not in html.replace("<thead", "")
    assert Page(html).text == "RowsTagsa"


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><script>x</script>",
    "&lt;b&gt;",
    "\x1b[31m\u202etxt\ud800",
]
texts = st.sampled_from(HOSTILE) | st.text(max_size=20)


@given(texts, texts, st.sampled_from(get_args(Status)))
def test_hostile_text(text: str, key: str, status: Status) -> None:
    """No text, key, label or error of a model, and no tool's name, is ever markup; nothing runs and nothing loads."""
    value = {**PLAN, "topic": text, "objectives": [text], key: text, "rows": [{"tags": [text]}]}
    tags = {"type": "array", "title": text, "items": {"properties": {"x": {"title": text}}}}
    row = {"type": "object", "properties": {"tags": tags, "name": {"title": text}}}
    more = {"more": {"title": text}, "rows": {"type": "array", "title": text, "items": row}}
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], **more}}
    issue = Issue(f"/{key}", "schema", "x", text)
    steps = Steps((Step(key, "error", text, text),))
    card = lay_out(schema, value, open_paths={()})
    html = snippet(card, status, "en", issues=[issue], steps=steps)
    page = Page(html)
    assert page.open == []
    assert page.tags <= TAGS
    assert page.attributes <= ATTRIBUTES
    assert "url(" not in html.partition("</style>")[0]
    html.encode()


def test_a_result_draws_itself(plan_tool: RenderTool[LearningPlan], monkeypatch: Any) -> None:
    """At the end of a cell an `ok` result is its card, any other its reasons and no value."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    stream = RenderStream(plan_tool)
    text = LearningPlan.model_validate(PLAN).model_dump_json()
    update = stream.feed_text(text[:20])
    assert update is not None
    assert "Still arriving" in Page(update._repr_html_()).text
    stream.feed_text(text[20:])
    assert "Join" in Page(stream.finish()._repr_html_()).text
    wrong = RenderStream(plan_tool)
    wrong.feed_text(text.replace("beginner", "expert"))
    page = Page(wrong.finish()._repr_html_())
    assert "Join" not in page.text
    assert "/level" in page.text


def test_the_language_of_the_locale(plan_tool: RenderTool[Any], monkeypatch: Any) -> None:
    """Words around a value are in the locale's language."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert told("absent", "zh").what in RenderStream(plan_tool).finish()._repr_html_()

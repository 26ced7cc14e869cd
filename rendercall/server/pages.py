"""The pages, as HTML. Every text passes through `html.escape`; there is no script."""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from pydantic_core import to_jsonable_python

from rendercall.card.layout import lay_out
from rendercall.card.markup import article, outcome
from rendercall.card.words import Language
from rendercall.consumer.rendered import Rendered

__all__ = ["form_page", "lost_page", "thread_page"]

REFRESH_SECONDS = 2


@dataclass(frozen=True, slots=True)
class _Texts:
    title: str
    topic: str
    make: str
    empty: str
    another: str
    busy: str
    lost: str
    refused: str


_TEXTS: Mapping[Language, _Texts] = {
    "en": _Texts(
        title="Learning plans",
        topic="What do you want to learn?",
        make="Make a plan",
        empty="Type a topic of 1 to 500 characters.",
        another="Another topic",
        busy="The plan is being made. This page looks again by itself.",
        lost="There is no such page, or no such thread.",
        refused="This form was sent from another site. Open the page here and send it again.",
    ),
    "zh": _Texts(
        title="学习计划",
        topic="你想学什么？",
        make="生成计划",
        empty="请输入主题（1 到 500 个字符）。",
        another="换一个主题",
        busy="正在生成计划，页面会自动刷新。",
        lost="没有这个页面或会话。",
        refused="该表单来自其他网站。请打开本页面后重新提交。",
    ),
}


def form_page(language: Language, *, topic: str = "", is_wrong: bool = False) -> str:
    """The page with the form.

    Args:
        language: of the page.
        topic: what the form holds.
        is_wrong: whether that was refused.
    """
    texts = _TEXTS[language]
    wrong = ' aria-invalid="true" aria-describedby="wrong"' if is_wrong else ""
    message = f'<p id="wrong" class="bad" role="alert">{texts.empty}</p>' if is_wrong else ""
    return _page(
        language,
        texts.title,
        f"""<h1>{texts.title}</h1>
<form method="post" action="threads">
<label for="topic">{texts.topic}</label>
<div>
<input id="topic" name="topic" value="{escape(topic)}" required maxlength="500" autofocus{wrong}>
<button>{texts.make}</button></div>
{message}</form>""",
    )


def thread_page(
    language: Language, rendered: Rendered[Any] | None, schema: Mapping[str, Any]
) -> str:
    """The page of a thread.

    Args:
        language: of the page.
        rendered: the outcome; None while the thread is busy.
        schema: what is shown, for the places that are not filled yet.
    """
    texts = _TEXTS[language]
    another = f'<p><a href="../">{texts.another}</a></p>'
    if rendered is None:
        status = f'<p class="quiet" role="status">{texts.busy}</p>'
        empty = article(lay_out(schema, {}), language, is_busy=True)
        body = f"<h1>{texts.title}</h1>{status}{empty}"
        return _page(language, texts.title, body, base="../", refresh=True)
    told = outcome(rendered.status, language, rendered.errors)
    if rendered.status != "ok" or rendered.tool is None:
        return _page(language, texts.title, f"<h1>{texts.title}</h1>{told}{another}", base="../")
    value = to_jsonable_python(rendered.value)
    card = lay_out(rendered.tool.schema, value, complete=True)
    title = card.heading.text or texts.title
    return _page(language, title, f"{told}{article(card, language)}{another}", base="../")


def lost_page(language: Language, *, is_foreign: bool = False) -> str:
    """The page for what is not there, or for a form that another site sent."""
    texts = _TEXTS[language]
    reason = texts.refused if is_foreign else texts.lost
    body = f'<h1>{texts.title}</h1><p>{reason}</p><p><a href="/app/">{texts.another}</a></p>'
    return _page(language, texts.title, body, base="/app/")


def _page(
    language: Language, title: str, body: str, *, base: str = "", refresh: bool = False
) -> str:
    again = f'<meta http-equiv="refresh" content="{REFRESH_SECONDS}">' if refresh else ""
    return f"""<!doctype html>
<html lang="{"zh-Hans" if language == "zh" else "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{again}<title>{escape(title)}</title>
<link rel="stylesheet" href="{base}style.css">
</head>
<body>
<header><a href="{base or "./"}">rendercall</a></header>
<main>
{body}
</main>
</body>
</html>
"""

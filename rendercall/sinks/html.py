"""Text of a model in a page: as text, or as the few elements that a lesson needs."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import urlsplit

from rendercall.errors import import_extra
from rendercall.sinks.terminal import terminal_text

__all__ = ["html_rich", "html_text"]

_TAGS = frozenset(
    {
        *("h1", "h2", "h3", "h4", "h5", "h6", "p", "hr", "br", "blockquote", "pre"),
        *("ul", "ol", "li", "dl", "dt", "dd", "details", "summary"),
        *("table", "thead", "tbody", "tr", "th", "td"),
        *("a", "abbr", "b", "code", "del", "em", "i", "img", "ins", "kbd", "s", "samp"),
        *("strong", "sub", "sup", "u", "var"),
    }
)
_ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "img": {"alt", "height", "src", "title", "width"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
_SCHEMES = frozenset({"http", "https", "mailto"})


def html_text(text: str, *, lines: bool = False) -> str:
    """A text for an element or a quoted attribute: every character is itself, none is markup.

    Args:
        text: any text.
        lines: whether line breaks and tabs stay.
    """
    return escape(terminal_text(text, lines=lines))


def html_rich(html: str, *, image_hosts: Collection[str] = ()) -> str:
    """HTML of a model, less all that runs, loads, submits, styles or pretends.

    Links keep absolute `http`, `https` and `mailto` addresses, and open nothing by
    themselves. Images load from the named hosts alone, over `https`: an image's address can
    carry a thread's secrets away without a click.

    Args:
        html: any text.
        image_hosts: host names, exactly, e.g. `{"images.example.org"}`.

    Raises:
        MissingExtra: nh3 is not installed (extra `html`).
    """
    cleaner = _cleaner(frozenset(image_hosts))
    once = cleaner.clean(terminal_text(html, lines=True))
    bare = terminal_text(once, lines=True)  # entities bring hidden characters back
    return once if bare == once else str(cleaner.clean(bare))


@lru_cache(32)
def _cleaner(image_hosts: frozenset[str]) -> Any:
    nh3 = import_extra("nh3", "html")

    def judge(tag: str, name: str, value: str) -> str | None:
        if tag == "img" and name == "src":
            return value if _is_from(value, image_hosts) else None
        return value

    return nh3.Cleaner(
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        attribute_filter=judge,
        url_schemes=set(_SCHEMES),
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
    )


def _is_from(address: str, hosts: frozenset[str]) -> bool:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return False
    plain = parts.username is None and "\\" not in address
    return parts.scheme == "https" and host in hosts and port in {None, 443} and plain

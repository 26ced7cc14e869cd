"""Markdown of a model as HTML, without any HTML of its own."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from rendercall.errors import import_extra
from rendercall.sinks.html import html_rich
from rendercall.sinks.terminal import terminal_text

__all__ = ["markdown_html"]


def markdown_html(text: str, *, image_hosts: Collection[str] = ()) -> str:
    """Markdown (CommonMark and tables) as HTML: tags in it are text.

    What comes out passes through `html_rich`: links keep plain addresses, images load from
    the named hosts alone.

    Args:
        text: any text.
        image_hosts: as for `html_rich`.

    Raises:
        MissingExtra: markdown-it-py or nh3 is not installed (extra `html`).
    """
    return html_rich(_renderer().render(terminal_text(text, lines=True)), image_hosts=image_hosts)


@cache
def _renderer() -> Any:
    markdown_it = import_extra("markdown_it", "html")
    renderer = markdown_it.MarkdownIt("commonmark", {"html": False, "maxNesting": 20})
    return renderer.enable(["table", "strikethrough"])

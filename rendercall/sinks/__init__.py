"""How a text of a model is put where it goes, so that it is nothing but text there.

One function a place; `rendercall.contract.content_policy.Sink` names the places. They do not
depend on what the guard found: what it does not know is as harmless here as what it does.
"""

from rendercall.sinks.html import html_rich, html_text
from rendercall.sinks.markdown import markdown_html
from rendercall.sinks.model_context import model_context
from rendercall.sinks.shell import shell_word
from rendercall.sinks.sql import sql_parameters
from rendercall.sinks.terminal import terminal_text

__all__ = [
    "html_rich",
    "html_text",
    "markdown_html",
    "model_context",
    "shell_word",
    "sql_parameters",
    "terminal_text",
]

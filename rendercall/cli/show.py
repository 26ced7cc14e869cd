"""What a command prints of a result: the card or JSON, and the code that it exits with."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import click
from pydantic_core import to_jsonable_python
from rich.console import Console

from rendercall.card.layout import lay_out
from rendercall.card.words import Language, language_of_environment
from rendercall.consumer.rendered import Rendered, Status
from rendercall.terminal import draw

__all__ = ["console_of", "exit_code", "language_of", "print_card", "print_json", "to_json"]


def to_json(rendered: Rendered[Any]) -> dict[str, Any]:
    """An outcome as plain JSON: `status`, `value`, `errors` and `warnings`."""
    return {
        "status": rendered.status,
        "value": to_jsonable_python(rendered.value),
        "errors": [issue.to_json() for issue in rendered.errors],
        "warnings": to_jsonable_python(rendered.warnings),
    }


def print_json(value: Any) -> None:
    """Print one JSON value."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_card(rendered: Rendered[Any], language: Language) -> None:
    """Print the card of an outcome, whole."""
    card = None
    if rendered.tool is not None and rendered.status == "ok":
        value = to_jsonable_python(rendered.value)
        card = lay_out(rendered.tool.schema, value, complete=True)
    drawn = draw(card, rendered.status, language, issues=rendered.errors)
    Console(highlight=False).print(drawn)


def console_of(*, as_json: bool) -> Console:
    """Where the card is drawn: not on stdout where that carries JSON."""
    if not as_json:
        return Console(highlight=False)
    return Console(stderr=True, highlight=False, quiet=not sys.stderr.isatty())


def language_of(chosen: Language | None) -> Language:
    """The language that was chosen, else that of the locale."""
    return chosen or language_of_environment(os.environ)


def exit_code(status: Status) -> int:
    """What the process exits with."""
    return {"ok": 0, "aborted": 130}.get(status, 1)

from __future__ import annotations

from typing import Any, get_args

import pytest

from rendercall import sinks
from rendercall.contract import ContentPolicy, Row
from rendercall.contract.content_policy import DEFAULT_POLICY, Sink
from rendercall.contract.finding import TextKind
from rendercall.contract.unseen import SERIOUS
from rendercall.errors import ToolDefinitionError

FIELDS = {
    "every": ("*", ["/a", "/a/0/b", ""], []),
    "one": ("/a/b", ["/a/b"], ["/a", "/a/b/c", "/a/b2"]),
    "any item": ("/a/*/b", ["/a/0/b", "/a/x~1y/b"], ["/a/b", "/a/0/1/b"]),
    "all below": ("/a/**", ["/a", "/a/0", "/a/0/b"], ["/ab", "/b"]),
    "signs": ("/a.b/c+", ["/a.b/c+"], ["/axb/cc"]),
    "the root": ("", [""], ["/a"]),
}


@pytest.mark.parametrize(("field", "inside", "outside"), FIELDS.values(), ids=FIELDS)
def test_fields_are_pointers_with_stars(field: str, inside: list[str], outside: list[str]) -> None:
    """A star is any one step, two at the end are everything below."""
    policy = ContentPolicy(rows=(Row("sql", "reject", field=field),))
    assert {policy.action(place, "sql", "union") for place in inside} == {"reject"}
    assert all(policy.action(place, "sql", "union") == "flag" for place in outside)


def test_the_first_row_decides() -> None:
    """One's own rows come before the default, and before each other."""
    policy = ContentPolicy(
        rows=(Row("unicode", "flag", "tag", field="/raw"), Row("unicode", "reject"))
    )
    assert policy.action("/raw", "unicode", "tag") == "flag"
    assert policy.action("/raw", "unicode", "filler") == "reject"
    assert policy.action("/title", "unicode", "soft_hyphen") == "reject"
    assert policy.action("/title", "html", "tag") == "escape"


def test_a_field_of_several_sinks_gets_the_strongest() -> None:
    """What goes to a page and a database is held to both."""
    policy = ContentPolicy(
        rows=(Row("sql", "reject", sink="sql"),), sinks={"/q": ("terminal", "sql")}
    )
    assert policy.action("/q", "sql", "union") == "reject"
    assert policy.action("/other", "sql", "union") == "flag"
    assert policy.action("/q", "sql", "union", sink="terminal") == "flag"


def test_the_default_rejects_only_what_nobody_sees() -> None:
    """Lessons hold everything else."""
    kinds: tuple[TextKind, ...] = get_args(TextKind)
    rejected = {
        kind
        for kind in kinds
        for sink in get_args(Sink)
        if DEFAULT_POLICY.action("/a", kind, "any", sink) == "reject"
    }
    assert rejected == set()
    for kind, rule in SERIOUS:
        assert DEFAULT_POLICY.action("/a", kind, rule) == "reject"
        assert DEFAULT_POLICY.action("/a", kind, rule, "terminal") == "escape"


WRONG: dict[str, Any] = {
    "kind": lambda: Row("xss", "flag"),  # type: ignore[arg-type]
    "action": lambda: Row("html", "drop"),  # type: ignore[arg-type]
    "sink": lambda: Row("html", "flag", sink="browser"),  # type: ignore[arg-type]
    "field": lambda: Row("html", "flag", field="title"),
    "sink of a field": lambda: ContentPolicy(sinks={"/a": ("browser",)}),  # type: ignore[dict-item]
    "field of a sink": lambda: ContentPolicy(sinks={"title": ("sql",)}),
}


@pytest.mark.parametrize("make", WRONG.values(), ids=WRONG)
def test_a_word_that_would_never_match_is_refused(make: Any) -> None:
    """A misspelt rule would be a hole."""
    with pytest.raises(ToolDefinitionError):
        make()


def test_every_sink_has_its_function() -> None:
    """The policy's words are places that text can be put."""
    functions = {
        "html_text": sinks.html_text,
        "html_rich": sinks.html_rich,
        "markdown": sinks.markdown_html,
        "terminal": sinks.terminal_text,
        "sql": sinks.sql_parameters,
        "shell": sinks.shell_word,
        "model_context": sinks.model_context,
    }
    assert set(functions) == set(get_args(Sink))

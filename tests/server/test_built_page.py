from __future__ import annotations

import gzip

import pytest

from rendercall.server.built_page import BuiltPage

SCRIPT = b"console.log(1);" * 100
PAGE = BuiltPage(
    {"index.html": b"<!doctype html>", "assets/a-1f.js": SCRIPT, "assets/b-2e.woff2": SCRIPT}
)


def test_the_page_is_asked_for_every_time() -> None:
    """A new build shows at the next visit; an unchanged page costs no body."""
    first = PAGE.answer("", {})
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["cache-control"] == "no-cache"
    again = PAGE.answer("", {"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.body) == (304, b"")


def test_hashed_files_are_kept_for_ever() -> None:
    """Their name changes with their content."""
    answer = PAGE.answer("assets/a-1f.js", {})
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.body == SCRIPT


@pytest.mark.parametrize(
    ("name", "packed"), [("assets/a-1f.js", True), ("assets/b-2e.woff2", False)]
)
def test_text_goes_as_gzip(name: str, packed: bool) -> None:
    """To those who take it; what is packed already goes as it is."""
    answer = PAGE.answer(name, {"accept-encoding": "gzip, br"})
    assert ("content-encoding" in answer.headers) == packed
    assert (gzip.decompress(bytes(answer.body)) if packed else answer.body) == SCRIPT


@pytest.mark.parametrize("path", ["nothing.js", "../app.py", "assets/", "/etc/passwd"])
def test_only_the_files_of_the_page(path: str) -> None:
    """No path leads to another file."""
    assert PAGE.answer(path, {}).status_code == 404


def test_a_page_that_is_not_built() -> None:
    """It says so, and what to do."""
    answer = BuiltPage({}).answer("", {})
    assert answer.status_code == 503
    assert b"make page" in bytes(answer.body)


@pytest.mark.parametrize("path", ["", "assets/a-1f.js", "nothing"])
def test_nothing_else_may_run(path: str) -> None:
    """Scripts of our own alone, none inline, nothing from elsewhere, no text made to markup."""
    policy = dict(
        part.strip().partition(" ")[::2]
        for part in PAGE.answer(path, {}).headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == policy["style-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"

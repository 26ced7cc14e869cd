"""The built page: its files, held in memory, and how a browser may use them."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.responses import Response

__all__ = ["PAGE_HEADERS", "BuiltPage", "takes_gzip"]

PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Only our own files run, nothing is loaded from elsewhere, and no text becomes markup."""

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/x-icon",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
_PACKED = frozenset({"ico", "png", "woff2"})
"""What gzip makes no smaller."""

_HASHED = "assets/"
"""Vite writes a hash of the content into the names of these: they never change."""

_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>The page is not built</title>
<h1>The page is not built</h1>
<p>This is a checkout whose <code>rendercall/server/static</code> is empty. Run
<code>make page</code> (it needs Node) and start the server again; <code>make run</code> does
both. A wheel brings the page along. The graphs are served all the same.</p>
"""


@dataclass(frozen=True)
class _File:
    """One file of the page."""

    name: str
    body: bytes

    @cached_property
    def zipped(self) -> bytes | None:
        """The file as gzip; None where that is no smaller."""
        if self._ending in _PACKED:
            return None
        zipped = gzip.compress(self.body, mtime=0)
        return zipped if len(zipped) < len(self.body) else None

    @cached_property
    def tag(self) -> str:
        """A name for the content."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:20]}"'

    @property
    def headers(self) -> dict[str, str]:
        """What goes with it."""
        is_hashed = self.name.startswith(_HASHED)
        return {
            **PAGE_HEADERS,
            "Cache-Control": "public, max-age=31536000, immutable" if is_hashed else "no-cache",
            "Content-Type": _TYPES.get(self._ending, "application/octet-stream"),
            "ETag": self.tag,
            "Vary": "Accept-Encoding",
        }

    @property
    def _ending(self) -> str:
        return self.name.rpartition(".")[2]


class BuiltPage:
    """The files that Vite wrote.

    Args:
        contents: their bytes by name, `/` between folders; `index.html` is the page.
    """

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._files = {name: _File(name, body) for name, body in contents.items()}
        for file in self._files.values():
            _ = file.zipped, file.tag  # made once, before the first request

    @classmethod
    def installed(cls) -> BuiltPage:
        """The page that came with the package; empty in a checkout where it is not built."""
        return cls(_contents(files("rendercall.server") / "static"))

    def answer(self, path: str, headers: Mapping[str, str]) -> Response:
        """Answer the request for a file.

        Args:
            path: below the page's own address; `""` is the page.
            headers: of the request, their names in lower case.
        """
        file = self._files.get(path or "index.html")
        if file is None:
            return self._missing(path)
        if file.tag in headers.get("if-none-match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=file.headers)
        if file.zipped is not None and takes_gzip(headers):
            return Response(file.zipped, headers={**file.headers, "Content-Encoding": "gzip"})
        return Response(file.body, headers=file.headers)

    def _missing(self, path: str) -> Response:
        headers = {**PAGE_HEADERS, "Cache-Control": "no-store"}
        if path:
            return Response("not found", HTTPStatus.NOT_FOUND, headers, "text/plain")
        return Response(_NOT_BUILT, HTTPStatus.SERVICE_UNAVAILABLE, headers, "text/html")


def takes_gzip(headers: Mapping[str, str]) -> bool:
    """Whether a request's sender takes gzip, as every browser does."""
    return "gzip" in headers.get("accept-encoding", "")


def _contents(folder: Traversable, prefix: str = "") -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    if not folder.is_dir():
        return found
    for one in folder.iterdir():
        name = f"{prefix}{one.name}"
        found |= _contents(one, f"{name}/") if one.is_dir() else {name: one.read_bytes()}
    return found

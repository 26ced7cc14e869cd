"""Run the library's tests against the built wheel, in a venv of its own.

A checkout on `sys.path` hides what the wheel forgot. So the wheel is installed into a folder of
its own, which comes first on the path, and the tests are copied beside it without the sources.
`schemas`, which tests use as an example, comes along as a test file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
LIBRARY_TESTS = (
    "contract", "consumer", "langgraph", "models", "providers", "test_package.py", "conftest.py",
)  # fmt: skip


def main() -> None:
    """Build, install, test."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        site = place / "site"
        run(PYTHON, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
        (wheel,) = place.glob("*.whl")
        run(PYTHON, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel)
        if {"graphs", "schemas", "tests"} & {one.name for one in site.iterdir()}:
            raise SystemExit("the wheel must bring `rendercall` alone")
        copy_tests(place / "tests")
        # Before the checkout that is installed in editable mode, which would hide the wheel.
        path = os.pathsep.join(map(str, (site, place)))
        found = "import rendercall; print(rendercall.__file__)"
        where = subprocess.run(
            [PYTHON, "-c", found], check=True, cwd=place, env={**os.environ, "PYTHONPATH": path},
            capture_output=True, text=True,
        ).stdout  # fmt: skip
        if not where.startswith(str(site)):
            raise SystemExit(f"the tests would run against {where}")
        options = ("-q", "-p", "no:cacheprovider", "--rootdir", place)
        marks = "not soak and not model and not server"
        run(PYTHON, "-m", "pytest", "-c", ROOT / "pyproject.toml", *options, "-m", marks,
            place / "tests", cwd=place, path=path)  # fmt: skip


def copy_tests(target: Path) -> None:
    """Copy what tests the library alone, and the example schema beside it."""
    target.mkdir()
    for name in LIBRARY_TESTS:
        source = ROOT / "tests" / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target / name)
    shutil.copytree(ROOT / "schemas", target.parent / "schemas")


def run(*command: object, cwd: Path = ROOT, path: str = "") -> None:
    """Run a command; stop with its code where it fails."""
    environment = {**os.environ, "PYTHONPATH": path} if path else None
    code = subprocess.run(
        [str(part) for part in command], check=False, cwd=cwd, env=environment
    ).returncode
    if code:
        raise SystemExit(code)


if __name__ == "__main__":
    main()

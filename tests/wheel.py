"""Run the library's tests against the built wheel, in a venv of its own.

A checkout on `sys.path` hides what the wheel forgot. The tests are copied to a folder
without the sources, and the app's rooms (`graphs`, `schemas`) stay behind as well: only
`schemas.learning_plan`, which tests use as an example, comes along as a test file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARY_TESTS = ("contract", "consumer", "langgraph", "models", "test_package.py", "conftest.py")


def main() -> None:
    """Build, install, test."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
        (wheel,) = place.glob("*.whl")
        # The dev environment's packages stay visible; its editable rendercall does not:
        # the wheel's site-packages come first.
        venv.create(place / "venv", with_pip=True, system_site_packages=False)
        python = place / "venv" / "bin" / "python"
        constraints = ("--constraint", ROOT / "constraints.txt")
        extras = f"{wheel}[openai,cli]"
        tools = ("pytest", "pytest-asyncio", "pytest-timeout", "hypothesis")
        run(python, "-m", "pip", "install", "--quiet", *constraints, extras, *tools)
        imported = run(python, "-c", "import schemas", check=False, cwd=place)
        if imported == 0:
            raise SystemExit("the wheel must not bring `schemas`")
        copy_tests(place / "tests")
        run(python, "-m", "pytest", "-c", ROOT / "pyproject.toml", "--rootdir", place, "-q",
            "-m", "not soak and not model and not server", "-p", "no:cacheprovider",
            place / "tests", cwd=place)  # fmt: skip


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


def run(*command: object, check: bool = True, cwd: Path = ROOT) -> int:
    """Run a command; stop with its code where it must succeed."""
    environment = {**os.environ, "PYTHONPATH": str(cwd)} if cwd != ROOT else None
    code = subprocess.run(
        [str(part) for part in command], check=False, cwd=cwd, env=environment
    ).returncode
    if check and code:
        raise SystemExit(code)
    return code


if __name__ == "__main__":
    main()

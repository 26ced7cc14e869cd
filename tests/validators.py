"""Guards 1 and 2 with each version of jsonschema-rs: `python tests/validators.py [version …]`.

Each version is installed into a folder of its own, which comes first on the path, and tested in
a process of its own: one that ends a process ends no other's run. Without versions it takes the
last of each minor from 0.44 on. `--soak` adds the million hostile args.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = [
    f"tests/contract/test_{name}.py"
    for name in ("hostile_args", "schema_check", "schema_guard", "layers", "output_tools")
]
OLDEST = (0, 44)
PACKAGE = "jsonschema-rs"


def main() -> None:
    """Install, test, and tell how each run ended."""
    given = [one for one in sys.argv[1:] if not one.startswith("-")]
    marks = [] if "--soak" in sys.argv else ["-m", "not soak"]
    codes = {version: run(version, marks) for version in given or released()}
    for version, code in codes.items():
        print(f"{PACKAGE} {version}: {'passed' if code == 0 else f'failed ({code})'}")  # noqa: T201 - a report
    raise SystemExit(any(codes.values()))


def released() -> list[str]:
    """The last version of each minor that the range of pyproject.toml takes."""
    listed = pip("index", "versions", PACKAGE, text=True, capture_output=True).stdout
    found = re.findall(r"\b(\d+)\.(\d+)\.(\d+)\b", listed.partition("Available versions:")[2])
    last: dict[tuple[int, int], int] = {}
    for major, minor, patch in (tuple(map(int, one)) for one in found):
        last[major, minor] = max(patch, last.get((major, minor), 0))
    return [f"{major}.{minor}.{last[major, minor]}" for major, minor in sorted(last) if (major, minor) >= OLDEST]  # fmt: skip


def run(version: str, marks: list[str]) -> int:
    """The exit code of the tests with one version."""
    with tempfile.TemporaryDirectory() as folder:
        pip("install", "--quiet", "--no-deps", "--target", folder, f"{PACKAGE}=={version}")
        path = os.pathsep.join([folder, str(ROOT)])
        check = f"import jsonschema_rs; assert jsonschema_rs.__file__.startswith({folder!r})"
        environment = {**os.environ, "PYTHONPATH": path}
        subprocess.run([sys.executable, "-c", check], check=True, env=environment)
        pytest = [sys.executable, "-m", "pytest", "-q", "--show-capture=no", *marks, *TESTS]
        return subprocess.run(pytest, check=False, cwd=ROOT, env=environment).returncode


def pip(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Run pip; stop where it fails."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, check=True, **options)  # type: ignore[call-overload,no-any-return]


if __name__ == "__main__":
    main()

"""Run the tests against the built wheel: `python tests/wheel.py [pytest options]`.

A checkout on `sys.path` hides what the wheel forgot. So the wheel is installed into a folder of
its own, which comes first on the path, and the tests run in a copy of the checkout that has no
`rendercall`. (While you work on the code, plain `pytest` runs them against the checkout.)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_BEHIND = shutil.ignore_patterns("rendercall", ".*", "__pycache__", "dist", "build", "web")


def main() -> None:
    """Build, install, test."""
    with tempfile.TemporaryDirectory() as folder:
        site, checkout = Path(folder, "site"), Path(folder, "checkout")
        python("-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
        (wheel,) = Path(folder).glob("*.whl")
        python("-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel)
        if {"graphs", "schemas", "tests"} & {one.name for one in site.iterdir()}:
            raise SystemExit("the wheel must bring `rendercall` alone")
        shutil.copytree(ROOT, checkout, ignore=LEFT_BEHIND)
        (checkout / "web").symlink_to(ROOT / "web")  # with its node_modules
        path = f"{site}{os.pathsep}{checkout}"
        check = f"import rendercall; assert rendercall.__file__.startswith({str(site)!r})"
        python("-c", check, cwd=checkout, path=path)
        python("-m", "pytest", *sys.argv[1:], cwd=checkout, path=path)
        # The report is written where `make` looks for it.
        for report in checkout.glob(".coverage*"):
            shutil.copy(report, ROOT)


def python(*arguments: object, cwd: Path = ROOT, path: str = "") -> None:
    """Run Python; stop with its code where it fails."""
    environment = {**os.environ, "PYTHONPATH": path} if path else None
    command = [sys.executable, *map(str, arguments)]
    code = subprocess.run(command, check=False, cwd=cwd, env=environment).returncode
    if code:
        raise SystemExit(code)


if __name__ == "__main__":
    main()

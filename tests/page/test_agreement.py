from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.page.corpus import documents, write
from tests.page.shapes import GOOD, TOOLS

WEB = Path(__file__).parents[2] / "web"


def test_the_corpus_is_worth_reading() -> None:
    """Good documents are good, and the damage leaves every verdict for every schema."""
    for tool in TOOLS:
        assert tool.checker.schema
        assert {tool.name} <= GOOD.keys()
    seen = Counter((one["schema"], one["state"]) for one in documents(2000))
    for tool in TOOLS:
        for state in ("complete", "incomplete", "invalid"):
            assert seen[tool.name, state] > 2, (tool.name, state, seen)


@pytest.mark.parametrize(
    ("count", "seed"),
    [
        pytest.param(2_000, 1, id="few"),
        pytest.param(100_000, 2, id="many", marks=pytest.mark.soak),
    ],
)
@pytest.mark.browser
def test_the_browser_judges_as_python_does(count: int, seed: int, tmp_path: Path) -> None:
    """Complete, cut off or invalid: the page's verdict on a text is Pydantic's, always."""
    path = (
        f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # `make` puts Node there
    )
    npm = shutil.which("npm", path=path)
    assert npm, "the page's own tests need Node: make page"
    write(tmp_path, count, seed)
    told = subprocess.run(
        [npm, "run", "--silent", "agreement"], cwd=WEB, check=False, capture_output=True, text=True,
        env={**os.environ, "PATH": path, "RENDERCALL_AGREEMENT": str(tmp_path)},
    )  # fmt: skip
    assert told.returncode == 0, (told.stdout + told.stderr)[-4000:]
    assert str(count) in told.stdout, "it says how many documents it has read"

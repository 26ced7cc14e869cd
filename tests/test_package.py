from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from importlib.metadata import version

import pytest

import rendercall

MODULES = sorted(
    name for _, name, _ in pkgutil.walk_packages(rendercall.__path__, prefix="rendercall.")
)


def test_importing_rendercall_loads_no_langgraph() -> None:
    """The readers work where no graph runs, and start fast."""
    code = (
        "import sys, rendercall; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert not {"langgraph", "langchain_core", "langchain", "openai", "fastapi"} & set(loaded)


@pytest.mark.parametrize("name", MODULES)
def test_every_name_that_a_module_exports_is_there(name: str) -> None:
    """`__all__` is true, sorted, and complete for what the package promises."""
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", None)
    if exported is None:
        assert hasattr(module, "__path__") or name.endswith("__main__")
        return
    assert len(set(exported)) == len(exported)
    for one in exported:
        assert hasattr(module, one), one


def test_the_public_names() -> None:
    """The surface that users import; a change here is a change for the CHANGELOG."""
    assert set(rendercall.__all__) == {
        "Bounds", "Cost", "Issue", "Notice", "RenderCallError", "RenderNotOk", "RenderStream", "RenderTool", "Update",
        "Rendered", "Verdict", "from_structured_response", "last_render", "scan_renders",
    }  # fmt: skip


def test_the_version_is_the_distributions() -> None:
    """One place says which version this is."""
    assert version("rendercall").count(".") == 2

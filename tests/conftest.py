"""What every test shares: no provider keys, one example tool, and reproducible examples."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from rendercall import RenderTool
from schemas.learning_plan import LearningPlan

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "MISTRAL_API_KEY")

for key in (*KEYS, "OPENAI_BASE_URL", "RENDERCALL_MODEL"):
    os.environ.pop(key, None)
os.environ.update(
    LANGGRAPH_CLI_NO_ANALYTICS="1", LANGGRAPH_NO_VERSION_CHECK="true", LANGSMITH_TRACING="false"
)

settings.register_profile(
    "default",
    deadline=None,  # time is measured by benchmarks, not by tests
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("default")


@pytest.fixture(scope="session")
def plan_tool() -> RenderTool[LearningPlan]:
    """The example of the documentation."""
    return RenderTool(LearningPlan)

"""That the local model speaks behind the benchmark's wire; what it says is measured, not tested."""

from __future__ import annotations

import jsonschema_rs
import pytest

from benchmarks.peers import repair_ours
from benchmarks.repair import Run, run_case
from benchmarks.repair_local import SIZE, LocalModel
from benchmarks.repair_model import cases
from rendercall import RenderTool
from rendercall.models import bounded_schema
from schemas.learning_plan import LearningPlan


@pytest.mark.model
@pytest.mark.parametrize("run", [repair_ours.patch, repair_ours.reask])
def test_the_local_model_corrects_a_plan(run: Run) -> None:
    """After the wrong plan it is asked at least once, and the run ends right or typed."""
    (case,) = cases(1, SIZE)
    measured = run_case(case, run, stops=False, model=LocalModel)
    assert measured.end in {"valid", "another", "error"}
    assert measured.calls >= 2
    assert measured.output > SIZE


def test_a_plan_is_right_that_keeps_every_other_leaf() -> None:
    """At the wrong places anything goes that the schema takes; elsewhere nothing may change."""
    (case,) = cases(1, SIZE)
    assert case.with_right_places(case.wrong) == case.right
    assert case.with_right_places({**case.right, "objectives": ["x"]}) != case.right
    assert case.with_right_places({**case.right, "lessons": []}) != case.right


def test_the_local_model_could_write_its_plans() -> None:
    """The schema that it is held to takes them."""
    bounded = bounded_schema(RenderTool(LearningPlan).schema)
    for case in cases(20, SIZE):
        jsonschema_rs.validate(bounded, case.right)

from __future__ import annotations

import json

import pytest

from rendercall import RenderStream, RenderTool
from rendercall.contract import Bounds
from schemas.learning_plan import LearningPlan

PLAN = {
    "topic": "SQL",
    "level": "beginner",
    "objectives": ["a"],
    "lessons": [{"title": "t", "duration_minutes": 5}],
    "total_minutes": 12,
}
TEXT = json.dumps(PLAN)
UNDONE = {
    "fence": f"```json\n{TEXT}\n```",
    "list of one": f"[{TEXT}]",
    "wrapper": json.dumps({"plan": PLAN}),
    "list in a text": json.dumps({**PLAN, "objectives": '["a"]'}),
    "begun again in a text": TEXT[: TEXT.index("a")] + TEXT,
    "begun again in a number": TEXT.replace("12", "1", 1).removesuffix("}") + TEXT,
}


@pytest.mark.parametrize("text", UNDONE.values(), ids=UNDONE)
def test_an_error_that_mending_undoes_is_never_reported(text: str) -> None:
    """Early errors are definite in the mode that is in force."""
    stream = RenderStream(RenderTool(LearningPlan, mend="lossless"))
    for at in range(0, len(text), 4):
        update = stream.feed_text(text[at : at + 4])
        assert update is None or not update.errors
    assert stream.finish().status == "ok"


def test_a_text_that_is_too_large_is_wrong_in_every_mode() -> None:
    """Nothing makes it smaller."""
    tool = RenderTool(LearningPlan, mend="lossless", bounds=Bounds(max_bytes=40))
    stream = RenderStream(tool)
    last = [stream.feed_text(TEXT[at : at + 4]) for at in range(0, 60, 4)]
    updates = [update for update in last if update]
    assert [one.code for one in updates[-1].errors] == ["too_large"]


def test_without_mending_an_error_is_known_at_once() -> None:
    """The strict mode has nothing to wait for."""
    stream = RenderStream(RenderTool(LearningPlan))
    update = stream.feed_text('{"level":"expert",')
    assert update is not None
    assert [one.pointer for one in update.errors] == ["/level"]

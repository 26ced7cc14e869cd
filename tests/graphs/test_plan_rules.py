from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.parts.plan_rules import PageFound, change_plan, make_plan, plain_plan
from graphs.parts.request import Request
from schemas.learning_plan import LearningPlan, Lesson

REQUEST = Request("sets", "beginner", "en", "sets")
ANY_PLAN = st.builds(
    lambda level, objectives, lessons: LearningPlan(
        topic="sets", level=level, objectives=objectives, lessons=lessons, total_minutes=1
    ),
    st.sampled_from(["beginner", "intermediate", "advanced"]),
    st.lists(st.text(min_size=1), min_size=1, max_size=9),
    st.lists(
        st.builds(Lesson, title=st.text(min_size=1), duration_minutes=st.integers(1, 10**9)),
        min_size=1,
        max_size=9,
    ),
)


def page(title: str, length: int = 10) -> PageFound:
    return PageFound(title, f"Python docs: topic '{title}'", "x" * length)


def lessons(plan: LearningPlan) -> list[tuple[str, int]]:
    return [(lesson.title, lesson.duration_minutes) for lesson in plan.lessons]


def test_a_lesson_for_each_page() -> None:
    """Lessons and objectives come from the pages; each objective names its source."""
    plan = make_plan(REQUEST, [page("Sets", 61), page("Lists", 60), page("Dicts", 0)])
    assert lessons(plan) == [("Sets", 10), ("Lists", 5), ("Dicts", 5), ("Practice: sets", 10)]
    assert plan.total_minutes == 30
    assert plan.objectives[0] == "Explain Sets from its page (Python docs: topic 'Sets')."


@pytest.mark.parametrize(("pages", "count"), [(1, 3), (2, 3), (3, 4), (5, 6), (20, 6)])
def test_three_to_six_lessons(pages: int, count: int) -> None:
    """Few pages are filled up, many are cut."""
    assert len(make_plan(REQUEST, [page(f"p{n}") for n in range(pages)]).lessons) == count


def test_pages_with_one_title_are_one_lesson() -> None:
    """The first page of a title counts, in the order of the hits."""
    plan = make_plan(REQUEST, [page("B", 10), page("A"), page("B", 100)])
    assert lessons(plan)[:2] == [("B", 5), ("A", 5)]


@pytest.mark.parametrize(
    ("language", "reason", "told"),
    [
        ("en", "no_page", "had no hits"),
        ("en", "no_search", "no documentation was searched"),
        ("en", "refused", "not accepted"),
        ("zh", "no_page", "没有找到"),
        ("zh", "no_search", "没有检索"),
        ("zh", "refused", "未被接受"),
    ],
)
def test_a_plan_without_pages_says_so(language: str, reason: str, told: str) -> None:
    """The first objective tells why the plan rests on no page."""
    request = Request("{it} 集合", "advanced", language, "")
    plan = plain_plan(request, reason)
    assert told in plan.objectives[0]
    assert (plan.topic, plan.level) == ("{it} 集合", "advanced")
    assert len(plan.lessons) == 3


LONG_PLAN = make_plan(REQUEST, [page(f"p{n}") for n in range(5)])


def test_shorter_until_nothing_can_go() -> None:
    """Lessons are dropped from the end, then the last one is halved; one minute stays."""
    counts, plan = [], LONG_PLAN
    for _ in range(5):
        plan = change_plan(plan, "shorter", "en")
        counts.append(len(plan.lessons))
    assert counts == [4, 2, 1, 1, 1]
    assert lessons(plan) == [("p0", 1)]
    assert plan.objectives == LONG_PLAN.objectives[:1]


def test_longer_adds_practice_then_time() -> None:
    """Practice up to six lessons, never twice; after that five minutes each."""
    plan = change_plan(make_plan(REQUEST, [page("A"), page("B")]), "longer", "en")
    assert lessons(plan)[3:] == [("Practice: A", 10), ("Practice: B", 10)]
    longer = change_plan(plan, "longer", "en")
    assert [minutes for _, minutes in lessons(longer)] == [10, 10, 15, 15, 15]


@pytest.mark.parametrize(
    ("level", "change", "expected"),
    [
        ("beginner", "harder", "intermediate"),
        ("intermediate", "harder", "advanced"),
        ("advanced", "harder", "advanced"),
        ("advanced", "easier", "intermediate"),
        ("beginner", "easier", "beginner"),
    ],
)
def test_levels_have_ends(level: str, change: str, expected: str) -> None:
    """Harder and easier go one level on, and no further than there are levels."""
    plan = LONG_PLAN.model_copy(update={"level": level})
    assert change_plan(plan, change, "en").level == expected


@given(
    plan=ANY_PLAN,
    change=st.sampled_from(["shorter", "longer"]),
    language=st.sampled_from(["en", "zh"]),
)
def test_changes_of_any_plan(plan: LearningPlan, change: str, language: str) -> None:
    """Whoever made the plan, its change is valid, its sum right, and the old plan as it was."""
    before = plan.model_dump_json()
    after = change_plan(plan, change, language)
    LearningPlan.model_validate_json(after.model_dump_json(), strict=True)
    assert after.total_minutes == sum(minutes for _, minutes in lessons(after))
    assert plan.model_dump_json() == before
    minutes = sum(minutes for _, minutes in lessons(plan))
    if change == "longer":
        assert after.total_minutes > minutes
    else:
        assert after.total_minutes < minutes or lessons(plan)[0][1] == minutes == 1

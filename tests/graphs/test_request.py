from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.parts.request import Change, changes_asked, read_request

TOPICS = {
    # a bare topic stays as it was typed
    "SQL window functions": "SQL window functions",
    "  the  yield\nstatement ": "the yield statement",
    "machine learning": "machine learning",
    "study skills": "study skills",
    "Python 入门": "Python 入门",
    "regular expressions for beginners": "regular expressions for beginners",
    "What is a closure?": "What is a closure?",
    "线性代数": "线性代数",
    "learn": "learn",
    # of a sentence around a topic, the sentence goes
    "Make a learning plan about list comprehensions": "list comprehensions",
    "Make a beginner learning plan about SQL window functions, please.": "SQL window functions",
    "Create a study plan for beginners about generators!": "generators",
    "learning plan: C#": "C#",
    "A plan for learning Rust": "Rust",
    "I want to learn Rust for beginners": "Rust",
    "I'd like to learn about how TCP works": "how TCP works",
    "Can you teach me about asyncio?": "asyncio",
    "how do I learn git": "git",
    "我想学 Python 装饰器": "Python 装饰器",
    "我想学习机器学习入门": "机器学习",
    "请帮我做一个关于线性代数的学习计划": "线性代数",
    "给我制定一份Docker学习计划吧": "Docker",
    "教我 SQL": "SQL",
    # no topic is lost, and none is made of nothing
    "": "",
    " \n ": "",
    "a\ud800b": "a?b",
}


@pytest.mark.parametrize(("text", "topic"), TOPICS.items(), ids=map(ascii, TOPICS))
def test_topic(text: str, topic: str) -> None:
    """The topic is what the user asked for, in the user's words."""
    assert read_request(text).topic == topic


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("SQL", "beginner"),
        ("SQL for beginners", "beginner"),
        ("an intermediate plan", "intermediate"),
        ("Advanced SQL", "advanced"),
        ("from beginner to advanced", "beginner"),
        ("SQL 入门", "beginner"),
        ("SQL 进阶", "intermediate"),
        ("高级 SQL", "advanced"),
    ],
)
def test_level(text: str, level: str) -> None:
    """The first word for a level counts; without one it is beginner."""
    assert read_request(text).level == level


@pytest.mark.parametrize(
    ("text", "language"),
    [("SQL", "en"), ("学 SQL", "zh"), ("データ構造", "en"), ("", "en"), ("über", "en")],
    ids=["latin", "chinese", "japanese", "blank", "german"],
)
def test_language(text: str, language: str) -> None:
    """Chinese is answered in Chinese, all else in English."""
    assert read_request(text).language == language


def test_query_leaves_the_level_out() -> None:
    """The level narrows no search; a topic of nothing else is searched as it is."""
    assert read_request("advanced regular expressions").query == "regular expressions"
    assert read_request("Python 入门").query == "Python"
    assert read_request("basics").query == "basics"


CHANGES: dict[str, tuple[Change, ...]] = {
    "make it shorter": ("shorter",),
    "Shorter, please!": ("shorter",),
    "I need fewer lessons": ("shorter",),
    "it's too long": ("shorter",),
    "短一点": ("shorter",),
    "请把计划弄短一点": ("shorter",),
    "不要太长": ("shorter",),
    "make it longer": ("longer",),
    "太短了": ("longer",),
    "长一点": ("longer",),
    "more advanced": ("harder",),
    "too easy": ("harder",),
    "更高级一点": ("harder",),
    "太简单了": ("harder",),
    "Could you make it a little bit easier?": ("easier",),
    "less advanced": ("easier",),
    "太难了": ("easier",),
    "简单一点": ("easier",),
    "shorter and easier": ("shorter", "easier"),
    # anything else is a new topic
    "": (),
    "make a shorter plan about Rust": (),
    "Advanced Python": (),
    "intro to sets": (),
    "shorter sentences": (),
    "短路求值": (),
    "多线程": (),
    "make it": (),
}


@pytest.mark.parametrize(("text", "changes"), CHANGES.items(), ids=map(ascii, CHANGES))
def test_changes(text: str, changes: tuple[Change, ...]) -> None:
    """A text that only asks for a change is one; a text that says more is a topic."""
    assert changes_asked(text) == changes


@given(text=st.text(st.characters(exclude_categories=()), max_size=400))
def test_any_text(text: str) -> None:
    """Only a blank text has no topic; a topic is one bounded line of valid Unicode."""
    request = read_request(text)
    assert bool(request.topic) == bool(text.split())
    assert bool(request.query) == bool(request.topic)
    assert len(request.topic) <= 200
    assert request.topic == " ".join(request.topic.split())
    request.topic.encode("utf-8")
    changes_asked(text)


PATHOLOGICAL = [
    "想要" * 5000,
    "我想" * 5000 + "!",
    "!" * 5000 + "x",
    "please " * 5000,
    "learning plan" * 900,
]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", PATHOLOGICAL, ids=lambda text: ascii(text[:8]))
def test_no_text_takes_long(text: str) -> None:
    """No pattern backtracks without bound."""
    assert read_request(text).topic
    changes_asked(text)

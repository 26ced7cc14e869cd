from __future__ import annotations

from typing import get_args

import pytest

from rendercall.card.words import (
    Language,
    StepStatus,
    duration,
    language_of_environment,
    told,
    told_step,
)
from rendercall.consumer.rendered import Status


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", get_args(Status))
def test_every_status_is_worded(status: Status, language: str) -> None:
    """Each outcome has a sign and words; each bad one says what to do."""
    words = told(status, language)  # type: ignore[arg-type]  # a table of tests has strings
    assert len(words.sign) == 1
    assert words.what
    assert bool(words.next) == (status not in {"ok", "partial"})


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_step_is_worded(language: Language) -> None:
    """Each status of a tool call has a sign and a word of its own."""
    words = [told_step(status, language) for status in get_args(StepStatus)]
    assert all(len(one.sign) == 1 and one.what for one in words)
    assert len({one.sign for one in words}) == len({one.what for one in words}) == len(words)


@pytest.mark.parametrize(
    ("seconds", "en", "zh"),
    [
        (0, "0 ms", "0 毫秒"),
        (0.0126, "13 ms", "13 毫秒"),
        (0.9994, "999 ms", "999 毫秒"),
        (0.9996, "1.0 s", "1.0 秒"),
        (1.25, "1.2 s", "1.2 秒"),
        (4321, "4,321.0 s", "4,321.0 秒"),
    ],
)
def test_durations(seconds: float, en: str, zh: str) -> None:
    """As exact as people need it."""
    assert (duration(seconds, "en"), duration(seconds, "zh")) == (en, zh)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANG": "C"}, "en"),
    ],
)
def test_the_locale(environment: dict[str, str], language: str) -> None:
    """LC_ALL goes before LC_MESSAGES, that before LANG, as POSIX has it."""
    assert language_of_environment(environment) == language

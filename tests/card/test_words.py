from __future__ import annotations

from typing import get_args

import pytest

from rendercall.card.words import language_of_environment, told
from rendercall.consumer.rendered import Status


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", get_args(Status))
def test_every_status_is_worded(status: Status, language: str) -> None:
    """Each outcome has a sign and words; each bad one says what to do."""
    words = told(status, language)  # type: ignore[arg-type]  # a table of tests has strings
    assert len(words.sign) == 1
    assert words.what
    assert bool(words.next) == (status not in {"ok", "partial"})


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

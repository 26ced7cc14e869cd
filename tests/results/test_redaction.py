from __future__ import annotations

import importlib.metadata
import json
import pydoc_data.topics
import re
import time
from pathlib import Path
from typing import Any

import pytest

from rendercall.results import Redactor
from rendercall.results.personal_data import personal_spans
from rendercall.results.redaction import MAX_DEPTH, REDACTOR
from rendercall.results.secret_places import is_secret_name
from tests.corpus import lessons
from tests.results.secret_samples import CLASSES, sample

KEY = "[REDACTED:key]"
DOCS = Path(__file__).parents[2] / "docs"


def survives(secret: str, text: str) -> bool:
    """Whether any twelve characters of it are still there."""
    return any(secret[at : at + 12] in text for at in range(max(1, len(secret) - 11)))


def test_no_generated_secret_survives() -> None:
    """In 119 classes, 50 of each: in a text, in a string of a value, and in JSON as text."""
    assert len(CLASSES) >= 40
    for name, line, secret in sample(50, seed=2026):
        assert not survives(secret, REDACTOR.text(line)), name
        assert not survives(secret, json.dumps(REDACTOR.value({"rows": [{"line": line}, "x"]}))), (
            name
        )
        assert not survives(
            secret, REDACTOR.text(json.dumps([line], ensure_ascii=False)).replace("\\n", "\n")
        ), name


UNDER_NAMES: dict[str, tuple[Any, Any]] = {
    "a list": ({"api_keys": ["k1-abc", "k2", 3]}, {"api_keys": [KEY, KEY, 3]}),
    "a list of words": ({"tokens": ["the", "cat"]}, {"tokens": ["the", "cat"]}),
    "a bag": ({"cookies": {"sid": "abc", "n": 4}}, {"cookies": {"sid": KEY, "n": 4}}),
    "a schema": ({"password": {"type": "string"}}, {"password": {"type": "string"}}),
    "a variable": ({"name": "DB_PASSWORD", "value": "abc"}, {"name": "DB_PASSWORD", "value": KEY}),
    "a tag": ({"Key": "api-key", "Value": "abc"}, {"Key": "api-key", "Value": KEY}),
    "another variable": ({"name": "PORT", "value": "80"}, {"name": "PORT", "value": "80"}),
}


@pytest.mark.parametrize(("value", "clean"), UNDER_NAMES.values(), ids=UNDER_NAMES)
def test_what_a_name_says_of_lists_objects_and_pairs(value: Any, clean: Any) -> None:
    """Texts go, numbers and ordinary words in lists stay, and a description of a secret is none."""
    assert REDACTOR.value([value]) == [clean]


def paragraphs() -> list[str]:
    """Documentation that holds no secret: Python's own, ours, and that of what is installed."""
    texts = [
        *pydoc_data.topics.topics.values(),
        *(one.read_text("utf-8") for one in DOCS.glob("*.md")),
    ]
    texts += [one.read_text("METADATA") or "" for one in importlib.metadata.distributions()]
    parts = {part for text in texts for part in re.split(r"\n\s*\n", text)}
    return [part for part in parts if len(part) > 40]


def test_documentation_stays_as_it_is() -> None:
    """At most 0.2 % of its paragraphs are changed: example passwords in URLs, mostly."""
    for benign, least in ((paragraphs(), 3_000), (lessons(), 100)):
        changed = [part for part in benign if REDACTOR.text(part) != part]
        assert len(benign) > least
        assert len(changed) / len(benign) <= 0.002


LOOK_ALIKES = [
    "sha256-" + "ab12" * 16,
    "123e4567-e89b-12d3-a456-426614174000",
    "4bf92f3577b34da6a3ce929d0e0e4736",
    "the token: it ends the loop",
    "password = getpass.getpass()",
    "password: ${DB_PASSWORD}",
    "api_key=os.environ['KEY']",
    "max_tokens=1_000_000",
    "Authorization: <token>",
    "tokenizer = AutoTokenizer(name)",
    "https://example.com/path?page=2&sort=asc",
    "sk-learn and sk-image are packages",
    "en-us, de-us1",
    "eyJust a word",
    "Basic usage is described below in the manual",
    "bearer of good news",
    "The token is base64-encoded, the password is SHA-256 hashed",
    "authentication, authorization, provisioning and access",
    "docker run -u 1000:1000 image",
    "<token>identifier</token>",
    "fields = ['password', 'username', 'session_id']",
    "密码是必填项",
    "data:image/png;base64,iVBORw0KGgo" + "A" * 100 + "B" * 20 + "/" + "A" * 90 + "==",
    '{"next_cursor": "eyJwIjp7Im9mZnNldCI6NTB9LCJlIjoxfQ.abcdefghijklmnopqrstuv"}',
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_one_stays(text: str) -> None:
    """Hashes, ids, cursors, variables, calls and prose."""
    assert REDACTOR.text(text) == text


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("password", True), ("db_password", True), ("DB_PASSWORD", True), ("clientSecret", True),
        ("api-key", True), ("x-api-key", True), ("Authorization", True), ("accessToken", True),
        ("session_id", True), ("dsn", True), ("密码", True), ("aws_secret_access_key", True),
        ("tokens", True), ("max_tokens", True), ("secretKey", True), ("password2", True),
        ("X-Auth-Key", True), ("passwordHash", True), ("PGPASSWORD", True), ("数据库密码", True), ("creds", True),
        ("error_code", False), ("sort_key", False), ("password_policy", False), ("token_count", False), ("author", False),
        ("key", False), ("next_cursor", False), ("passenger", False), ("primary_key", False),
        ("pinned", False), ("artifact_id", False),
    ],
)  # fmt: skip
def test_keys_that_name_a_secret(name: str, secret: bool) -> None:
    """Under one, a text goes; a number stays."""
    assert is_secret_name(name) == secret
    assert REDACTOR.value({name: "abc", "n": 1}) == {
        name: "[REDACTED:key]" if secret else "abc",
        "n": 1,
    }
    assert REDACTOR.value({name: 5}) == {name: 5}
    assert Redactor(keep=frozenset({name})).value({name: "abc"}) == {name: "abc"}


def test_a_value_is_looked_through_as_its_strings_are() -> None:
    """All at once or one by one: the same, also where a match would cross two strings."""
    strings = [line for _, line, _ in sample(2, seed=5)]
    strings += [
        "token:",
        "token=abcdefgh12",
        "bearer",
        "x" * 40,
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----END RSA PRIVATE KEY-----",
    ]
    assert REDACTOR.value(strings) == [REDACTOR.text(one) for one in strings]
    assert REDACTOR.value({strings[0]: 1}) == {REDACTOR.text(strings[0]): 1}


def test_a_value_that_nests_without_end_is_refused() -> None:
    """Nothing is left unlooked at."""
    deep: list[object] = []
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]
    with pytest.raises(ValueError, match="deeper"):
        REDACTOR.value(deep)


@pytest.mark.parametrize(
    "piece",
    ["token=", "://a:", "-----BEGIN PRIVATE KEY-----", "eyJ", "eyJ.", 'password: "', "a-", "AZDO", "Q~", "sk-", "MT.", "cookie:a=", "token:<", "authorization: ", "mysql ", "private-lines: 1 a ", "password is aB", 'token","value":"', "token>", " -u a:"],
)  # fmt: skip
def test_the_cost_is_linear_in_the_text(piece: str) -> None:
    """Twice a hostile text costs about twice, not four times: best of three, and a wide margin."""

    def seconds(text: str) -> float:
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            REDACTOR.text(text)
            best = min(best, time.process_time() - start)
        return best

    count = 60_000 // len(piece)
    small, large = seconds(piece * count), seconds(piece * count * 4)
    assert large < 10 * max(small, 0.002)


PERSONAL = {
    "mail to ada.lovelace+x@example.org now": "email",
    "card 4111 1111 1111 1111 ok": "card",
    "IBAN DE89 3704 0044 0532 0130 00": "iban",
    "身份证 11010519491231002X": "china_id",
    "手机 13812345678": "mobile",
    "call +49 30 901820 today": "phone",
    "SSN 078-05-1120": "ssn",
}


@pytest.mark.parametrize(("text", "kind"), PERSONAL.items(), ids=PERSONAL.values())
def test_personal_data_by_shape_and_checksum(text: str, kind: str) -> None:
    """Found where asked for, untouched where not."""
    assert kind in {one for _, _, one in personal_spans(text)}
    assert f"[REDACTED:{kind}]" in Redactor(personal=True).text(text)
    assert REDACTOR.text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "order 4111 1111 1111 1112",
        "IBAN DE89 3704 0044 0532 0130 02",
        "11010519491231002Y",
        "12.5.2026",
        "0000 0000 0000 0000",
    ],
)
def test_numbers_with_a_wrong_check_digit_are_no_cards(text: str) -> None:
    """A number is not personal for being long."""
    assert not {kind for _, _, kind in personal_spans(text)} & {"card", "iban", "china_id"}

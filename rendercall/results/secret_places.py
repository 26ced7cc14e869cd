"""Secrets that are known by where they stand: after a telling name, in a URL, a header, a key file.

Names are found by plain searches; a regular expression only looks at what follows one. Its
repeats are bounded, so the cost is linear in the text.
"""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["is_secret_bag", "is_secret_name", "is_word", "place_spans"]

_FLAGS = re.IGNORECASE | re.ASCII


@dataclass(frozen=True, slots=True)
class _Place:
    """One kind of place.

    Attributes:
        kind: what is found there.
        anchors: words in lower case, one of which begins it.
        pattern: matched at an anchor, or behind it where `behind`; a group is the secret.
        plain: whether a value must look like no ordinary word.
        behind: whether the pattern begins where the anchor ends.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    plain: bool = False
    behind: bool = False


_VALUE = r"""[^\s"'`,;&<>{}()\[\]\\|]"""
_SIGN = r"(?:=>|:=|==?|[:：＝])"
_QUOTE = r"""(?:\\{0,7}["'])?"""
"""A quote, or none; JSON inside JSON has backslashes before it."""

_GAP = r"(?:\s|\\{1,7}n){1,40}"
"""Line ends and blanks, also as JSON writes them."""

_QUOTED = (
    r""""((?:[^"\r\n\\]|\\.){4,512})"|'((?:[^'\r\n\\]|\\.){4,512})'"""
    r"""|\\{1,7}["']([^\r\n]{4,512}?)\\{1,7}["'](?=[\s,;"'}\])&\\]|$)"""
)
_NAMES = (
    "password", "passwd", "passphrase", "passwort", "pwd", "_pass", "secret", "credential", "token",
    "api_key", "api-key", "apikey", "access_key", "access-key", "accesskey", "account_key",
    "accountkey", "private_key", "privatekey", "encryption_key", "signing_key", "auth_key",
    "client_key", "client-key-data", "webhook_key", "license_key", "validationkey",
    "decryptionkey", "sessionid", "session_id", "密码", "口令", "密钥",
)  # fmt: skip
_NAME_END = r"(?:[_-]?(?:access)?[_-]?(?:key|id|hash|value|token|base64|base)){0,2}"
_SCHEME = r"(?:(?:bearer|basic|token|digest|apikey|negotiate|ssws|dpop)\s+)?"
_MIXED = r"(?-i:(?=\S{0,64}[0-9])(?=\S{0,64}[a-z])(?=\S{0,64}[A-Z]))"
"""What follows has a digit, a small and a capital letter, as no word has."""
_IS = r"""(?:\s(?:is|was)\s|\s?[是为]\s?|\s(?=["'`]))["'`]?"""
_LISTED = r"""\\{0,7}["']\s{0,3},\s{0,40}\\{0,7}["']value\\{0,7}["']\s{0,3}:\s{0,3}"""
"""As environments are listed: `{"name": "DB_PASSWORD", "value": "…"}`."""
_ASSIGNED = _QUOTE + r"\s{0,3}[:=]\s{0,3}" + _QUOTE + r"""|["'],\s{0,3}["']"""

_PLACES = (
    _Place("private_key", ("-----begin", "---- begin"), re.compile(
        r"(-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
        r"(?:[^-]|-(?!---[- ]END ))*(?:-{4,5} ?END [A-Z0-9 ]{0,40}-{4,5})?)", _FLAGS)),
    _Place("private_key", ("private-lines:",), re.compile(
        r"\s{1,3}\d{1,3}" + _GAP + "((?:[A-Za-z0-9+/=]{1,76}" + _GAP + "){1,200})", _FLAGS),
           behind=True),
    _Place("url_password", ("://",), re.compile(
        r"""://[^\s/@:"'<>`]{0,128}:([^\s@/"'<>`]{1,256})@""", _FLAGS)),
    _Place("url_user", ("://",), re.compile(r"://([A-Za-z0-9_-]{20,256})@", _FLAGS), plain=True),
    _Place("authorization", ("authorization",), re.compile(
        "authorization(?:" + _ASSIGNED + ")" + _SCHEME + r"([A-Za-z0-9._~+/=-]{8,8192})", _FLAGS)),
    _Place("key_header", (
        "x-api-key", "x-auth-token", "x-auth-key", "x-access-token", "x-amz-security-token",
    ), re.compile("[a-z-]{9,20}(?:" + _ASSIGNED + r")([\w.~+/=-]{16,4096})", _FLAGS)),
    _Place("bearer", ("bearer",), re.compile(r"bearer\s+([A-Za-z0-9._~+/=-]{20,8192})", _FLAGS)),
    _Place("basic", ("basic ",), re.compile(r"basic\s([A-Za-z0-9+/]{16,512}={0,2})", _FLAGS),
           plain=True),
    _Place("docker_auth", ('"auth"', '"auth\\"'), re.compile(
        r'\s{0,3}:\s{0,3}\\{0,7}"(?P<bare>[A-Za-z0-9+/]{12,512}={0,2})', _FLAGS),
           plain=True, behind=True),
    _Place("cookie", ("cookie",), re.compile(
        "cookie" + _QUOTE + r"\s?:\s{0,3}" + _QUOTE
        + r"""([A-Za-z0-9_.-]{1,64}=[^\r\n"'<>]{6,4096})""", _FLAGS)),
    _Place("webhook", (
        "hooks.slack.com/", "/api/webhooks/", "webhook.office.com/", "hooks.zapier.com/",
    ), re.compile(
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|/api/webhooks|webhook\.office\.com"
        r"|hooks\.zapier\.com/hooks/catch)"
        r"/([A-Za-z0-9_/@-]{14,300})", _FLAGS)),
    _Place("smtp", ("auth plain ", "auth login "), re.compile(
        r"(?P<bare>[A-Za-z0-9+/]{12,512}={0,2})", _FLAGS), plain=True, behind=True),
    _Place("sql", ("identified by",), re.compile(
        r"""\s{1,3}'([^'\s]{4,128})'""", _FLAGS), behind=True),
    _Place("netrc", ("login ",), re.compile(
        r"""login\s+[^\s"'<>`]{1,64}\s+password\s+([^\s"'<>`]{4,128})""", _FLAGS)),
    _Place("query", (
        "key=", "token=", "sig=", "signature=", "code=", "auth=", "secret=", "password=", "pwd=",
    ), re.compile(r"""[a-z-]{1,12}=([^&\s"'#<>`]{12,2048})""", _FLAGS), plain=True),
    _Place("flag", ("--password", "--token", "--api-key", "--secret", "--pass"), re.compile(
        r"""--[a-z-]{4,24}[ =]["']?([^\s"'<>`\[\]{}$-][^\s"'<>`]{5,255})""", _FLAGS), plain=True),
    _Place("flag", (" -u ", "--user ", "--user="), re.compile(
        r"""\s?--?u(?:ser)?[ =]["']?[^\s:"'<>`]{1,64}:([^\s"'<>`]{4,128})""", _FLAGS), plain=True),
    _Place("flag", ("sshpass -p",), re.compile(
        r"""\s?["']?(?P<bare>[^\s"'<>`]{4,128})""", _FLAGS), behind=True),
    _Place("flag", ("mysql ", "mysqldump ", "mysqladmin "), re.compile(
        r"""[^\r\n|;&]{0,200}?\s-p(?P<bare>[^\s"'<>`]{4,128})""", _FLAGS), plain=True, behind=True),
    _Place("named", _NAMES, re.compile(_NAME_END + "s?(?:"
        + _QUOTE + r"\s{0,3}" + _SIGN + r"\s{0,3}(?:[|>][+-]?" + _GAP + ")?(?:" + _QUOTED
        + "|(?P<bare>" + _VALUE + "{8,512}))"
        "|" + _QUOTE + ">(?P<element>" + _VALUE + "{8,512})</"
        r"""|["'],\s{0,3}["'](?P<second>""" + _VALUE + r"""{8,512})["']"""
        "|" + _LISTED + "(?:" + _QUOTED
        + ")|" + _IS + _MIXED + r"""(?P<told>[^\s"'`<>]{8,128}))""",
        re.IGNORECASE), plain=True, behind=True),
)  # fmt: skip

_PLACEHOLDER = re.compile(
    r"""[*x.•#_\-]+|[<{\[(].*|\$(?:[{(].*|[a-z_]\w*)|%(?:\w+%|[sdr(].*)"""
    r"""|(?:true|false|null|none|nil|undefined|optional|required)\b.*"""
    r"""|.*(?:redacted|example|changeme|placeholder|your[_-]|x{6}|\.\.\.|…|\*\*\*).*"""
    r"""|(?:os|process|env|self|settings|config|args|request|secrets|getpass|ctx|this)[.\[(].*"""
    r"""|[a-z_][a-z0-9_.]*[(\[].*|https?://[^@]*|(?-i:[.~]?(?:/[a-z_.-]{1,24}[0-9]{0,3})+/?)""",
    re.IGNORECASE | re.DOTALL,
)
"""What stands where a secret would, and is none: blanks, variables, calls, addresses, paths."""

_WORD = re.compile(r"[A-Za-z_]+(?:[.-][A-Za-z_]+)*[:.,!?)]*|[\d_.,:/-]+")
"""An ordinary word, name, constant or number."""


def place_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Where secrets stand: from, to, kind; in no order."""
    lower = text.lower()
    if len(lower) != len(text):  # one letter of Turkish grows
        lower = text.replace("İ", "I").lower()
    for place in _PLACES:
        for anchor in place.anchors:
            yield from _spans_of(place, anchor, text, lower)


def _spans_of(place: _Place, anchor: str, text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    at = lower.find(anchor)
    while at >= 0:
        end = at + len(anchor)
        found = place.pattern.match(text, end if place.behind else at)
        if found and _is_secret(found, place):
            end = found.end()
            yield *found.span(found.lastindex or 1), place.kind
        at = lower.find(anchor, end)


def _is_secret(found: re.Match[str], place: _Place) -> bool:
    """Whether what was found is more than an ordinary word or a placeholder."""
    value = found[found.lastindex or 1]
    if len(value) <= _LONGEST_PLACEHOLDER and _PLACEHOLDER.fullmatch(value):
        return False
    if not place.plain:
        return True
    if place.behind and found.lastgroup is None:  # it stands in quotes
        return " " not in value and (len(value) >= _SHORT or not _WORD.fullmatch(value))
    return not _WORD.fullmatch(value)


_SHORT = 8
_LONGEST_PLACEHOLDER = 100

_SECRET_NAME = re.compile(
    r"(?:pg|mysql)?pass(?:word|wd|phrase)?s?(?:_?(?:[0-9]|hash|confirm|confirmation))?|passwort|pwd"
    r"|secrets?|tokens?|(?:auth|otp|mfa|pin|authorization|verification|recovery|backup)_codes?"
    r"|(?:api|access|private|account|signing|encryption|decryption|validation|secret|auth|client"
    r"|master|ssh|hmac|webhook|license)_?keys?(?:_(?:base|pem))?"
    r"|auth(?:orization)?|credentials?|creds|jwt|bearer|(?:set_?)?cookies?|session_?(?:id|key)"
    r"|csrf(?:_?token)?|client_?secrets?|signature|otp|pin|ssn|cvv|cvc|connection_?string|dsn"
    r"|\w{0,20}(?:密码|口令|密钥|令牌)",
    re.IGNORECASE,
)
_SECRET_BAG = re.compile(r"(?:\w+_)?(?:cookies|secrets|credentials|creds|passwords)", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@lru_cache(4096)
def is_secret_name(name: str) -> bool:
    """Whether a key's name says that its value is a secret: `db_password`, `clientSecret`."""
    words = _snake(name)
    if _SECRET_NAME.fullmatch(words):
        return True
    parts = words.split("_")
    return any(_SECRET_NAME.fullmatch("_".join(parts[-count:])) for count in (1, 2, 3))


def is_secret_bag(name: str) -> bool:
    """Whether a key's name says that each value of an object below it is a secret: `cookies`."""
    return _SECRET_BAG.fullmatch(_snake(name)) is not None


def is_word(text: str) -> bool:
    """Whether a text is an ordinary word, name or number."""
    return _WORD.fullmatch(text) is not None


def _snake(name: str) -> str:
    return _HUMP.sub("_", name).replace("-", "_")

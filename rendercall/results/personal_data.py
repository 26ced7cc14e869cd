"""Personal data, taken out where a tool asks for it: by shape, and by checksum if it has one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

__all__ = ["personal_spans"]

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")
_CARD = re.compile(r"(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_CHINA_ID = re.compile(r"(?<!\w)\d{17}[\dXx](?!\w)")
_CHINA_MOBILE = re.compile(r"(?<![\w+])(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![\w-])")
_PHONE = re.compile(r"(?<![\w+])\+[1-9]\d{0,2}(?:[ .-]?\(?\d{1,4}\)?){2,5}(?!\w)")
_SSN = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")


def personal_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Where personal data is: from, to, kind; in no order."""
    for kind, pattern, holds in _KINDS:
        for found in pattern.finditer(text):
            if holds(found[0]):
                yield found.start(), found.end(), kind


def _always(_: str) -> bool:
    return True


def _luhn(text: str) -> bool:
    """ISO/IEC 7812-1: the check digit of card numbers."""
    digits = [int(one) for one in text if one.isdigit()]
    doubled = [one * 2 - 9 * (one > 4) for one in digits[-2::-2]]  # noqa: PLR2004 - 5 to 9 carry
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _iban(text: str) -> bool:
    """ISO 13616: the whole number, turned round, is 1 modulo 97."""
    compact = text.replace(" ", "")
    return int("".join(str(int(one, 36)) for one in compact[4:] + compact[:4])) % 97 == 1


def _china_id(text: str) -> bool:
    """GB 11643-1999."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(one) * weight for one, weight in zip(text[:17], weights, strict=True))
    return "10X98765432"[total % 11] == text[17].upper()


_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("email", _EMAIL, _always),
    ("china_id", _CHINA_ID, _china_id),
    ("card", _CARD, _luhn),
    ("iban", _IBAN, _iban),
    ("mobile", _CHINA_MOBILE, _always),
    ("phone", _PHONE, _always),
    ("ssn", _SSN, _always),
)

"""A sample of two logs around one incident, made by a seeded generator.

A deploy of `payments` takes its database pool from 80 connections to 20. Under the noon load
the pool runs dry, callers wait and time out, an alert fires, and a rollback ends it. Around
that, six services do their ordinary work and have their ordinary small troubles.

`shop.jsonl` holds a record a line, `deploys.log` is plain text. The same seed gives the same
bytes on every machine: only `Random.random()` is used, whose sequence Python keeps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

__all__ = ["deploy_lines", "shop_lines", "write_sample"]

_START = datetime(2026, 3, 14, 11, 0, tzinfo=UTC)
_SECONDS = 2.5 * 3600
_RECORDS = 18_000
_SEED = 20260314

_BAD_FROM = 68 * 60.0  # 12:08, the load grows over what 20 connections carry
_BAD_UNTIL = 87 * 60.0  # 12:27, the rollback is complete

_TROUBLE_SHARE = 0.03
_BREAKDOWN_SHARE = 0.3

_NOISE: tuple[tuple[str, str, str], ...] = (
    ("gateway", "info", "GET /products/{n} 200 in {ms} ms"),
    ("gateway", "info", "POST /cart 201 in {ms} ms"),
    ("catalog", "info", "search served {few} products in {ms} ms"),
    ("catalog", "debug", "cache hit for product {n}"),
    ("auth", "info", "session {n} renewed"),
    ("auth", "debug", "token of session {n} checked in {few} ms"),
    ("inventory", "info", "reserved {few} items for order {n}"),
    ("checkout", "info", "order {n} accepted"),
    ("payments", "info", "payment for order {n} captured in {ms} ms"),
    ("payments", "debug", "connection taken from the pool after {few} ms"),
)
_TROUBLE: tuple[tuple[str, str, str], ...] = (
    ("catalog", "warn", "cache miss ratio {few}% over the last minute"),
    ("auth", "warn", "session {n} has expired, the user must sign in again"),
    ("inventory", "warn", "stock of product {n} is below {few}"),
    ("gateway", "warn", "client closed the connection of request {n}"),
)
"""What is always there and means nothing for the incident."""

_BREAKDOWN: tuple[tuple[float, str, str, str], ...] = (
    (4.0, "payments", "error", "database pool exhausted: 20 of 20 connections in use, order {n}"),
    (0.0, "payments", "warn", "waited {slow} ms for a database connection"),
    (30.0, "checkout", "error", "payments did not answer in 3000 ms, order {n} was not placed"),
    (60.0, "gateway", "error", "POST /orders 504 after 3010 ms, request {n}"),
)
"""What the incident adds: seconds after its beginning, service, level, message."""

_EVENTS: tuple[tuple[float, str, str, str], ...] = (
    (24 * 60 + 11.0, "inventory", "error", "nightly stock file is late, using yesterday's"),
    (31 * 60 + 40.0, "inventory", "info", "nightly stock file arrived and was loaded"),
    (63 * 60 + 52.0, "payments", "info", "started version 2.8.0 with db.pool_size=20 (was 80)"),
    (_BAD_FROM + 2.0, "payments", "warn", "database pool is full: 20 of 20 connections in use"),
    (_BAD_FROM + 300, "monitor", "error", "alert: share of failed orders is 18% (limit 2%)"),
    (_BAD_UNTIL + 4, "payments", "info", "started version 2.7.4 with db.pool_size=80"),
    (_BAD_UNTIL + 360, "monitor", "info", "alert ended: share of failed orders is 0.3%"),
)

_DEPLOYS: tuple[tuple[float, str, str], ...] = (
    (12 * 60.0, "INFO", "deploy of catalog 5.1.2 started by pipeline 8812"),
    (14 * 60 + 3.0, "INFO", "deploy of catalog 5.1.2 is complete on 4 of 4 instances"),
    (62 * 60 + 7.0, "INFO", "deploy of payments 2.8.0 started by pipeline 8813"),
    (62 * 60 + 8.0, "WARNING", "deploy of payments 2.8.0 changes db.pool_size from 80 to 20"),
    (64 * 60 + 1.0, "INFO", "deploy of payments 2.8.0 is complete on 6 of 6 instances"),
    (84 * 60 + 30.0, "INFO", "rollback of payments to 2.7.4 started by the operator on call"),
    (_BAD_UNTIL, "INFO", "rollback of payments to 2.7.4 is complete on 6 of 6 instances"),
    (131 * 60.0, "INFO", "deploy of auth 3.0.9 started by pipeline 8814"),
    (133 * 60.0, "ERROR", "deploy of auth 3.0.9 was refused: a check of the pipeline failed"),
)


@dataclass(frozen=True, slots=True)
class _Record:
    after: float
    service: str
    level: str
    message: str

    @property
    def time(self) -> datetime:
        return _START + timedelta(milliseconds=round(self.after * 1000))


def write_sample(folder: Path) -> tuple[Path, ...]:
    """Write both logs into an existing folder; about 3 MB.

    Returns:
        Their paths.
    """
    files = {"shop.jsonl": shop_lines(), "deploys.log": deploy_lines()}
    for name, lines in files.items():
        # Bytes, because a text file has other line ends on other systems.
        (folder / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
    return tuple(folder / name for name in files)


def shop_lines() -> Iterator[str]:
    """The lines of `shop.jsonl`, oldest first."""
    chance = Random(_SEED)  # noqa: S311 - a sample, not a secret
    records = [_record(chance) for _ in range(_RECORDS)]
    records += [_Record(*event) for event in _EVENTS]
    for record in sorted(records, key=lambda one: one.after):
        told = {
            "time": record.time.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.level,
            "service": record.service,
            "instance": f"{record.service}-{_below(chance, 6) + 1}",
            "trace": f"{_below(chance, 16**12):012x}",
            "message": record.message,
        }
        yield json.dumps(told, ensure_ascii=False)


def deploy_lines() -> Iterator[str]:
    """The lines of `deploys.log`, with one answer that goes over several lines."""
    for after, level, message in _DEPLOYS:
        time = _Record(after, "", "", "").time
        yield f"{time:%Y-%m-%d %H:%M:%S},000 {level} deployer: {message}"
        if level == "ERROR":
            yield "    step 3 of 5: contract tests"
            yield "    2 of 214 failed"


def _record(chance: Random) -> _Record:
    after = chance.random() * _SECONDS
    kinds = _TROUBLE if chance.random() < _TROUBLE_SHARE else _NOISE
    if _BAD_FROM <= after < _BAD_UNTIL and chance.random() < _BREAKDOWN_SHARE:
        kinds = tuple(one[1:] for one in _BREAKDOWN if after >= _BAD_FROM + one[0])
    service, level, message = kinds[_below(chance, len(kinds))]
    values = {
        "n": 10_000 + _below(chance, 80_000),
        "ms": 4 + _below(chance, 180),
        "few": 2 + _below(chance, 30),
        "slow": 900 + _below(chance, 2100),
    }
    return _Record(after, service, level, message.format(**values))


def _below(chance: Random, limit: int) -> int:
    return int(chance.random() * limit)

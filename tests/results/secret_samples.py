"""Secrets of many classes, made at random when they are needed: none is in any file.

Each maker gives a line as it stands in real logs and configuration, and the secret in it.
"""

# Chinese punctuation is meant as such:
# ruff: noqa: RUF001

from __future__ import annotations

import base64
import json
import string
from collections.abc import Callable
from random import Random
from typing import TypeAlias

__all__ = ["CLASSES", "sample"]

Maker: TypeAlias = Callable[[Random], tuple[str, str]]

WORD = string.ascii_letters + string.digits
DASH = WORD + "-_"
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
BASE64 = WORD + "+/"
BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def some(random: Random, alphabet: str, count: int) -> str:
    return "".join(random.choices(alphabet, k=count))


def token(*parts: str | tuple[str, int]) -> Maker:
    """A token of fixed parts and random ones."""

    def make(random: Random) -> tuple[str, str]:
        made = "".join(one if isinstance(one, str) else some(random, *one) for one in parts)
        return random.choice(LINES).format(made), made

    return make


LINES = (
    "using {} for the request",
    '"value": "{}",',
    "curl -H 'X-Thing: {}' https://host.internal/v1",
    "key {}\n",
    "found ({}) in the environment",
    "{}",
    "first,{},last",
    "<td>{}</td>",
)


def within(line: str, *parts: str | tuple[str, int]) -> Maker:
    """A value that only its place tells."""

    def make(random: Random) -> tuple[str, str]:
        made = "".join(one if isinstance(one, str) else some(random, *one) for one in parts)
        return line.format(made), made

    return make


def jwt(random: Random) -> tuple[str, str]:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    made = f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part({'sub': some(random, LOWER, 12)})}.{some(random, DASH, 43)}"
    return random.choice(LINES).format(made), made


def pem(kind: str) -> Maker:
    def make(random: Random) -> tuple[str, str]:
        body = "\n".join(some(random, BASE64, 64) for _ in range(12))
        return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----\n", body

    return make


def basic(random: Random) -> tuple[str, str]:
    made = base64.b64encode(f"admin:{some(random, WORD, 18)}".encode()).decode()
    return f"Authorization: Basic {made}", made


CLASSES: dict[str, Maker] = {
    "aws key id": token("AKIA", (BASE32, 16)),
    "aws session id": token("ASIA", (BASE32, 16)),
    "aws secret": within("aws_secret_access_key = {}", (BASE64, 40)),
    "github": token("ghp_", (WORD, 36)),
    "github app": token("ghs_", (WORD, 36)),
    "github fine-grained": token("github_pat_", (WORD, 22), "_", (WORD, 59)),
    "gitlab": token("glpat-", (DASH, 20)),
    "slack bot": token("xoxb-", (string.digits, 12), "-", (string.digits, 12), "-", (WORD, 24)),
    "slack app": token("xapp-1-", (UPPER, 11), "-", (string.digits, 13), "-", (HEX, 64)),
    "slack webhook": within("https://hooks.slack.com/services/{}", "T", (UPPER, 8), "/B", (UPPER, 8), "/", (WORD, 24)),
    "discord webhook": within("https://discord.com/api/webhooks/{}", (string.digits, 18), "/", (DASH, 68)),
    "discord bot": token("MT", (WORD, 24), ".", (DASH, 6), ".", (DASH, 38)),
    "stripe": token("sk_live_", (WORD, 24)),
    "stripe restricted": token("rk_live_", (WORD, 99)),
    "stripe webhook": token("whsec_", (WORD, 32)),
    "openai": token("sk-proj-", (DASH, 74), "T3BlbkFJ", (DASH, 74)),
    "openai old": token("sk-", (WORD, 20), "T3BlbkFJ", (WORD, 20)),
    "anthropic": token("sk-ant-api03-", (DASH, 93), "AA"),
    "google key": token("AIza", (DASH, 34), (WORD, 1)),
    "google oauth": token("ya29.", (DASH, 120)),
    "google secret": token("GOCSPX-", (DASH, 27), (WORD, 1)),
    "hugging face": token("hf_", (string.ascii_letters, 34)),
    "npm": token("npm_", (WORD, 36)),
    "pypi": token("pypi-AgEIcHlwaS5vcmc", (DASH, 120)),
    "sendgrid": token("SG.", (DASH, 22), ".", (DASH, 43)),
    "mailgun": token("key-", (HEX, 32)),
    "mailchimp": token((HEX, 32), "-us12"),
    "twilio": token("SK", (HEX, 32)),
    "telegram": token((string.digits, 10), ":AA", (DASH, 32), (WORD, 1)),
    "shopify": token("shpat_", (HEX, 32)),
    "square": token("sq0atp-", (DASH, 22)),
    "digitalocean": token("dop_v1_", (HEX, 64)),
    "doppler": token("dp.pt.", (WORD, 43)),
    "databricks": token("dapi", (HEX, 32)),
    "vault": token("hvs.", (DASH, 90)),
    "terraform": token((WORD, 14), ".atlasv1.", (DASH, 67)),
    "grafana": token("glsa_", (WORD, 32), "_", (HEX, 8)),
    "new relic": token("NRAK-", (UPPER, 27)),
    "sentry": token("sntrys_", (WORD, 120)),
    "postman": token("PMAK-", (HEX, 24), "-", (HEX, 34)),
    "pulumi": token("pul-", (HEX, 40)),
    "planetscale": token("pscale_tkn_", (DASH, 43)),
    "linear": token("lin_api_", (WORD, 40)),
    "notion": token("ntn_", (string.digits, 11), (WORD, 35)),
    "figma": token("figd_", (DASH, 40)),
    "airtable": token("pat", (WORD, 14), ".", (HEX, 64)),
    "atlassian": token("ATATT3xFfGF0", (DASH, 180)),
    "supabase": token("sbp_", (HEX, 40)),
    "replicate": token("r8_", (WORD, 37)),
    "groq": token("gsk_", (WORD, 52)),
    "langsmith": token("lsv2_pt_", (HEX, 32), "_", (HEX, 10)),
    "docker hub": token("dckr_pat_", (DASH, 27)),
    "rubygems": token("rubygems_", (HEX, 48)),
    "age": token("AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "azure client": token((WORD, 3), "8Q~", (WORD, 34)),
    "azure storage": within("DefaultEndpointsProtocol=https;AccountName=a;AccountKey={};EndpointSuffix=x", (BASE64, 86), "=="),
    "azure signature": within("https://a.blob.core.windows.net/c?sv=2025-01-05&sig={}&se=2027", (WORD, 40), "%3D"),
    "alibaba": token("LTAI5t", (WORD, 18)),
    "tencent": token("AKID", (WORD, 32)),
    "jwt": jwt,
    "rsa key": pem("RSA PRIVATE KEY"),
    "openssh key": pem("OPENSSH PRIVATE KEY"),
    "pgp key": pem("PGP PRIVATE KEY BLOCK"),
    "basic header": basic,
    "bearer header": within("Authorization: Bearer {}", (DASH, 40)),
    "bearer in json": within('{{"headers": {{"authorization": "Bearer {}"}}}}', (DASH, 32)),
    "cookie": within("Cookie: session={}; theme=dark", (WORD, 32)),
    "api key header": within("X-Api-Key: {}", (WORD, 32)),
    "url password": within("postgresql://app:{}@db.internal:5432/app", (WORD, 16)),
    "redis url": within("redis://:{}@cache:6379/0", (WORD, 20)),
    "query token": within("GET /v1/items?limit=5&access_token={} HTTP/1.1", (WORD, 40)),
    "env password": within("export DB_PASSWORD={}", (WORD, 15), "9"),
    "yaml password": within("  password: {}", (WORD, 15), "!7"),
    "json password": within('{{"user": "a", "password": "{}"}}', (WORD, 12), "#4"),
    "escaped json": within('body="{{\\"client_secret\\": \\"{}\\"}}"', (WORD, 24), "3"),
    "with a backslash": within('"password": "{}",', (WORD, 6), "\\\\", (WORD, 9), '\\"', (WORD, 5)),
    "with a quote": within('secret = "{}"', (WORD, 9), "'", (WORD, 14)),
    "kwargs": within("connect(host='db', passwd='{}')", (WORD, 14), "5"),
    "flag": within("mysql --password={} -h db", (WORD, 14), "2"),
    "netrc": within("machine api.internal login bot password {}", (WORD, 16)),
    "properties": within("spring.datasource.password={}", (WORD, 14), "6"),
    "camel case": within("clientSecret: {}", (WORD, 30), "1"),
    "chinese": within("密码:{}", (WORD, 14), "8"),
    "slack cookie": token("xoxd-", (WORD, 100)),
    "slack client": token("xoxc-", (string.digits, 12), "-", (string.digits, 12), "-", (HEX, 64)),
    "facebook": token("EAAC", (WORD, 120)),
    "twitter": token("AAAAAAAAAAAAAAAAAAAAA", (WORD, 80)),
    "gemini": token("AQ.", (DASH, 49), (WORD, 1)),
    "google refresh": token("1//0", (DASH, 95)),
    "firebase": token("A", (WORD, 10), ":APA91b", (DASH, 134)),
    "artifactory": token("AKCp", (WORD, 69)),
    "mapbox": token("sk.eyJ1", (WORD, 60), ".", (DASH, 22)),
    "okta header": within("Authorization: SSWS {}", "00", (DASH, 40)),
    "header in a tuple": within("('x-api-key', '{}'),", (WORD, 32)),
    "cloudflare header": within("X-Auth-Key: {}", (HEX, 37)),
    "sentry dsn": within("https://{}@o1.ingest.sentry.io/2", (HEX, 32)),
    "curl user": within("curl -u admin:{} https://host/x", (WORD, 17), "1"),
    "sshpass": within("sshpass -p {} ssh host", (WORD, 16)),
    "mysql flag": within("mysql -uroot -p{} db", (WORD, 15), "1"),
    "smtp": within("smtp_pass: {}", (WORD, 14), "1"),
    "docker": within('{{"auths":{{"r.io":{{"auth":"{}"}}}}}}', "dTo", (WORD, 20), "1="),
    "rails": within("secret_key_base: {}", (HEX, 128)),
    "machine key": within('<machineKey validationKey="{}" />', (UPPER, 128)),
    "element": within("<password>{}</password>", (WORD, 15), "1"),
    "yaml block": within("token: |\n  {}\n", (WORD, 39), "1"),
    "environment list": within('{{"name": "DB_PASSWORD", "value": "{}"}}', (WORD, 18)),
    "sentence": within("the password is {}", "aB1", (WORD, 14)),
    "sentence with quotes": within("login failed for 'a' with password '{}'", "aB1", (WORD, 14)),
    "chinese sentence": within("数据库密码是 {}", "aB1", (WORD, 14)),
    "chinese colon": within("密码：{}", (WORD, 14), "4"),
    "putty": within("Private-Lines: 2\n{}\nPrivate-MAC: 0", (BASE64, 64), "\n", (BASE64, 64)),
    "element with a key": within('<entry key="db.password">{}</entry>', (WORD, 14), "2"),
    "constant": within("define('DB_PASSWORD', '{}');", (WORD, 15), "1"),
    "sql": within("CREATE USER app IDENTIFIED BY '{}'", (WORD, 16)),
    "session": within('{{"sessionid": "{}"}}', (LOWER, 31), "7"),
    "kubeconfig": within("client-key-data: {}", (BASE64, 400)),
    "web push": within("https://fcm.googleapis.com/fcm/send/{}", (WORD, 22), ":APA91b", (DASH, 134)),
    "smtp login": within("AUTH PLAIN {}", "AHUA", (WORD, 24), "1=="),
    "encrypted key": pem("ENCRYPTED PRIVATE KEY"),
}  # fmt: skip
"""By name; each makes a line and the secret in it."""


def sample(count: int, seed: int) -> list[tuple[str, str, str]]:
    """`count` of each class: class, line, secret."""
    random = Random(seed)  # noqa: S311 - reproducible; these open nothing
    return [(name, *make(random)) for name, make in CLASSES.items() for _ in range(count)]

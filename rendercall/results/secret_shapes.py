"""Tokens that are known by their shape alone, wherever they stand.

Sources: the issuers' documentation and secret scanning lists (GitHub's partner patterns,
gitleaks). A shape is looked for only inside a run of token characters, where no letter or digit
goes before; so the cost is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

__all__ = ["shape_spans"]

_W = "[A-Za-z0-9]"
_D = "[A-Za-z0-9_-]"
_X = "[0-9a-f]"
_END = f"(?!{_W})"

HEADED: dict[str, tuple[str, str]] = {
    "aws_key_id": ("AKIA ASIA ABIA ACCA AROA AIDA", f"[A-Z2-7]{{16}}{_END}"),
    "aws_bedrock": ("ABSK bedrock-api-key-", "[A-Za-z0-9+/]{60,200}"),
    "github": ("ghp_ gho_ ghu_ ghs_ ghr_", f"{_W}{{36,255}}"),
    "github_pat": ("github_pat_", "[A-Za-z0-9_]{22,255}"),
    "gitlab": (
        "glpat- gldt- glft- glsoat- glrt- glcbt- glptt- glimt- gloas- glagent- glwt-",
        f"{_D}{{20,300}}",
    ),
    "slack": ("xoxa- xoxb- xoxc- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", f"{_D}{{10,250}}"),
    "slack_cookie": ("xoxd-", "[A-Za-z0-9%+/=]{20,600}"),
    "stripe": ("sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", f"{_W}{{16,250}}"),
    "stripe_webhook": ("whsec_", "[A-Za-z0-9+/]{24,100}"),
    "anthropic": ("sk-ant-", f"{_D}{{20,200}}"),
    "openai": ("sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1-", f"{_D}{{20,250}}"),
    "sk_key": ("sk-", f"{_W}{{32,64}}(?!{_D})"),
    "google_key": ("AIza", f"{_D}{{35}}(?!{_D})"),
    "google_oauth": ("ya29. 1//0", f"{_D}{{20,1000}}"),
    "gemini": ("AQ.", f"{_D}{{40,120}}(?!{_D})"),
    "google_secret": ("GOCSPX-", f"{_D}{{28}}(?!{_D})"),
    "huggingface": ("hf_ api_org_", f"{_W}{{34}}{_END}"),
    "npm": ("npm_", f"{_W}{{36}}{_END}"),
    "pypi": ("pypi-AgE", f"{_D}{{50,500}}"),
    "rubygems": ("rubygems_", f"{_X}{{48}}"),
    "cargo": ("cio", f"{_W}{{32}}{_END}"),
    "sendgrid": ("SG.", rf"{_D}{{20,24}}\.{_D}{{39,50}}"),
    "mailgun": ("key-", f"{_X}{{32}}{_END}"),
    "brevo": ("xkeysib-", f"{_X}{{64}}-{_W}{{16}}"),
    "twilio": ("SK", f"{_X}{{32}}{_END}"),
    "discord": ("MD MT Mj Mz ND NT Nj Nz OD OT", rf"{_D}{{22,26}}\.{_D}{{6}}\.{_D}{{27,40}}"),
    "facebook": ("EAAA EAAB EAAC EAAD EAAG EAAI EAAJ EAAM EAAN EAAW", f"{_W}{{80,400}}"),
    "twitter": ("AAAAAAAAAAAAAAAAAAAA", "[A-Za-z0-9%]{60,200}(?![A-Za-z0-9%+/=])"),
    "shopify": ("shpat_ shpca_ shppa_ shpss_", f"{_X}{{32}}"),
    "square": ("EAAA", f"{_D}{{56,64}}(?!{_D})"),
    "square_oauth": ("sq0atp- sq0csp- sq0idp-", f"{_D}{{22,50}}"),
    "paypal": ("access_token$production$", rf"[0-9a-z]{{16}}\${_X}{{32}}"),
    "digitalocean": ("doo_v1_ dop_v1_ dor_v1_", f"{_X}{{64}}"),
    "doppler": ("dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[\w.-]{40,80}"),
    "databricks": ("dapi", f"{_X}{{32}}"),
    "dropbox": ("sl.", f"{_D}{{60,300}}"),
    "heroku": ("HRKU-", f"{_D}{{36,80}}"),
    "vault": ("hvs. hvb. hvr.", f"{_D}{{24,300}}"),
    "grafana": ("glsa_ glc_", f"{_D}{{32,200}}"),
    "new_relic": ("NRAK- NRJS- NRII-", f"{_D}{{19,40}}"),
    "dynatrace": ("dt0c01. dt0s01. dt0s02.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    "sentry": ("sntrys_ sntryu_", f"{_D}{{40,250}}"),
    "postman": ("PMAK-", f"{_X}{{24}}-{_X}{{34}}"),
    "pulumi": ("pul-", f"{_X}{{40}}"),
    "planetscale": ("pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.-]{32,64}"),
    "linear": ("lin_api_ lin_oauth_", f"{_W}{{32,64}}"),
    "notion": ("ntn_", f"{_W}{{40,50}}{_END}"),
    "notion_old": ("secret_", f"{_W}{{43}}{_END}"),
    "figma": ("figd_ figo_ figu_", f"{_D}{{40,60}}"),
    "airtable": ("pat", rf"{_W}{{14}}\.{_X}{{64}}"),
    "atlassian": ("ATATT3", f"{_D}{{60,250}}"),
    "bitbucket": ("ATBB", f"{_W}{{32}}{_END}"),
    "supabase": ("sbp_ sbs_", f"{_X}{{40}}"),
    "supabase_key": ("sb_secret_", f"{_D}{{20,60}}"),
    "mapbox": ("sk.eyJ", rf"{_D}{{30,200}}\.{_D}{{20,40}}"),
    "artifactory": ("AKCp", f"{_W}{{60,80}}{_END}"),
    "vercel": ("vcp_ vck_", f"{_W}{{24,60}}"),
    "netlify": ("nfp_", f"{_W}{{36,40}}"),
    "fly": ("fo1_ fm1_ fm1r_ fm1a_ fm2_", f"{_D}{{40,500}}"),
    "circleci": ("CCIPAT_", f"{_W}{{20,30}}_{_X}{{40}}"),
    "buildkite": ("bkua_ bkpt_ bkct_", f"{_W}{{40}}"),
    "sonarqube": ("sqp_ squ_ sqa_", f"{_X}{{40}}"),
    "sourcegraph": ("sgp_", f"(?:{_X}{{16}}_|local_)?{_X}{{40}}"),
    "readme": ("rdme_", "[a-z0-9]{70}"),
    "replicate": ("r8_", f"{_W}{{37}}{_END}"),
    "groq": ("gsk_", f"{_W}{{48,60}}"),
    "xai": ("xai-", f"{_W}{{60,100}}"),
    "perplexity": ("pplx-", f"{_W}{{40,60}}"),
    "tavily": ("tvly-", f"{_D}{{24,60}}"),
    "pinecone": ("pcsk_", f"{_D}{{50,90}}"),
    "langsmith": ("lsv2_pt_ lsv2_sk_", f"{_X}{{32}}_{_X}{{10}}"),
    "langfuse": ("sk-lf- pk-lf-", "[0-9a-f-]{36}"),
    "nvidia": ("nvapi-", f"{_D}{{60,80}}"),
    "onepassword": ("ops_eyJ", f"{_D}{{200,1500}}"),
    "age": ("AGE-SECRET-KEY-1", "[02-9AC-HJ-NP-Z]{58}"),
    "alibaba": ("LTAI", f"{_W}{{16,26}}{_END}"),
    "tencent": ("AKID", f"{_W}{{32}}{_END}"),
    "yandex": ("AQVN", f"{_D}{{35,38}}(?!{_D})"),
    "yandex_oauth": ("y0_ y1_ y2_ y3_", f"{_D}{{50,60}}"),
    "contentful": ("CFPAT-", f"{_D}{{43}}"),
    "typeform": ("tfp_", f"{_D}{{40,60}}"),
    "shippo": ("shippo_live_ shippo_test_", f"{_X}{{40}}"),
    "easypost": ("EZAK EZTK", f"{_W}{{54}}"),
    "prefect": ("pnu_ pnb_", f"{_W}{{36}}"),
    "adafruit": ("aio_", f"{_W}{{28}}{_END}"),
    "docker_hub": ("dckr_pat_ dckr_oat_", f"{_D}{{27,40}}"),
    "jwt": ("eyJ", rf"{_D}{{8,2000}}\.eyJ{_D}{{4,8000}}(?:\.{_D}{{0,2000}})?"),
}  # fmt: skip
"""By kind: the words that such a token begins with, and what follows them."""

ANCHORED: dict[str, tuple[str, tuple[int, ...], str]] = {
    "telegram": (":AA", (10, 9, 8), rf"(?<![0-9])[0-9]{{8,10}}:AA{_D}{{33}}(?!{_D})"),
    "firebase": (":APA91b", (22, 11), f"(?<!{_W}){_D}{{11,22}}:APA91b{_D}{{100,200}}"),
    "mailchimp": ("-us", (32,), rf"(?<!{_W}){_X}{{32}}-us[0-9]{{1,2}}{_END}"),
    "terraform": (".atlasv1.", (14,), rf"(?<!{_W}){_W}{{14}}\.atlasv1\.{_D}{{60,70}}"),
    "azure_client": ("Q~", (4,), r"(?<!\w)[\w.~-]{3}[0-9]Q~[\w.~-]{31,34}(?![\w.~-])"),
    "azure_devops": ("AZDO", (76,), f"(?<!{_W}){_W}{{76}}AZDO{_W}{{4}}{_END}"),
}
"""By kind: a word inside the token, how many characters go before it, and the whole."""


def shape_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Where tokens are: from, to, kind; in no order."""
    for run in _RUN.finditer(text):
        for head in _HEAD.finditer(text, run.start(), run.end()):
            if found := _HEADED[head[0]].match(text, head.start()):
                yield found.start(), found.end(), found.lastgroup or ""
    for kind, (anchor, befores, pattern) in _ANCHORED.items():
        at = text.find(anchor)
        while at >= 0:
            for before in befores:
                if at >= before and (found := pattern.match(text, at - before)):
                    yield found.start(), found.end(), kind
                    break
            at = text.find(anchor, at + len(anchor))


def _any_head(heads: Iterable[str]) -> str:
    """Every head, by its first letter, so that an ordinary place costs a few comparisons."""
    letters: dict[str, list[str]] = {}
    for head in sorted(heads, key=len, reverse=True):
        letters.setdefault(head[0], []).append(re.escape(head[1:]))
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in letters.items())


def _following(head: str) -> re.Pattern[str]:
    """What may follow a head: its own kind, and the kinds of shorter heads that it begins with."""
    kinds = {one: kind for kind, (heads, _) in HEADED.items() for one in heads.split()}
    known = sorted((one for one in kinds if head.startswith(one)), key=len, reverse=True)
    tries = (f"(?P<{kinds[one]}>{re.escape(one)}{HEADED[kinds[one]][1]})" for one in known)
    return re.compile("|".join(tries), re.ASCII)


_HEADS = [one for heads, _ in HEADED.values() for one in heads.split()]
_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:~+/$-]{17,}")
_HEAD = re.compile(f"(?<!{_W})(?:{_any_head(_HEADS)})")
_HEADED = {head: _following(head) for head in _HEADS}
_ANCHORED = {
    kind: (anchor, befores, re.compile(whole, re.ASCII))
    for kind, (anchor, befores, whole) in ANCHORED.items()
}

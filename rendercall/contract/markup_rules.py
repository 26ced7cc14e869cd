"""What a text could be taken for: markup, script, dangerous URLs, markdown that loads."""

from __future__ import annotations

from rendercall.contract.text_rule import Rule, words

__all__ = ["HTML", "MARKDOWN", "URLS"]

_GAP = r"[\x00-\x20]*"
_JAVASCRIPT = _GAP.join("javascript")
_COLON = r"(?::|&colon;|&#0*58;?|&#x0*3a;?|%3a|\\x3a|\\u003a)"
HTML = (
    Rule(
        "html",
        "script",
        r"<\s*/?\s*(?:script|iframe|object|embed|applet|base|meta|link|frame|frameset|svg"
        r"|math|form|style|template|portal|noscript|xml|isindex|foreignobject|animate|set)\b",
        (("<",),),
    ),
    Rule(
        "html",
        "handler",
        r"<[a-z!/?][^>]*?[\s/\"'](?:on[a-z]{3,25}|srcdoc|formaction|xlink:href|style"
        r"|fscommand|seeksegmenttime)[\x00-\x20]*=",
        (("<",), ("=",)),
    ),
    Rule(
        "html",
        "tag",
        r"<(?:[a-z][a-z0-9:-]*(?:[\s/>]|$)|/[a-z]|!--|!doctype|\?xml|!\[cdata|!entity"
        r"|!--#(?:exec|include))",
        (("<",),),
    ),
    Rule("html", "entity", r"&#(?:x0*(?:6a|4a)|0*(?:106|74))\b", (("&#",),)),
    Rule(
        "html",
        "code",
        r"\b(?:alert|prompt|confirm|eval|settimeout|setinterval|function|import|fetch|atob)\s*"
        r"(?:\.\w+)?\s*[(\x60]|document\s*\.\s*(?:cookie|domain|location|write)"
        r"|\b(?:window|self|top|parent|globalthis|frames)\s*"
        r"(?:\[|\.\s*(?:location|name|eval|alert))|string\.fromcharcode"
        r"|\.constructor\s*\(|expression\s*\(|@import|-moz-binding",
        (
            (*"(`.[", "@import", "-moz-binding"),
            words("alert prompt confirm eval settimeout setinterval function import fetch atob")
            + words("document window self top parent globalthis frames fromcharcode constructor")
            + words("expression -moz-binding"),
        ),
    ),
    Rule(
        "html",
        "handler",
        r"\bon(?:error|load|click|mouseover|focus|toggle|begin|start|animation\w*|pointer\w*"
        r"|mouse\w*|key\w*)\s*=",
        (("on",), ("=",)),
    ),
)
URLS = (
    Rule(
        "url",
        "script",
        rf"(?:{_JAVASCRIPT}|vbscript|livescript|mocha)"
        rf"(?:[\x00-\x20]|&[a-z#0-9]{{1,12}};?|%[0-9a-f]{{2}}|\\[a-z0-9]+){{0,8}}{_COLON}",
        (("j", "vbs", "lives", "mocha"), (":", "&", "%", "\\")),
    ),
    Rule(
        "url",
        "data",
        r"data\s*:\s*(?:text/(?:html|javascript|xml)|application/(?:xhtml|xml|javascript)"
        r"|image/svg\+xml|;|,|[a-z/+]{0,40};base64)",
        (("data",), (":",)),
    ),
    Rule(
        "url",
        "userinfo",
        r"\bhttps?://[^/\s@:]{1,64}:[^/\s@]{1,128}@",
        (("://",), ("@",)),
    ),
)
MARKDOWN = (
    Rule(
        "markdown",
        "remote_image",
        r"!\[[^\]]*\]\s{0,3}(?:\(\s{0,10}<?(?:https?:)?//|\[)",
        (("![",),),
    ),
    Rule(
        "markdown",
        "query_link",
        r"\]\s{0,3}\(\s{0,10}<?(?:https?:)?//[^)\s]*[?&][^)\s=]{1,60}=",
        (("](", "] ", "]\t", "]\n"), ("//",), ("=",)),
    ),
    Rule("markdown", "fence", r"\x60{3}|(?:^|\n)\s{0,3}~{3}", (("```", "~~~"),)),
)

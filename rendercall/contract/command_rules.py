"""What a text could be taken for: SQL, shell commands, expressions of a template engine."""

from __future__ import annotations

from rendercall.contract.text_rule import Rule, words

__all__ = ["SHELL", "SQL", "TEMPLATES"]

_S = r"\s*"
_SPACES = r"\s+"
_BETWEEN = r"(?:\s|/\*.{0,40}?\*/|\+|%20|\()"
SQL = (
    Rule(
        "sql",
        "stacked",
        rf"(?:;|'|\"|\)|\b\d+){_S}(?:drop|alter|truncate|insert{_SPACES}into|delete{_SPACES}"
        rf"from|update{_SPACES}\w+{_SPACES}set|create{_SPACES}(?:table|user|login)"
        r"|exec(?:ute)?\b|shutdown|grant)\b",
        (words("drop alter truncate insert delete update create exec shutdown grant"),),
    ),
    Rule(
        "sql",
        "destructive",
        rf"\b(?:drop{_SPACES}(?:table|database|schema|view|index|user)|truncate{_SPACES}table"
        rf"|delete{_SPACES}from{_SPACES}\w+{_S}(?:;|\n|$|--)|alter{_SPACES}table)\b",
        (words("drop truncate delete alter"),),
    ),
    Rule(
        "sql",
        "union",
        rf"\bunion{_BETWEEN}+(?:all|distinct)?{_BETWEEN}*select\b",
        (("union",), ("select",)),
    ),
    Rule(
        "sql",
        "tautology",
        rf"(?:'|\"|\)|\b\d+|\b){_S}(?:\bor\b|\band\b|\bxor\b|\|\||&&){_S}(?:not{_SPACES})?"
        rf"[(!]*{_S}(?:'[^']{{0,40}}'|\"[^\"]{{0,40}}\"|\d+|[a-z_]{{1,20}}|true|false"
        rf"|null){_S}(?:=|<|>|<=>|!=|\blike\b|\bin\b|\bis\b|\bbetween\b|\bregexp\b|\brlike\b)"
        rf"{_S}[(]*{_S}(?:'|\"|\d|n?'|true|false|null)",
        (("or", "and", "||", "&&"), (*"=<>", "like", "in", "is", "between", "regexp")),
    ),
    Rule(
        "sql",
        "blind",
        rf"\b(?:sleep|benchmark|pg_sleep|waitfor{_SPACES}delay|dbms_(?:pipe|lock)"
        rf"|utl_(?:http|inaddr)|xp_cmdshell|load_file|into{_SPACES}(?:out|dump)file|extractvalue"
        rf"|updatexml|information_schema|sysobjects|@@version|char{_S}\({_S}\d+"
        rf"|chr{_S}\({_S}\d+|concat{_S}\(|substr(?:ing)?{_S}\(|ascii{_S}\(|sqlite_master"
        rf"|make_set|elt{_S}\(|procedure{_SPACES}analyse|having{_SPACES}\d|order{_SPACES}by"
        rf"{_SPACES}\d|group{_SPACES}by{_SPACES}.{{1,40}}?having)",
        (
            words(
                "sleep benchmark waitfor dbms_ utl_ xp_ load_file dumpfile outfile extractvalue "
                "updatexml information_schema sysobjects @@version char chr concat substr ascii "
                "sqlite_master make_set elt procedure having order"
            ),
        ),
    ),
    Rule(
        "sql",
        "comment",
        rf"(?:'|\"|\)|\b\d+){_S}(?:--|#|/\*|;{_S}(?:--|#|%00))",
        (("--", "#", "/*", "%00"),),
    ),
)
_COMMANDS = (
    "rm|cat|ls|id|whoami|uname|curl|wget|nc|netcat|bash|sh|zsh|python3?|perl|php|ruby|ping|nslookup"
    r"|dig|sleep|echo|chmod|chown|kill|ps|env|printenv|ifconfig|ipconfig|netstat|systeminfo|dir"
    rf"|type|net{_SPACES}(?:user|view|localgroup)|reg|powershell|cmd(?:\.exe)?|route|arp|which|find"
    r"|dd|mkfs|shutdown|reboot"
)
SHELL = (
    Rule(
        "shell",
        "substitution",
        r"\$\([^)]|\x60[^\x60]{2,64}\x60|\$\{[A-Za-z_@#]|<\(|>\(",
        (("$(", "`", "${", "<(", ">("),),
    ),
    Rule(
        "shell",
        "chain",
        rf"(?:^|[;&|\n]|%0a|%26|%3b|%7c|\x60|\$\(){_S}(?:/(?:usr/)?s?bin/"
        rf"|(?:sudo{_SPACES})?(?:{_COMMANDS})\b)",
        (
            (
                *(word for word in words(_COMMANDS.replace("|", " ")) if word.isalpha()),
                *words("python net cmd bin/"),
            ),
        ),
    ),
    Rule(
        "shell",
        "destructive",
        rf"\brm{_SPACES}-[a-z]*[rf][a-z]*{_SPACES}[/~*$.]|\bmkfs\.|\bdd{_SPACES}if="
        rf"|:\(\){_S}\{{|>{_S}/dev/sd|\bchmod{_SPACES}(?:-R{_SPACES})?777{_SPACES}/"
        rf"|\|{_S}(?:ba|z|da)?sh\b",
        (("rm", "mkfs", "if=", ":()", "/dev/sd", "777", "sh"),),
    ),
    Rule(
        "shell",
        "path",
        r"(?:(?:\.\.|%2e%2e|%252e%252e)(?:/|\\|%2f|%5c|%252f)){2,}|/etc/(?:passwd|shadow|hosts)\b"
        r"|\b[a-z]:\\windows\\|\bfile:///",
        (("..", "%2e", "%252e", "/etc/", "windows", "file:"),),
    ),
)
TEMPLATES = (
    Rule(
        "shell",
        "template",
        r"\{\{[^{}]+\}\}|\{%[^{}]+%\}|[$#]\{[^{}]+\}|<%[=\s][^%]*%>",
        (("{{", "{%", "${", "#{", "<%"),),
    ),
)

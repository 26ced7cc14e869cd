r"""The table of rules: what a text could be taken for, as regular expressions.

There are no back-references and no look-around: RE2 takes each as it is. For Python's `re`,
`bounded` gives every repeat an end, so that no character costs it more than a constant time.
`hints` are groups of lower-case pieces; a text that lacks a piece of any one group cannot
match, so that a plain search answers for most texts.

The shapes are those of public payload collections and scanners: libinjection, payloadbox,
garak, gotestwaf, the OWASP cheat sheets.
"""

from __future__ import annotations

from rendercall.contract.command_rules import SHELL, SQL, TEMPLATES
from rendercall.contract.markup_rules import HTML, MARKDOWN, URLS
from rendercall.contract.prompt_rules import CHAT_TEMPLATE, PROMPT
from rendercall.contract.text_rule import Rule
from rendercall.contract.unseen import SUSPICION

__all__ = ["GROUPS", "RULES", "UNSEEN"]

UNSEEN = Rule("unicode", "unseen", SUSPICION, ())
"""What nobody sees: it only says that `unseen` should look."""

GROUPS: tuple[tuple[Rule, ...], ...] = (
    (*HTML, *URLS, *MARKDOWN),
    (*SQL, *SHELL, *TEMPLATES),
    (*PROMPT, *CHAT_TEMPLATE, UNSEEN),
)
"""The rules that one pass looks for."""

RULES: tuple[Rule, ...] = tuple(rule for group in GROUPS for rule in group)
"""All of them, in the order in which findings are told."""

"""Chat models for use without a key, and the way to one by its name.

Importing this room loads no provider package and starts nothing.
"""

from __future__ import annotations

from rendercall.models.load import DEFAULT_OPENAI_MODEL, default_model_name, load_chat_model
from rendercall.models.local import LocalModel, bounded_schema, is_installed, local_chat_model
from rendercall.models.reply import Call, Reply
from rendercall.models.rule_based import RULE_BASED, Rule, RuleBasedChatModel
from rendercall.models.scripted import Request, ScriptedChatModel, ScriptItem
from rendercall.models.structured_output import StructuredOutputBridge
from rendercall.models.transcript import plain_messages

__all__ = [
    "DEFAULT_OPENAI_MODEL",
    "RULE_BASED",
    "Call",
    "LocalModel",
    "Reply",
    "Request",
    "Rule",
    "RuleBasedChatModel",
    "ScriptItem",
    "ScriptedChatModel",
    "StructuredOutputBridge",
    "bounded_schema",
    "default_model_name",
    "is_installed",
    "load_chat_model",
    "local_chat_model",
    "plain_messages",
]

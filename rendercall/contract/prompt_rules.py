"""What a text could be taken for: an instruction to a model, or a token of its chat template."""

from __future__ import annotations

from rendercall.contract.text_rule import Rule, words

__all__ = ["CHAT_TEMPLATE", "PROMPT"]

PROMPT = (
    Rule(
        "prompt",
        "override",
        r"\b(?:ignore|disregard|forget|override|bypass|skip|neglect|drop|stop\s+following"
        r"|do\s+not\s+follow)\b[^.\n]{0,60}?\b(?:previous|prior|above|earlier|preceding|all"
        r"|any|foregoing|system|your|the|these|existing)\b[^.\n]{0,40}?\b(?:instructions?|prompts?"
        r"|rules?|directions?|directives?|guidelines?|context|commands?|constraints?|training"
        r"|programming|messages?|told|said|texts?|content)\b",
        (
            words("ignore disregard forget override bypass skip neglect drop follow"),
            words("instruction prompt rule direct guideline context command constraint training")
            + words("programming message told said text content"),
        ),
    ),
    Rule(
        "prompt",
        "override",
        r"(?:忽略|无视|忘记|不要遵守|跳过)[^。\n]{0,12}(?:之前|以上|前面|上面|先前|所有|系统)[^。\n]{0,8}"
        r"(?:指令|指示|提示|规则|说明|要求|内容)",
        (("忽略", "无视", "忘记", "不要遵守", "跳过"),),
    ),
    Rule(
        "prompt",
        "role",
        r"\b(?:you\s+are\s+(?:now|going\s+to\s+(?:act|pretend|be))"
        r"|(?:pretend|act|roleplay|behave|respond|simulate)\s+"
        r"(?:to\s+be|as\s+(?:if|though|an?|the|my)|like)|from\s+now\s+on"
        r"|stay\s+in\s+character|enter(?:ing)?\s+(?:developer|dan|god|debug)\s+mode"
        r"|developer\s+mode|jailbreak|do\s+anything\s+now"
        r"|without\s+(?:any\s+)?(?:restrictions?|limitations?|filters?|censorship)"
        r"|no\s+(?:ethical|moral)\s+(?:guidelines|restrictions)|(?-i:\bDAN\b))",
        (
            words("you pretend act roleplay behave respond simulate now stay mode jailbreak")
            + words("without ethical moral dan"),
        ),
    ),
    Rule(
        "prompt",
        "leak",
        r"\b(?:repeat|reveal|show|print|output|display|leak|expose|tell|give|write\s+out"
        r"|what\s+(?:are|is|were))\b[^.\n]{0,50}?\b(?:system\s+prompt"
        r"|initial\s+(?:prompt|instructions?)|your\s+(?:instructions?|prompt|rules"
        r"|guidelines|system)|(?:the\s+)?(?:text|words|instructions?)\s+above"
        r"|hidden\s+(?:prompt|instructions?)|instructions\s+you\s+were\s+given)",
        (
            words("repeat reveal show print output display leak expose tell give write what"),
            words("system initial your above hidden given"),
        ),
    ),
)
CHAT_TEMPLATE = (
    Rule(
        "chat_template",
        "token",
        r"<\|[a-z_0-9▁]{2,40}\|>|"
        "<\uff5c[^\uff5c<>]{2,40}\uff5c>"  # DeepSeek's bars are full width
        r"|\[/?INST\]|<</?SYS>>"
        r"|</?(?:system|system_prompt|tool_result|tool_call|function_calls|function_results|invoke"
        r"|antml:\w+|assistant|user|start_of_turn|end_of_turn)(?:\s[^>]*)?>"
        r"|(?:\A|\n\n)(?:Human|Assistant|System)\s*:"
        r"|\"role\"\s*:\s*\"(?:system|developer|tool|assistant)\""
        r"|###\s*(?:System|Instruction)s?\s*:",
        (("<", "[inst]", "[/inst]", ":"),),
    ),
)

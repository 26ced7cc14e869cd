"""The rules of Anthropic's `POST /v1/messages` on the messages of a request."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from .anthropic_tools import tool_messages
from .refusal import Refusal, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check", "signature"]

CALL_ID = re.compile(r"[a-zA-Z0-9_-]+")
NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
BLOCKS = (
    "document", "image", "redacted_thinking", "search_result", "server_tool_use", "text",
    "thinking", "tool_result", "tool_use", "web_search_tool_result",
)  # fmt: skip
THINKING_DOCS = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"


def signature(thinking: str) -> str:
    """The imitation's signature of a thinking block: any change of the text breaks it."""
    return "sig-" + hashlib.sha256(thinking.encode()).hexdigest()[:32]


def check(request: dict[str, Any]) -> Refusal | None:
    """The first refusal that Anthropic would give: each block, then what belongs together."""
    for refusal in _refusals(request):
        return refusal
    return None


def _refusals(request: dict[str, Any]) -> Iterator[Refusal]:
    for place, tool in enumerate(listed(request.get("tools"))):
        yield from _tool_name(tool, place)
    for words in tool_messages(listed(request.get("tools"))):
        yield _refuse(words)
    messages = [{**m, "content": _blocks(m["content"])} for m in request["messages"]]
    for place, message in enumerate(messages):
        yield from _role(message)
        for number, block in enumerate(message["content"]):
            yield from _block(block, f"messages.{place}.content.{number}")
    yield from _contents(messages)
    yield from _unique(messages)
    yield from _pairs(messages)
    if (request.get("thinking") or {}).get("type") in {"enabled", "adaptive"}:
        yield from _thought_first(messages)


def _refuse(message: str) -> Refusal:
    error = {"type": "invalid_request_error", "message": message}
    body = {"type": "error", "error": error, "request_id": "req_imitation"}
    return Refusal(400, body, message)


def _blocks(content: Any) -> list[Any]:
    """A string is one text block (API reference, `messages.content`)."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else listed(content)


def _tool_name(tool: dict[str, Any], place: int) -> Iterator[Refusal]:
    """https://github.com/home-assistant/core/issues/147760."""
    if tool.get("type", "custom") == "custom" and not NAME.fullmatch(tool["name"]):
        yield _refuse(f"tools.{place}.custom.name: String should match pattern '^{NAME.pattern}$'")


def _role(message: dict[str, Any]) -> Iterator[Refusal]:
    """https://github.com/ianarawjo/ChainForge/issues/271."""
    if message["role"] == "system":
        yield _refuse(
            'messages: Unexpected role "system". The Messages API accepts a top-level `system` '
            'parameter, not "system" as an input message role.'
        )


def _block(block: dict[str, Any], where: str) -> Iterator[Refusal]:
    """A block by itself.

    Stream deltas are no blocks: https://github.com/1Panel-dev/MaxKB/pull/6683. Ids:
    https://github.com/tailcallhq/forgecode/issues/1142. An input that is no object: quoted by
    VoltAgent's changelog 1.0.6 (https://github.com/VoltAgent/voltagent/pull/1135). Signatures:
    https://github.com/langchain-ai/langchain/pull/29971 (none) and
    https://github.com/anthropics/claude-code/issues/10627 (wrong).
    """
    kind = block["type"]
    if kind not in BLOCKS:
        tags = ", ".join(f"'{tag}'" for tag in BLOCKS)
        text = f"{where}: Input tag '{kind}' found using 'type' does not match any of the expected "
        yield _refuse(f"{text}tags: {tags}")
    if kind == "tool_use" and not CALL_ID.fullmatch(str(block["id"])):
        yield _refuse(f"{where}.tool_use.id: String should match pattern '^{CALL_ID.pattern}$'")
    if kind == "tool_use" and not isinstance(block.get("input"), dict):
        yield _refuse(f"{where}.tool_use.input: Input should be a valid dictionary")
    if kind == "thinking" and "signature" not in block:
        yield _refuse(f"{where}.thinking.signature: Field required")
    if kind == "thinking" and block.get("signature") != signature(block["thinking"]):
        yield _refuse(f"{where}: Invalid `signature` in `thinking` block")


def _contents(messages: list[Any]) -> Iterator[Refusal]:
    """Nothing empty.

    https://github.com/glowingjade/obsidian-smart-composer/pull/156,
    https://github.com/anthropics/claude-code/issues/59812.
    """
    for place, message in enumerate(messages):
        final = place == len(messages) - 1 and message["role"] == "assistant"
        blank = message["content"] in ([], [{"type": "text", "text": ""}])
        if blank and not final:
            text = f"messages.{place}: all messages must have non-empty content "
            yield _refuse(f"{text}except for the optional final assistant message")
        if any(b["type"] == "text" and not b["text"] for b in message["content"]):
            yield _refuse("messages: text content blocks must be non-empty")


def _unique(messages: list[Any]) -> Iterator[Refusal]:
    """https://github.com/trycua/cua/issues/524."""
    seen: set[str] = set()
    for place, message in enumerate(messages):
        for number, block in enumerate(message["content"]):
            if block["type"] == "tool_use":
                if block["id"] in seen:
                    where = f"messages.{place}.content.{number}"
                    yield _refuse(f"{where}: `tool_use` ids must be unique")
                seen.add(block["id"])


def _pairs(messages: list[Any]) -> Iterator[Refusal]:
    """Calls are answered at the start of the next message, and only calls are.

    https://github.com/anthropics/claude-code/issues/7929 and
    https://github.com/anthropics/claude-code/issues/13460. "the tool_result blocks must come
    FIRST in the content array. Any text must come AFTER all tool results", with the first of the
    two refusals: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls.
    """
    empty: dict[str, Any] = {"content": []}
    for place, (before, message, after) in enumerate(
        zip([empty, *messages], messages, [*messages[1:], empty], strict=False)
    ):
        called = [block["id"] for block in before["content"] if block["type"] == "tool_use"]
        for number, block in enumerate(message["content"]):
            if block["type"] == "tool_result" and block["tool_use_id"] not in called:
                yield _refuse(
                    f"messages.{place}.content.{number}: unexpected `tool_use_id` found in "
                    f"`tool_result` blocks: {block['tool_use_id']}. Each `tool_result` block must "
                    "have a corresponding `tool_use` block in the previous message."
                )
        given = _leading_results(after)
        calls = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
        open_ids = [str(call_id) for call_id in calls if call_id not in given]
        if open_ids:
            yield _refuse(
                f"messages.{place}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {', '.join(open_ids)}. Each `tool_use` block must have a "
                "corresponding `tool_result` block in the next message."
            )


def _leading_results(message: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for block in message["content"]:
        if block["type"] != "tool_result":
            break
        found.append(block["tool_use_id"])
    return found


def _thought_first(messages: list[Any]) -> Iterator[Refusal]:
    """https://github.com/lbjlaq/Antigravity-Manager/issues/139: the turn that is being continued.

    "within a tool-use turn, pass thinking blocks back" (the page in the refusal): earlier turns
    may come without.
    """
    if len(messages) < 2 or not _leading_results(messages[-1]):
        return
    place = len(messages) - 2
    kind = messages[place]["content"][0]["type"]
    if kind not in {"thinking", "redacted_thinking"}:
        yield _refuse(
            f"messages.{place}.content.0.type: Expected `thinking` or `redacted_thinking`, but "
            f"found `{kind}`. When `thinking` is enabled, a final `assistant` message must start "
            "with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` "
            "blocks). We recommend you include thinking blocks from previous turns. To avoid this "
            f"requirement, disable `thinking`. Please consult our documentation at {THINKING_DOCS}"
        )

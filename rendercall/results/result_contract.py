"""What a result must be before it leaves its tool: plain, redacted, of the declared form."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langchain_core.messages import ToolMessage

from rendercall.errors import Issue
from rendercall.results.current_call import CurrentCall
from rendercall.results.failure_log import failure_of
from rendercall.results.outcome import Empty, Failed, Outcome, Truncated
from rendercall.results.output_check import OutputCheck, plain_json
from rendercall.results.redaction import Redactor
from rendercall.results.result import Replacement, ToolResult
from rendercall.results.tool_error import ToolError
from rendercall.results.tool_message import message_of

__all__ = ["ResultContract"]


class ResultContract:
    """Turns what a function returned into the message of its call.

    Secrets are taken out before the check, so that what is checked is what leaves.

    Args:
        check: of structured results; None where the tool declares none.
        redactor: takes secrets out.
        after: the after-tool hook.
    """

    def __init__(
        self,
        check: OutputCheck[Any] | None,
        redactor: Redactor,
        after: Callable[[ToolResult, CurrentCall], Replacement | None] | None,
    ) -> None:
        self._check = check
        self._redactor = redactor
        self._after = after

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON Schema of structured results; None where none is declared."""
        return None if self._check is None else self._check.schema

    def message(self, returned: Any, call: CurrentCall) -> ToolMessage:
        """The message of a call.

        Args:
            returned: by the function; anything but a `ToolResult` is an error.
            call: the call.
        """
        result, dropped = self._settled(returned, call)
        return message_of(
            result, name=call.tool, call_id=call.call_id, label=call.label, dropped=dropped
        )

    def _settled(self, returned: Any, call: CurrentCall) -> tuple[ToolResult, bool]:
        if not isinstance(returned, ToolResult):
            return _invalid("not_a_result", "the function must return a ToolResult"), False
        result = self._checked(returned)
        if self._after is None:
            return result, False
        try:
            replacement = self._after(result, call)
        except Exception as error:  # noqa: BLE001 - told as data
            return self._checked(ToolResult.failed(failure_of(error, call.tool))), False
        if replacement is None:
            return result, False
        changed = replacement.over(result)
        dropped = replacement.drops_structured and result.structured is not None
        return self._checked(changed, dropped=dropped), dropped

    def _checked(self, result: ToolResult, *, dropped: bool = False) -> ToolResult:
        try:
            clean = self._clean(result)
        except (TypeError, ValueError):
            return _invalid(
                "not_json", "content must be text or blocks, all else JSON of a sane depth"
            )
        if self._check is None or clean.is_error or dropped:
            return clean
        issues = self._check.check(clean.structured).issues
        return ToolResult.failed(ToolError("OUTPUT_INVALID", issues=issues)) if issues else clean

    def _clean(self, result: ToolResult) -> ToolResult:
        value = self._redactor.value
        return replace(
            result,
            content=self._content(result.content),
            structured=value(plain_json(result.structured)),
            details=value(plain_json(result.details)),
            usage=value(plain_json(result.usage)),
            outcome=self._outcome(result.outcome),
        )

    def _content(self, content: Any) -> Any:
        if isinstance(content, str):
            return self._redactor.text(_encodable(content))
        blocks = plain_json(list(content))
        if not all(isinstance(block, dict) for block in blocks):
            raise TypeError("content blocks are objects")
        return self._words(blocks)

    def _words(self, part: Any) -> Any:
        """Its texts without secrets, whatever their keys; bytes in Base64 are no text."""
        if isinstance(part, str):
            return part if _is_payload(part) else self._redactor.text(part)
        if isinstance(part, list):
            return [self._words(one) for one in part]
        if isinstance(part, dict):
            return {key: self._words(one) for key, one in part.items()}
        return part

    def _outcome(self, outcome: Outcome) -> Outcome:
        """Its words are the tool's where it wrote them, and so is its way on."""
        text = self._redactor.text
        if isinstance(outcome, Failed):
            return Failed(outcome.error.redacted(text))
        if isinstance(outcome, Empty):
            return Empty(text(outcome.looked))
        if isinstance(outcome, Truncated):
            following = self._words(plain_json(outcome.next))
            return replace(outcome, next=following, reason=text(outcome.reason))
        return outcome


def _encodable(text: str) -> str:
    """A text that can be stored and sent: half of a surrogate pair, as in file names, cannot."""
    return text.encode("utf-8", "replace").decode()


def _is_payload(text: str) -> bool:
    return len(text) > _LONGEST_TOKEN and _PAYLOAD.fullmatch(text) is not None


_LONGEST_TOKEN = 1_024
_PAYLOAD = re.compile(r"(?:data:[\w.+/-]{1,100};base64,)?[A-Za-z0-9+/]*={0,2}")


def _invalid(code: str, message: str) -> ToolResult:
    issue = Issue("", "tool_output", code, message)
    return ToolResult.failed(ToolError("OUTPUT_INVALID", issues=(issue,)))

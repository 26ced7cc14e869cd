"""What a result must be before it leaves its tool: plain, redacted, of the declared form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langchain_core.messages import ToolMessage

from rendercall.errors import Issue
from rendercall.results.current_call import CurrentCall
from rendercall.results.failure_log import failure_of
from rendercall.results.outcome import Empty, Failed, Outcome
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
            return ToolResult.failed(failure_of(error, call.tool)), False
        if replacement is None:
            return result, False
        changed = replacement.over(result)
        dropped = replacement.drops_structured and result.structured is not None
        return self._checked(changed, dropped=dropped), dropped

    def _checked(self, result: ToolResult, *, dropped: bool = False) -> ToolResult:
        try:
            structured = self._redactor.value(plain_json(result.structured))
            details = self._redactor.value(plain_json(result.details))
        except (TypeError, ValueError):
            return _invalid("not_json", "structured and details must be JSON of a sane depth")
        clean = replace(
            result,
            content=self._content(result.content),
            structured=structured,
            details=details,
            outcome=self._outcome(result.outcome),
        )
        if self._check is None or clean.is_error or dropped:
            return clean
        issues = self._check.check(clean.structured).issues
        return ToolResult.failed(ToolError("OUTPUT_INVALID", issues=issues)) if issues else clean

    def _content(self, content: Any) -> Any:
        if isinstance(content, str):
            return self._redactor.text(content)
        return [
            {**block, "text": self._redactor.text(block["text"])}
            if isinstance(block.get("text"), str)
            else block
            for block in content
        ]

    def _outcome(self, outcome: Outcome) -> Outcome:
        """Its words are the tool's where it wrote them."""
        if isinstance(outcome, Failed):
            error = replace(outcome.error, message=self._redactor.text(outcome.error.message))
            return Failed(error)
        if isinstance(outcome, Empty):
            return Empty(self._redactor.text(outcome.looked))
        return outcome


def _invalid(code: str, message: str) -> ToolResult:
    issue = Issue("", "tool_output", code, message)
    return ToolResult.failed(ToolError("OUTPUT_INVALID", issues=(issue,)))

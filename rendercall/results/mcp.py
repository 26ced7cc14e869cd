"""Tools of MCP servers, under the same contract (langchain-mcp-adapters, extra `results`).

The adapters keep `structuredContent` of a success only, and hand errors on as text. Here both
keep it, the tool's `outputSchema` is enforced after the first guard has looked at it, and
failures, timeouts, retries and redaction are those of any structured tool.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from rendercall.errors import Issue, import_extra
from rendercall.results.redaction import REDACTOR, Redactor
from rendercall.results.result import ToolResult
from rendercall.results.retry import Replay, Retry
from rendercall.results.structured_tool import ResultTool
from rendercall.results.tool_error import ToolError, ToolFailed

__all__ = ["load_mcp_tools"]

_EXTRA = "results"
_MAX_LISTS = 1_000


async def load_mcp_tools(
    session: Any,
    *,
    interceptors: Sequence[Any] = (),
    timeout: float | None = 30.0,  # noqa: ASYNC109 - of the tools, not of this call
    retry: Retry | None = None,
    redactor: Redactor = REDACTOR,
) -> list[ResultTool]:
    """Make a structured tool of each tool of an MCP server.

    Args:
        session: an initialised `mcp.ClientSession`; the tools work while it is open.
        interceptors: of langchain-mcp-adapters, outermost first.
        timeout: seconds for one attempt; None is no limit.
        retry: bounds on attempts and the time in all. Only a tool that its server calls
            read-only or idempotent is tried again.
        redactor: what takes secrets out of both channels.

    Raises:
        SchemaRefused: a tool's schema breaks the limits, or refers outside itself.
        MissingExtra: langchain-mcp-adapters is not installed.
    """
    adapters = import_extra("langchain_mcp_adapters.tools", _EXTRA)
    tools: list[ResultTool] = []
    for described in await _listed(session):
        adapted = adapters.convert_mcp_tool_to_langchain_tool(
            session, described, tool_interceptors=[*interceptors, _keep_errors]
        )
        annotations = described.annotations
        tools.append(
            ResultTool(
                name=adapted.name,
                description=adapted.description,
                args_schema=adapted.args_schema,
                metadata=adapted.metadata,
                coroutine=_called(adapted.coroutine),
                label=(annotations and annotations.title) or described.title or described.name,
                output=described.outputSchema,
                replay=_replay(annotations),
                timeout=timeout,
                retry=retry or Retry(),
                redactor=redactor,
            )
        )
    return tools


async def _listed(session: Any) -> list[Any]:
    """Every tool of the server; a cursor that comes again ends it."""
    found: list[Any] = []
    seen: set[str] = set()
    cursor: str | None = None
    for _ in range(_MAX_LISTS):
        page = await session.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.nextCursor
        if not cursor or cursor in seen:
            break
        seen.add(cursor)
    return found


async def _keep_errors(request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
    """Take a result through the adapters whole: they would drop what an error carries."""
    result = await handler(request)
    held = {"is_error": result.isError, "structured": result.structuredContent}
    return result.model_copy(update={"isError": False, "structuredContent": held})


def _called(coroutine: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[ToolResult]]:
    async def call(**arguments: Any) -> ToolResult:
        try:
            content, artifact = await coroutine(**arguments)
        except RuntimeError as error:
            if "structured content" not in str(error):  # the session's own check of the schema
                raise
            issue = Issue("", "tool_output", "output_schema", "not what its outputSchema says")
            raise ToolFailed(ToolError("OUTPUT_INVALID", issues=(issue,))) from None
        held = artifact["structured_content"]
        return ToolResult(content, held["structured"], is_error=bool(held["is_error"]))

    return call


def _replay(annotations: Any) -> Replay:
    """MCP's hints come from the server: they may only make a call more careful, never less."""
    if annotations is None or annotations.destructiveHint is True:
        return "never"
    return "safe" if annotations.readOnlyHint or annotations.idempotentHint else "never"

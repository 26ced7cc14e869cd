from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from rendercall.results import ResultTool, Retry, tool_result
from rendercall.results.mcp import load_mcp_tools

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def inspect_tool(**options: Any) -> AsyncIterator[ResultTool]:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "tests.results.mcp_server"], cwd=ROOT
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        (tool,) = await load_mcp_tools(session, **options)
        yield tool


async def call(tool: ResultTool, **args: Any) -> Any:
    return await tool.ainvoke({"type": "tool_call", "name": tool.name, "id": "c1", "args": args})


async def test_tools_of_a_server_keep_the_contract() -> None:
    """Structured content of a success and of an error, the output schema, and redaction."""
    async with inspect_tool() as tool:
        assert (tool.name, tool.label, tool.replay) == ("inspect", "Inspect", "safe")
        schema = tool.structured_schema
        assert schema is not None
        ok = await call(tool, how="ok")
        assert tool_result(ok, schema).require() == {"title": "Frames", "minutes": 30}
        assert "about the lesson, [REDACTED:github]" in ok.text
        assert "Frames" not in ok.text
        failed = await call(tool, how="error")
        assert (failed.status, failed.artifact["structured"]) == ("error", {"reason": "locked"})
        assert "about the lesson" in failed.text
        assert "locked" not in failed.text
        wrong = await call(tool, how="wrong")
        assert wrong.artifact["error"]["code"] == "OUTPUT_INVALID"
        refused = await call(tool, how=5)
        assert "value /how" in refused.text


async def test_a_tool_that_hangs_is_stopped() -> None:
    """Within its limit, and the session goes on."""
    async with inspect_tool(timeout=0.3, retry=Retry(attempts=1)) as tool:
        assert (await call(tool, how="hang")).artifact["error"]["code"] == "TIMEOUT"
        assert (await call(tool, how="ok")).status == "success"

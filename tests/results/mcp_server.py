"""An MCP server over standard input and output, for the tests: `python -m tests.results.mcp_server`."""

from __future__ import annotations

import asyncio
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

LESSON = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "minutes": {"type": "integer"}},
    "required": ["title", "minutes"],
}
ARGS = {"type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]}

server: Server[Any, Any] = Server("lessons")


@server.list_tools()  # type: ignore[no-untyped-call, untyped-decorator]
async def tools() -> list[types.Tool]:
    hints = types.ToolAnnotations(title="Inspect", readOnlyHint=True)
    return [
        types.Tool(
            name="inspect",
            description="Inspect a lesson.",
            inputSchema=ARGS,
            outputSchema=LESSON,
            annotations=hints,
        )
    ]


@server.call_tool(validate_input=False)  # type: ignore[untyped-decorator]
async def call(name: str, arguments: dict[str, Any]) -> Any:
    del name
    text = [types.TextContent(type="text", text="about the lesson, ghp_" + "a1B2" * 9)]
    results: dict[str, types.CallToolResult] = {
        "ok": types.CallToolResult(
            content=text, structuredContent={"title": "Frames", "minutes": 30}
        ),
        "error": types.CallToolResult(
            content=text, structuredContent={"reason": "locked"}, isError=True
        ),
        "wrong": types.CallToolResult(content=text, structuredContent={"title": "Frames"}),
    }
    if arguments["how"] == "hang":
        await asyncio.sleep(30)
    return results[arguments["how"]]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())

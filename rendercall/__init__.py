"""Safe display-only render tool calls for LangGraph.

`RenderTool` defines what a model may show, `last_render` reads what it showed. The graph
parts are in `rendercall.langgraph`, chat models that need no key in `rendercall.models`.
"""

from rendercall.consumer.cost import Cost
from rendercall.consumer.rendered import Rendered
from rendercall.consumer.scan import last_render, scan_renders
from rendercall.consumer.stream import RenderStream
from rendercall.consumer.structured_response import from_structured_response
from rendercall.consumer.update import Update
from rendercall.contract import Bounds, Notice, RenderTool, Verdict
from rendercall.errors import Issue, RenderCallError, RenderNotOk

__all__ = [
    "Bounds",
    "Cost",
    "Issue",
    "Notice",
    "RenderCallError",
    "RenderNotOk",
    "RenderStream",
    "RenderTool",
    "Rendered",
    "Update",
    "Verdict",
    "from_structured_response",
    "last_render",
    "scan_renders",
]
